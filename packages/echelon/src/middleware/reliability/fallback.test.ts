import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Layer, ModelOutcome } from '../../core/extension/middleware.ts'
import { PROBLEMS, type ProblemCode } from '../../core/model/problem.ts'
import { failed, generated, modelCall, testHost } from '../../testing/middleware-host.ts'
import { fallback, fallbackChain, FALLS_BACK_ON } from './fallback.ts'
import { modelOf, modelThrough } from '../in-tests.ts'

const CODES = Object.keys(PROBLEMS).filter((code): code is ProblemCode => code in PROBLEMS)

/** Models asked, in order, and what came of it. */
async function through(
  layer: Layer,
  outcomes: readonly ModelOutcome[],
  host = testHost(),
): Promise<{ asked: readonly unknown[]; outcome: ModelOutcome }> {
  const model = modelOf(...outcomes)
  const outcome = await modelThrough([layer], model)(modelCall(), host)
  return { asked: model.asked.map((call) => call.model), outcome }
}

test('[C-22] the next model takes over, with the conversation and all options as they were', async () => {
  const host = testHost()
  const call = modelCall({ maxTokens: 7, sampling: { temperature: 0 }, tools: ['add'] })
  const model = modelOf(failed('unavailable'), generated('yes', { model: 'b/two' }))
  const outcome = await modelThrough([fallback(['b/two', 'c/three'])], model)(call, host)
  assert.deepEqual(outcome, generated('yes', { model: 'b/two' }))
  assert.deepEqual(model.asked, [call, { ...call, model: 'b/two' }])
  assert.equal(model.asked[1]?.prompt, call.prompt)
  assert.deepEqual(host.told, [
    {
      middleware: 'fallback',
      event: 'fallback',
      data: { from: 'test/model', to: 'b/two', code: 'unavailable' },
    },
  ])
})

test('[C-22] a chain is built model by model, each with the failures that it is for', async () => {
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

test('[C-22] when all fail the last failure is the outcome, and says what was tried', async () => {
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

test('[C-22] what lies in the request, and what was refused or given up, goes to no other model', async () => {
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

test('a model that the budget refuses leaves the failure that asked for it', async () => {
  const refusal = { type: 'refused', by: 'budget', limit: 'money', message: 'none left' } as const
  const { asked, outcome } = await through(fallback(['b/two', 'c/three']), [
    failed('unavailable'),
    refusal,
  ])
  assert.equal(asked.length, 2)
  assert.deepEqual(outcome, failed('unavailable'))
})

test('the model that failed is not asked a second time, and a canceled run asks none', async () => {
  const { asked } = await through(fallback(['test/model', 'b/two']), [failed('unavailable')])
  assert.deepEqual(asked, [undefined, 'b/two'])
  const host = testHost()
  host.cancel()
  const canceled = await through(fallback(['b/two']), [failed('unavailable')], host)
  assert.equal(canceled.asked.length, 1)
})

test('a chain of one model is refused', () => {
  for (const build of [
    () => fallback([]),
    () => fallbackChain('a/one').build(),
    () => fallback(['']),
  ]) {
    assert.throws(build, { code: 'INVALID_CONFIG', message: /name at least one model/ })
  }
})
