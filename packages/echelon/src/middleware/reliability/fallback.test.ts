import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { ModelOutcome } from '../../core/extension/middleware.ts'
import { FALLS_BACK_ON } from '../../core/model/falls-back-on.ts'
import { PROBLEMS, type ProblemCode } from '../../core/model/problem.ts'
import { failed, generated, modelCall, testRun } from '../../testing/middleware-run.ts'
import { fallback, fallbackChain } from './fallback.ts'
import { modelOf, modelThrough } from '../in-tests.ts'

const CODES = Object.keys(PROBLEMS).filter((code): code is ProblemCode => code in PROBLEMS)

/** The models called, in order, and the outcome. */
async function through(
  middleware: Middleware,
  outcomes: readonly ModelOutcome[],
  run = testRun(),
): Promise<{ asked: readonly unknown[]; outcome: ModelOutcome }> {
  const model = modelOf(...outcomes)
  const outcome = await modelThrough([middleware], model)(modelCall(), run)
  return { asked: model.asked.map((call) => call.model), outcome }
}

test('[C-22] the next model takes over with the same conversation and options', async () => {
  const run = testRun()
  const call = modelCall({ maxTokens: 7, sampling: { temperature: 0 }, tools: ['add'] })
  const model = modelOf(failed('unavailable'), generated('yes', { model: 'b/two' }))
  const outcome = await modelThrough([fallback(['b/two', 'c/three'])], model)(call, run)
  assert.deepEqual(outcome, generated('yes', { model: 'b/two' }))
  assert.deepEqual(model.asked, [call, { ...call, model: 'b/two' }])
  assert.equal(model.asked[1]?.prompt, call.prompt)
  assert.deepEqual(run.told, [
    {
      middleware: 'fallback',
      event: 'fallback',
      data: { from: 'test/model', to: 'b/two', code: 'unavailable' },
    },
  ])
})

test('[C-22] a chain is built model by model, each with its failures', async () => {
  const chain = fallbackChain('a/one')
    .or('b/two', { on: ['unavailable', 'rate-limit'] })
    .or('c/three')
  const limited = await through(chain.build(), [failed('rate-limit'), generated('yes')])
  assert.deepEqual(limited.asked, ['a/one', 'b/two'])
  const unknown = await through(chain.build(), [failed('not-found'), generated('yes')])
  assert.deepEqual(unknown.asked, ['a/one', 'c/three'])
  const well = await through(chain.build(), [generated('yes')])
  assert.deepEqual(well.asked, ['a/one'])
})

test('[C-22] when all fail the outcome is the last failure, which lists the attempts', async () => {
  const { asked, outcome } = await through(fallback(['b/two', 'c/three']), [
    failed('unavailable', { attempts: 3 }),
    failed('auth'),
    failed('timeout', { message: 'too late' }),
  ])
  assert.equal(asked.length, 3)
  assert.deepEqual(
    outcome,
    failed('timeout', {
      message: 'too late (tried test/model: unavailable, b/two: auth, c/three: timeout)',
      attempts: 5,
    }),
  )
})

test('[C-22] request errors, refusals and aborted calls go to no other model', async () => {
  for (const code of CODES) {
    const { asked } = await through(fallback(['b/two']), [failed(code)])
    assert.equal(asked.length, FALLS_BACK_ON.includes(code) ? 2 : 1, code)
  }
  for (const code of ['aborted', 'invalid-request', 'content-filter'] as const) {
    assert.ok(!FALLS_BACK_ON.includes(code))
  }
  const refusal = { type: 'refused', by: 'budget', limit: 'money', message: 'none left' } as const
  assert.deepEqual((await through(fallback(['b/two']), [refusal])).outcome, refusal)
})

test('if the budget refuses a fallback, the original failure is returned', async () => {
  const refusal = { type: 'refused', by: 'budget', limit: 'money', message: 'none left' } as const
  const { asked, outcome } = await through(fallback(['b/two', 'c/three']), [
    failed('unavailable'),
    refusal,
  ])
  assert.equal(asked.length, 2)
  assert.deepEqual(outcome, failed('unavailable'))
})

test('the failed model is not called twice, and a canceled run calls none', async () => {
  const { asked } = await through(fallback(['test/model', 'b/two']), [failed('unavailable')])
  assert.deepEqual(asked, [undefined, 'b/two'])
  const run = testRun()
  run.cancel()
  const canceled = await through(fallback(['b/two']), [failed('unavailable')], run)
  assert.equal(canceled.asked.length, 1)
})

test('rejects a chain of one model', () => {
  for (const build of [
    () => fallback([]),
    () => fallbackChain('a/one').build(),
    () => fallback(['']),
  ]) {
    assert.throws(build, { code: 'INVALID_CONFIG', message: /name at least one model/ })
  }
})
