import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Json } from '../../core/value/json.ts'
import type { ModelOutcome } from '../../core/extension/middleware.ts'
import { MOST_STATE_BYTES } from '../../core/state/state.ts'
import { failed, generated, modelCall, testRun } from '../../testing/middleware-run.ts'
import { SetClock } from '../../testing/set-clock.ts'
import { modelThrough } from '../in-tests.ts'
import { errorRate, failuresInARow, NO_CALLS, p95Ms, withSample } from './model-figures.ts'
import { providerHealth, type ProviderHealthOptions } from './provider-health.ts'

/** Calls with the given durations and outcomes, each in its own run. */
function watched(options: ProviderHealthOptions = {}) {
  const clock = new SetClock(0)
  const shared = new Map<string, Json>()
  const middleware = providerHealth(options)
  const told: Json[] = []
  let runs = 0
  const call = async (outcome: ModelOutcome, ms = 100, model = 'a/one'): Promise<void> => {
    const run = testRun({ runId: `run-${runs++}`, clock, shared })
    const through = modelThrough([middleware], async () => {
      await clock.advance(ms)
      return outcome.type === 'generated' ? { ...outcome, model } : outcome
    })
    await through(modelCall({ model }), run)
    told.push(...run.told.map(({ event, data }) => [event, data]))
  }
  return { call, clock, shared, middleware, told, health: middleware.health }
}

const yes = generated('yes')
const down = failed('unavailable')

describe('[C-34] the health of models', () => {
  test('is measured over the last calls of all runs', async () => {
    const { call, health } = watched({ window: 4 })
    for (const ms of [9000, 100, 200, 300]) await call(yes, ms)
    await call(failed('timeout'), 5000)
    assert.deepEqual(health(), {
      'a/one': {
        health: 'healthy',
        calls: 4,
        errorRate: 0.25,
        meanMs: 2400,
        p95Ms: 9000,
        lastAt: 14_600,
        lastFailure: { code: 'timeout', at: 14_600 },
      },
    })
    await call(yes, 400)
    assert.deepEqual([health()['a/one']?.meanMs, health()['a/one']?.p95Ms], [250, 400])
  })

  test('changes with new calls, and emits each change once', async () => {
    const { call, clock, told, health } = watched({ downMs: 10_000 })
    for (let time = 0; time < 4; time++) await call(yes)
    for (let time = 0; time < 4; time++) await call(down)
    assert.equal(health()['a/one']?.health, 'down')
    await clock.advance(10_000)
    assert.equal(health()['a/one']?.health, 'degraded', 'it may be tried again')
    await call(yes)
    assert.equal(health()['a/one']?.health, 'degraded', 'four of nine failed')
    for (let time = 0; time < 20; time++) await call(yes)
    assert.equal(health()['a/one']?.health, 'healthy')
    assert.deepEqual(told, [
      ['change', change('healthy', 'degraded', [5, 0.2])],
      ['change', change('degraded', 'down', [7, 3 / 7])],
      ['change', change('down', 'degraded', [9, 4 / 9])],
      ['change', change('degraded', 'healthy', [20, 3 / 20])],
    ])
  })

  test('is down if all measured calls have failed', async () => {
    const { call, health } = watched({ window: 2, downAfter: 5 })
    for (const outcome of [yes, down]) await call(outcome)
    assert.notEqual(health()['a/one']?.health, 'down')
    await call(down)
    assert.equal(health()['a/one']?.health, 'down')
  })

  test('is degraded if answers are slow', async () => {
    const { call, health } = watched({ degradedMs: 1000 })
    await call(yes, 1000)
    assert.equal(health()['a/one']?.health, 'healthy')
    await call(yes, 1001)
    assert.equal(health()['a/one']?.health, 'degraded')
  })

  test('ignores failures that do not concern the provider', async () => {
    const { call, health } = watched()
    await call({ type: 'refused', by: 'budget', limit: 'money', message: 'no' })
    for (const code of ['aborted', 'invalid-request', 'content-filter', 'context-length'] as const)
      await call(failed(code))
    await call(failed('unavailable', { attempts: 0 }))
    assert.deepEqual(health(), {})
    await call(failed('auth', { attempts: 0 }))
    assert.equal(health()['a/one']?.errorRate, 1)
  })

  test('is measured per provider if configured', async () => {
    const { call, health } = watched({ by: 'provider' })
    await call(yes, 100, 'a/one')
    await call(yes, 100, 'a/two')
    await call(down, 100, 'b/one')
    assert.deepEqual(
      Object.entries(health()).map(([name, { calls }]) => [name, calls]),
      [
        ['a', 2],
        ['b', 1],
      ],
    )
  })

  test('stays within the state size for any number of models', async () => {
    const { call, shared, health } = watched({ window: 32 })
    for (let n = 0; n < 12; n++) {
      const model = `p-${n}/${'m'.repeat(58)}`.slice(0, 64)
      for (let time = 0; time < 32; time++) await call(yes, 1e9, model)
      await call(failed('invalid-request'), 0, model)
      await call(failed('unavailable'), 0, model)
    }
    const stored = shared.get('echelon/providerHealth')
    assert.ok(Buffer.byteLength(JSON.stringify(stored)) <= MOST_STATE_BYTES)
    assert.equal(Object.keys(health()).length, 8)
  })

  test('has the failure rate and percentile of the last calls', () => {
    const samples = fc.array(
      fc.record({ isAnswer: fc.boolean(), ms: fc.integer({ min: 0, max: 100_000 }) }),
      { minLength: 1, maxLength: 60 },
    )
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 32 }), (all, window) => {
        const calls = all.reduce(
          (before, { isAnswer, ms }, at) =>
            withSample(before, { code: isAnswer ? undefined : 'timeout', ms, at }, window),
          NO_CALLS,
        )
        const last = all.slice(-window)
        assert.equal(
          errorRate(calls),
          last.filter(({ isAnswer }) => !isAnswer).length / last.length,
        )
        const row = last.toReversed().findIndex(({ isAnswer }) => isAnswer)
        assert.equal(failuresInARow(calls), row === -1 ? last.length : row)
        const answers = all.filter(({ isAnswer }) => isAnswer).slice(-window)
        const p95 = p95Ms(calls)
        if (p95 === null) assert.equal(answers.length, 0)
        else {
          const atMost = answers.filter(({ ms }) => ms <= p95).length
          assert.ok(atMost >= answers.length * 0.95)
          assert.ok(answers.some(({ ms }) => ms === p95))
        }
      }),
    )
  })

  test('rejects invalid options and states of another shape', () => {
    for (const options of [{ window: 0 }, { window: 33 }, { downAfter: 0 }, { degradedErrors: -1 }])
      assert.throws(() => providerHealth(options), { code: 'INVALID_CONFIG' })
    const { slot } = providerHealth()
    assert.equal(slot?.scope, 'shared')
    assert.ok(slot?.refusal({ models: { a: { outcomes: '+', ms: ['1'], at: 1, failure: null } } }))
    assert.deepEqual(providerHealth().health(), {})
  })
})

function change(from: string, to: string, [calls, rate]: readonly [number, number]): Json {
  return { of: 'a/one', from, to, calls, errorRate: rate, p95Ms: 100 }
}
