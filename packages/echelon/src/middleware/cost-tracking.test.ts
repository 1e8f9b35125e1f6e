import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Json } from '../core/value/json.ts'
import { MOST_STATE_BYTES } from '../core/state/state.ts'
import { failed, generated, modelCall, testRun } from '../testing/middleware-run.ts'
import { SetClock } from '../testing/set-clock.ts'
import { rowOf } from './reliability/bounded-table.ts'
import { costTracking, type CostAlert, type CostTrackingOptions } from './cost-tracking.ts'
import { modelOf, modelThrough } from './in-tests.ts'
import { retry } from './reliability/retry.ts'

const DAY = 86_400_000

/** Calls, each of a run of its own, in one holder of shared states. */
function tracked(options: CostTrackingOptions) {
  const clock = new SetClock()
  const shared = new Map<string, Json>()
  const middleware = costTracking(options)
  const told: (readonly [string, Json])[] = []
  let runs = 0
  const spend = async (cost: number | null, caller?: string, model = 'test/model') => {
    const run = testRun({ runId: `run-${runs++}`, clock, shared, ...(caller && { caller }) })
    const answers = modelOf(generated('yes', { cost, model }))
    await modelThrough([middleware], answers)(modelCall(), run)
    await new Promise((resolve) => setImmediate(resolve))
    told.push(...run.told.map(({ event, data }) => [event, data] as const))
    const state = middleware.read?.(run)
    assert.ok(state !== undefined)
    return state
  }
  return { spend, clock, shared, told }
}

describe('[C-34] the cost of model calls', () => {
  test('is added up by model and by caller', async () => {
    const { spend } = tracked({ per: 'shared' })
    await spend(0.01, 'ada', 'a/one')
    await spend(0.02, 'ada', 'b/two')
    const { total, models, callers } = await spend(0.03, 'bob', 'a/one')
    assert.deepEqual(total, {
      calls: 3,
      unpriced: 0,
      failed: 0,
      input: 30,
      output: 15,
      money: 0.06,
    })
    assert.deepEqual(
      Object.entries(models).map(([name, { calls, money }]) => [name, calls, money]),
      [
        ['b/two', 1, 0.02],
        ['a/one', 2, 0.04],
      ],
    )
    assert.deepEqual(Object.keys(callers), ['ada', 'bob'])
    assert.equal(callers['ada']?.input, 20)
  })

  test('counts as unpriced, never 0, when unknown, and is reported the first time', async () => {
    const { spend, told } = tracked({ per: 'shared', alertAt: 0.01 })
    await spend(null)
    await spend(Number.NaN)
    const { total } = await spend(0.02)
    assert.deepEqual([total.calls, total.unpriced, total.money], [3, 2, 0.02])
    assert.deepEqual(
      told.map(([event]) => event),
      ['unpriced', 'alert'],
    )
  })

  test('counts failed calls apart and skips calls that were not made', async () => {
    const middleware = costTracking()
    const run = testRun()
    const model = modelOf(
      failed('unavailable'),
      failed('unavailable', { attempts: 0 }),
      { type: 'refused', by: 'budget', limit: 'money', message: 'no' },
      generated('yes'),
    )
    const through = modelThrough([middleware], model)
    for (let time = 0; time < 4; time++) await through(modelCall({ model: 'x/y' }), run)
    const state = middleware.read?.(run)
    assert.deepEqual([state?.total.calls, state?.total.failed], [1, 1])
    assert.deepEqual(Object.keys(state?.models ?? {}), ['x/y', 'test/model'])
  })

  test('is counted for each attempt of a retry', async () => {
    const middleware = costTracking()
    const clock = new SetClock()
    const run = testRun({ clock })
    const model = modelOf(failed('unavailable'), generated('yes'))
    const answer = modelThrough([retry(), middleware], model)(modelCall(), run)
    await clock.advance(0)
    await clock.advance(10_000)
    await answer
    assert.deepEqual(
      [middleware.read?.(run).total.failed, middleware.read?.(run).total.calls],
      [1, 1],
    )
  })

  test('starts at zero each day', async () => {
    const { spend, clock, told } = tracked({ per: 'day', alertAt: 0.02 })
    await spend(0.02)
    await clock.advance(DAY - 1)
    assert.equal((await spend(0.02)).total.money, 0.04)
    await clock.advance(1)
    const { day, total } = await spend(0.02)
    assert.deepEqual([day, total.money], [Date.UTC(2025, 8, 9) / DAY, 0.02])
    assert.equal(told.length, 2)
  })

  test('has rows for the most recent callers, whatever their names', async () => {
    for (const callers of [
      ['3', '2', '1'],
      ['Ada L.', 'Bob M.', 'Cy N.'],
    ]) {
      const { spend } = tracked({ per: 'shared' })
      const [again = '', oldest = ''] = callers
      for (const caller of callers) await spend(0.01, caller)
      for (let n = 10; n < 15; n++) await spend(0.01, `${n}`)
      await spend(0.01, again)
      const { callers: rows } = await spend(0.01, 'new')
      assert.equal(rowOf(rows, again)?.calls, 2)
      assert.equal(rowOf(rows, oldest), undefined)
      assert.equal(rows['(others)']?.calls, 1)
    }
  })

  test('stays within its state size and adds up with any number of models and callers', async () => {
    const { spend, shared } = tracked({ per: 'shared' })
    for (let n = 0; n < 40; n++) {
      await spend(0.1234567890123 + n, `caller-${n}-${'c'.repeat(50)}`, `p-${n}/${'m'.repeat(57)}`)
    }
    const stored = shared.get('echelon/costTracking')
    assert.ok(Buffer.byteLength(JSON.stringify(stored)) <= MOST_STATE_BYTES)
    const state = await spend(1)
    for (const table of [state.models, state.callers]) {
      assert.ok(Object.hasOwn(table, '(others)'))
    }
    const sum = Object.values(state.models).reduce((calls, row) => calls + row.calls, 0)
    assert.equal(sum, 41)
  })
})

