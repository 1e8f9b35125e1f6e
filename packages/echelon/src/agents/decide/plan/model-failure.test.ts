import assert from 'node:assert/strict'
import test from 'node:test'
import type { Problem, ProblemCode } from '../../../core/model/problem.ts'
import { failsForGood, modelFailure } from './model-failure.ts'

const problem = (code: ProblemCode, message: string): Problem => ({
  code,
  message,
  retryable: code === 'unavailable',
  attempts: 1,
})

test("a failure names the model, the problem, the provider's message, and the fix", () => {
  const rows: readonly [ProblemCode, said: string, told: string][] = [
    [
      'auth',
      'Incorrect API key provided: sk-ab**yz. You can find your key at https://example.org.',
      'm/x: the key is missing or wrong (Incorrect API key provided); set a valid API key for m',
    ],
    [
      'quota',
      'You exceeded your current quota, please check your plan. For more, read the docs.',
      'm/x: the account has nothing left (You exceeded your current quota, please check your plan); add credit to the account at m, or use another model',
    ],
    [
      'not-found',
      'The model `gpt-5.99` does not exist.',
      'm/x: there is no such model or server (The model `gpt-5.99` does not exist); check the name of the model and the base URL of its server',
    ],
    ['auth', '', 'm/x: the key is missing or wrong; set a valid API key for m'],
  ]
  for (const [code, said, told] of rows)
    assert.equal(modelFailure('m/x', problem(code, said)), told)
})

test('a sentence that does not fit is left out whole, never cut', () => {
  const said = `Bad key ${'k'.repeat(300)}`
  assert.equal(
    modelFailure('m/x', problem('auth', said)),
    'm/x: the key is missing or wrong; set a valid API key for m',
  )
})

test('a key, account or name error is permanent; a server error may pass', () => {
  const codes = ['auth', 'quota', 'not-found', 'unavailable', 'invalid-request'] as const
  assert.deepEqual(
    codes.map((code) => failsForGood(problem(code, ''))),
    [true, true, true, false, false],
  )
})
