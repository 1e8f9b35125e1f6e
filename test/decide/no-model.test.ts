import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  createDecider,
  type Decider,
  type DeciderOptions,
} from '../../packages/echelon/src/decide.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { Registry } from '../../packages/echelon/src/providers/registry.ts'
import { openStore } from '@echelon/store'
import { apiError, asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'

const WRONG_KEY: ScriptedAnswer = { error: apiError(401, { message: 'no such key' }) }
const MISSING: ScriptedAnswer = { error: apiError(404, { message: 'no such model' }) }
const DECLINES = JSON.stringify({ error: 'cannot', reason: 'too hard' })
const PLANS = JSON.stringify({ actions: [{ tool: 'calculator', args: { expr: '15 * 23' } }] })
const QUESTION = 'What is 15 * 23?'

function deciderOf(
  small: readonly ScriptedAnswer[],
  big: readonly ScriptedAnswer[],
  options: DeciderOptions = {},
): Promise<Decider> {
  const models = {
    'x/small': asBound(scriptedModel(small), 'x/small'),
    'x/big': asBound(scriptedModel(big), 'x/big'),
  }
  const registry: Registry = {
    keys: () => ['x'],
    list: () => Promise.resolve([]),
    register: () => undefined,
    async resolve(name) {
      const found = name === 'x/small' ? models['x/small'] : models['x/big']
      return found
    },
  }
  return createDecider({ small: 'x/small', big: 'x/big', registry, ...options })
}

const isAuth = (error: unknown): boolean =>
  error instanceof EchelonError &&
  error.code === 'MODEL_FAILED' &&
  error.details['problem'] === 'auth' &&
  /^x\/big: .*set a valid API key for x$/.test(error.message)

describe('a case in which no model could be asked', () => {
  test('rejects, and its outcome is a result with the problem', async () => {
    const begin = (): Promise<Decider> => deciderOf([MISSING], [WRONG_KEY])
    await assert.rejects((await begin()).runCase(QUESTION), isAuth)
    const run = await (await begin()).start(QUESTION)
    await assert.rejects(run.result, isAuth)
    const { finish_reason, problem, verified, explanation } = await run.outcome
    assert.deepEqual([finish_reason, problem?.code, verified], ['big_fail', 'auth', false])
    assert.match(explanation, /no such key/)
    assert.equal((await (await begin()).runOutcome(QUESTION)).problem?.model, 'x/big')
  })

  test('rejects again when resumed from its journal', async () => {
    const store = await openStore(':memory:')
    const decider = await deciderOf([MISSING], [WRONG_KEY], { store })
    const { run, outcome } = await decider.start(QUESTION)
    await outcome
    const resumed = await decider.resume(run.id)
    await assert.rejects(resumed.result, isAuth)
  })

  test('runs again under the same idempotency key, in this process and with a store', async () => {
    for (const options of [{}, { store: await openStore(':memory:') }]) {
      const decider = await deciderOf([MISSING, PLANS], [WRONG_KEY], options)
      const keyed = { idempotencyKey: 'k' }
      await assert.rejects(decider.runCase(QUESTION, keyed), isAuth)
      assert.equal((await decider.runCase(QUESTION, keyed)).answer, '345')
    }
  })
})

describe('a case in which some model answered', () => {
  test('is a result even if the bigger model failed', async () => {
    const decider = await deciderOf([DECLINES], [WRONG_KEY])
    const { finish_reason, problem, explanation } = await decider.runCase('What is love?')
    assert.deepEqual([finish_reason, problem], ['big_fail', null])
    assert.match(explanation, /no such key/)
  })

  test('is a result if a limit or a cancel ended it before any model answered', async () => {
    const settings = { budget: { max_tokens: 1 } }
    const poor = await deciderOf([WRONG_KEY], [WRONG_KEY], { settings })
    const limited = await poor.runCase(QUESTION)
    assert.deepEqual([limited.finish_reason, limited.problem], ['budget', null])
    const { finish_reason, problem } = await poor.runCase(QUESTION, { signal: AbortSignal.abort() })
    assert.deepEqual([finish_reason, problem], ['canceled', null])
  })
})
