import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Assistant, createAssistant } from '@echelon/assist'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import { openStore } from '@echelon/store'
import { apiError, asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'

const assistantWith = async (script: readonly ScriptedAnswer[]): Promise<Assistant> =>
  createAssistant({
    executor: asBound(scriptedModel(script)),
    planner: null,
    evaluator: null,
    store: await openStore(':memory:'),
  })

const WRONG_KEY: ScriptedAnswer = { error: apiError(401, { message: 'no such key' }) }

const isAuth = (error: unknown): boolean =>
  error instanceof EchelonError &&
  error.code === 'MODEL_FAILED' &&
  error.details['problem'] === 'auth' &&
  /no such key.*set a valid API key/.test(error.message)

describe('a turn whose model failed', () => {
  test('rejects its result, and its outcome holds the text for the user', async () => {
    const run = (await assistantWith([WRONG_KEY])).run('Should I move?')
    await assert.rejects(run.result, isAuth)
    const { outcome, problem, text } = await run.outcome
    assert.deepEqual([outcome, problem?.code], ['failed', 'auth'])
    assert.match(text, /^I have no answer for you/)
  })

  test('rejects its result if the answer was withheld', async () => {
    const withheld = { text: ['no'], finishReason: 'content-filter' } as const
    const run = (await assistantWith([withheld])).run('Should I move?')
    await assert.rejects(run.result, { code: 'MODEL_FAILED' })
    assert.equal((await run.outcome).problem?.code, 'content-filter')
  })

  test('leaves its conversation as it was, free for the next turn', async () => {
    const assistant = await assistantWith([WRONG_KEY, 'What would you miss?'])
    const session = await assistant.openSession('s', { keep: true })
    await assert.rejects(assistant.run('Should I move?', { session }).result, isAuth)
    assert.deepEqual(session.messages, [])
    const { text, problem } = await assistant.run('Should I move?', { session }).result
    assert.deepEqual([text, problem], ['What would you miss?', null])
    assert.equal(session.messages.length, 2)
    const again = await assistant.openSession('s', { keep: true })
    assert.equal(again.messages.length, 2)
  })
})
