import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../core/value/json.ts'
import type { ModelOutcome } from '../../core/extension/middleware.ts'
import { MOST_STATE_BYTES } from '../../core/state/state.ts'
import { failed, generated, modelCall, testRun } from '../../testing/middleware-run.ts'
import { SetClock } from '../../testing/set-clock.ts'
import { fallback } from './fallback.ts'
import { modelOf, modelThrough } from '../in-tests.ts'
import { providerBreaker, type ProviderBreakerOptions } from './provider-breaker.ts'

/** A model behind a breaker, called from successive runs. */
function broken(options: ProviderBreakerOptions, ...outcomes: readonly ModelOutcome[]) {
  const clock = new SetClock()
  const shared = new Map<string, Json>()
  const model = modelOf(...outcomes)
  const through = modelThrough([providerBreaker(options)], model)
  const events: string[] = []
  let runs = 0
  const call = async (more: Parameters<typeof modelCall>[0] = {}): Promise<ModelOutcome> => {
    const run = testRun({ runId: `run-${runs++}`, clock, shared })
    const outcome = await through(modelCall(more), run)
    events.push(...run.told.map(({ event }) => event))
    return outcome
  }
  return { call, clock, shared, model, events }
}

const down = failed('unavailable')

test('[C-30] stops calling a model that keeps failing, in all runs', async () => {
  const { call, clock, model, events } = broken({ limit: 2, cooldownMs: 10_000 }, down)
  await call()
  await call()
  await clock.advance(3000)
  assert.deepEqual(
    await call(),
    failed('unavailable', {
      message: 'test/model failed 2 times in a row and is not called for 7 s more',
      retryable: false,
      attempts: 0,
      retryAfterMs: 7000,
    }),
  )
  assert.equal(model.asked.length, 2)
  assert.deepEqual(events, ['open'])
  await call({ model: 'other/model' })
  assert.equal(model.asked.length, 3)
})

test('[C-30] after the cooldown one call tests the model, and an answer closes the circuit', async () => {
  const { call, clock, shared, model, events } = broken(
    { limit: 1, cooldownMs: 10_000 },
    down,
    generated('yes'),
  )
  await call()
  await clock.advance(10_000)
  const [tried, meanwhile] = await Promise.all([call(), call()])
  assert.equal(tried?.type, 'generated')
  assert.equal(meanwhile?.type, 'failed')
  assert.equal(model.asked.length, 2)
  assert.deepEqual(events.toSorted(), ['close', 'open', 'try'])
  assert.deepEqual(shared.get('echelon/providerBreaker'), { models: {} })
  assert.equal((await call()).type, 'generated')
})

test('[C-30] a failed test opens it again; after an inconclusive one the next call tests', async () => {
  const { call, clock, model } = broken(
    { limit: 2, cooldownMs: 10_000 },
    down,
    down,
    down,
    failed('aborted'),
    generated('yes'),
  )
  await call()
  await call()
  await clock.advance(10_000)
  await call()
  await clock.advance(9999)
  await call()
  assert.equal(model.asked.length, 3)
  await clock.advance(1)
  assert.deepEqual(await call(), failed('aborted'))
  assert.equal((await call()).type, 'generated')
})

test('an answer resets the count, and only some failures count', async () => {
  const { call, model } = broken({ limit: 2 }, down, generated('yes'), down, failed('auth'), down)
  for (let time = 0; time < 6; time++) await call()
  assert.equal(model.asked.length, 5)
  const chosen = broken({ limit: 1, on: ['auth'] }, failed('auth'))
  await chosen.call()
  await chosen.call()
  assert.equal(chosen.model.asked.length, 1)
})

test('an outer fallback takes over while the circuit is open', async () => {
  const run = testRun()
  const model = modelOf(down, generated('b'), generated('b'))
  const middlewares = [fallback(['b/two']), providerBreaker({ limit: 1 })]
  for (let time = 0; time < 2; time++) {
    const outcome = await modelThrough(middlewares, model)(modelCall(), run)
    assert.equal(outcome.type === 'generated' && outcome.text, 'b')
  }
  assert.deepEqual(
    model.asked.map((call) => call.model),
    [undefined, 'b/two', 'b/two'],
  )
})

test('its state stays small for any number of failing models', async () => {
  const { call, shared } = broken({ limit: 1 }, down)
  for (let n = 0; n < 50; n++) await call({ model: `provider-${n}/${'m'.repeat(53)}` })
  const state = shared.get('echelon/providerBreaker')
  assert.ok(Buffer.byteLength(JSON.stringify(state)) <= MOST_STATE_BYTES)
})

test('rejects invalid options and states of another shape', () => {
  assert.throws(() => providerBreaker({ limit: 0 }), { code: 'INVALID_CONFIG' })
  assert.throws(() => providerBreaker({ cooldownMs: 0 }), { code: 'INVALID_CONFIG' })
  const { slot } = providerBreaker()
  assert.ok(slot !== undefined)
  assert.equal(slot.scope, 'shared')
  assert.equal(slot.refusal({ models: { a: { errors: 1, openedAt: null } } }), undefined)
  assert.ok(slot.refusal({ models: { a: { errors: 1, openedAt: 'now' } } }) !== undefined)
})