describe('[C-34, DD-27] an alert', () => {
  test('comes once, as an event and a callback', async () => {
    const alerts: CostAlert[] = []
    const { spend, told } = tracked({
      alertAt: [0.05, 0.02],
      per: 'shared',
      onAlert: (alert) => void alerts.push(alert),
    })
    for (let time = 0; time < 8; time++) await spend(0.01)
    const expected = { unpriced: 0, per: 'shared', model: 'test/model' }
    assert.deepEqual(alerts, [
      { alertAt: 0.02, money: 0.02, runId: 'run-1', ...expected },
      { alertAt: 0.05, money: 0.05, runId: 'run-4', ...expected },
    ])
    assert.deepEqual(
      told,
      alerts.map(({ alertAt, money }) => ['alert', { alertAt, money, ...expected }]),
    )
  })

  test('comes once for any order of costs, and never early', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(fc.integer({ min: 0, max: 50 })), { maxLength: 30 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 4 }),
        async (cents, amounts) => {
          const { spend, told } = tracked({ alertAt: amounts, per: 'shared' })
          let spent = 0
          const due = new Set(amounts)
          for (const cost of cents) {
            const before = told.length
            await spend(cost)
            spent += cost ?? 0
            const now = [...due].filter((amount) => amount <= spent).sort((a, b) => a - b)
            now.forEach((amount) => due.delete(amount))
            const alerts = told.slice(before).filter(([event]) => event === 'alert')
            assert.equal(alerts.length, now.length)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('comes when the amount is reached exactly', async () => {
    const { spend, told } = tracked({ alertAt: 0.1, per: 'shared' })
    for (let time = 0; time < 9; time++) await spend(0.01)
    assert.equal(told.length, 0)
    await spend(0.01)
    assert.equal(told.length, 1)
  })

  test('comes once for an amount that is listed twice', async () => {
    const { spend, told } = tracked({ alertAt: [0.01, 0.01] })
    await spend(0.01)
    assert.equal(told.length, 1)
  })

  test('comes once when concurrent calls reach the amount', async () => {
    const middleware = costTracking({ alertAt: 0.01 })
    const run = testRun()
    const through = modelThrough([middleware], modelOf(generated('yes')))
    await Promise.all([1, 2, 3].map(() => through(modelCall(), run)))
    assert.equal(run.told.filter(({ event }) => event === 'alert').length, 1)
  })

  test('does not fail the answer when its callback throws', async () => {
    for (const onAlert of [
      () => {
        throw new Error('no mail')
      },
      () => Promise.reject(new Error('no mail')),
    ]) {
      const { spend, told } = tracked({ alertAt: 0.01, onAlert })
      await spend(0.01)
      assert.deepEqual(told.at(-1), ['alert-failed', { message: 'no mail' }])
    }
  })

  test('refuses invalid amounts and states of another shape', () => {
    for (const alertAt of [0, -1, Number.NaN, [1, 0]]) {
      assert.throws(() => costTracking({ alertAt }), { code: 'INVALID_CONFIG' })
    }
    const { slot } = costTracking({ per: 'session' })
    assert.equal(slot?.scope, 'session')
    assert.ok(slot?.refusal({ day: null, alertedAt: 0, total: {}, models: {}, callers: {} }))
  })
})
