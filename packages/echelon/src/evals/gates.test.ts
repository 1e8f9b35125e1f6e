import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { compareRuns } from './comparison.ts'
import { gateConfig, type Gates } from './gate-settings.ts'
import { checkGates } from './gates.ts'
import type { Metrics } from './metrics.ts'
import { evaluation, mixed, once } from './trial.ts'

const { gates: DEFAULT_GATES } = gateConfig.read([], [])

const failed = (metrics: Metrics, gates: Partial<Gates> = {}, before?: Metrics): string[] =>
  checkGates(metrics, { ...DEFAULT_GATES, ...gates }, before)
    .filter(({ passed }) => !passed)
    .map(({ gate }) => gate)

const wrong = { success: false, finish_reason: 'big_fail' } as const

test('[R26.1, R12.1, R12.2, R12.4] applies the documented thresholds on both sides', () => {
  assert.deepEqual(failed(evaluation(mixed(100, 5, wrong))), [], '95 % is enough')
  assert.deepEqual(failed(evaluation(mixed(100, 6, wrong))), ['min_success_rate'])
  assert.deepEqual(failed(evaluation(mixed(100, 15, { escalated: true }))), [])
  assert.deepEqual(failed(evaluation(mixed(100, 16, { escalated: true }))), ['max_escalation_rate'])
  assert.deepEqual(failed(evaluation(mixed(100, 2, { plan_schema_errors: 1 }))), [])
  assert.deepEqual(failed(evaluation(mixed(100, 3, { plan_schema_errors: 1 }))), [
    'max_plan_schema_error_rate',
  ])
  assert.deepEqual(failed(evaluation(mixed(100, 5, { seconds: 9 }))), [], 'the p95 is the 95th')
  assert.deepEqual(failed(evaluation(mixed(100, 6, { seconds: 2.01 }))), [
    'max_p95_latency_seconds',
  ])
  assert.deepEqual(failed(evaluation(mixed(100, 6, { seconds: 2 }))), [])
})

test('[R12.3] limits the mean cost of a case only if configured', () => {
  const cheap = evaluation(mixed(10, 10, { cost: 0.002 }))
  assert.deepEqual(failed(cheap), [])
  assert.deepEqual(failed(cheap, { max_mean_cost_usd: 0.002 }), [])
  assert.deepEqual(failed(cheap, { max_mean_cost_usd: 0.0019 }), ['max_mean_cost_usd'])
  const unknown = evaluation(mixed(10, 1, { cost: null }))
  assert.deepEqual(failed(unknown, { max_mean_cost_usd: 100 }), ['max_mean_cost_usd'])
})

test('[DD-24, R26.3, R16.3] names gate, figure and threshold of a failure', () => {
  const messages = checkGates(evaluation(mixed(100, 20, { ...wrong, escalated: true })), {
    ...DEFAULT_GATES,
    max_p95_latency_seconds: 0.25,
    max_mean_cost_usd: 0.0004,
  })
    .filter(({ passed }) => !passed)
    .map(({ message }) => message)
  assert.deepEqual(messages, [
    'success rate: 80 %, at least 95 % required',
    'escalation rate: 20 %, at most 15 % allowed',
    'p95 latency of easy cases in fallback_only: 0.5 s, at most 0.25 s allowed',
    'mean cost of a case: $0.001, at most $0.0004 allowed',
  ])
})

test('[DD-24] fails on one wrong verified answer, with or without the known answers', () => {
  const accepted = { success: true, wrong_accept: true }
  for (const gold of ['given', 'withheld'] as const) {
    assert.deepEqual(failed(evaluation(mixed(100, 1, accepted), { gold })), [
      'max_wrong_accept_rate',
    ])
    assert.deepEqual(failed(evaluation(mixed(100, 0, {}), { gold })), [])
  }
  const nothing = evaluation(mixed(10, 10, { outcome: 'no_answer', wrong_accept: false }))
  assert.deepEqual(failed(nothing), [])
  const messages = checkGates(nothing, DEFAULT_GATES).map(({ message }) => message)
  assert.ok(messages.includes('nothing was verified, so nothing was wrong'))
})

test('[DD-24] uses other thresholds for success and escalation without the known answers', () => {
  const withheld = (some: number, given: object): Metrics =>
    evaluation(mixed(100, some, given), { gold: 'withheld' })
  assert.deepEqual(failed(withheld(25, wrong)), [])
  assert.deepEqual(failed(withheld(26, wrong)), ['min_success_rate_without_gold'])
  assert.deepEqual(failed(withheld(30, { escalated: true })), [])
  assert.deepEqual(failed(withheld(31, { escalated: true })), ['max_escalation_rate_without_gold'])
  assert.deepEqual(failed(withheld(26, wrong), { min_success_rate_without_gold: 0.7 }), [])
})

test('a gate says whether the cases show it, and about how many more would', () => {
  const successOf = (total: number, some: number) =>
    checkGates(evaluation(mixed(total, some, wrong)), DEFAULT_GATES).find(
      ({ gate }) => gate === 'min_success_rate',
    )
  const verdictOf = (total: number, some: number): string | undefined =>
    successOf(total, some)?.verdict
  assert.equal(verdictOf(100, 0), 'PASS')
  assert.equal(verdictOf(100, 20), 'FAIL')
  assert.deepEqual([verdictOf(100, 3), verdictOf(100, 8)], ['INCONCLUSIVE', 'INCONCLUSIVE'])
  const few = successOf(20, 0)
  assert.deepEqual([few?.passed, few?.verdict, few?.further], [true, 'INCONCLUSIVE', 53])
  assert.equal(verdictOf(20 + 53, 0), 'PASS')
  assert.equal(verdictOf(20 + 52, 0), 'INCONCLUSIVE')
  assert.equal(successOf(100, 5)?.further, null, 'on the threshold no number of cases shows it')
})

test('no number of cases shows that nothing is ever wrong', () => {
  const rate = checkGates(evaluation(mixed(100, 0, {})), DEFAULT_GATES).find(
    ({ gate }) => gate === 'max_wrong_accept_rate',
  )
  assert.deepEqual([rate?.passed, rate?.verdict, rate?.further], [true, 'INCONCLUSIVE', null])
})

test('what was not measured is inconclusive, and what is a fact is not', () => {
  const notReached = checkGates(evaluation([{ ...once('a'), latencyRuns: [] }]), DEFAULT_GATES)
  const of = (name: string) => notReached.find(({ gate }) => gate === name)
  assert.deepEqual(
    [of('complete')?.verdict, of('max_p95_latency_seconds')?.verdict],
    ['PASS', 'INCONCLUSIVE'],
  )
})

test('a regression is judged by a paired bootstrap', () => {
  const before = evaluation(mixed(100, 0, {}))
  const dropOf = (some: number) =>
    checkGates(evaluation(mixed(100, some, wrong)), DEFAULT_GATES, before).find(
      ({ gate }) => gate === 'max_success_drop',
    )
  assert.deepEqual([dropOf(0)?.verdict, dropOf(0)?.figure], ['PASS', 0])
  assert.equal(dropOf(1)?.verdict, 'INCONCLUSIVE')
  assert.equal(dropOf(20)?.verdict, 'FAIL')
  const compared = compareRuns(evaluation(mixed(100, 20, wrong)), before)
  const { value, low, high } = compared.success
  assert.ok(value !== null && low !== null && high !== null)
  assert.ok(Math.abs(value + 0.2) < 1e-9 && low > -0.3 && high < -0.1)
  assert.deepEqual(compared.cost, { value: 0, low: 0, high: 0, n: 100 })
  const unpriced = compareRuns(evaluation(mixed(100, 1, { cost: null })), before)
  assert.equal(unpriced.cost.value, null)
})

test('a threshold above 1 is legal and fails', () => {
  const [, verdict] = checkGates(evaluation(mixed(10, 0, {})), {
    ...DEFAULT_GATES,
    min_success_rate: 1.01,
  })
  assert.deepEqual(
    [verdict?.gate, verdict?.passed, verdict?.message],
    ['min_success_rate', false, 'success rate: 100 %, at least 101 % required'],
  )
})

test('fails a gate that was not measured, and an interrupted evaluation', () => {
  const notReached = evaluation([{ ...once('a'), latencyRuns: [] }])
  assert.deepEqual(failed(notReached), ['max_p95_latency_seconds'])
  for (const stoppedBy of ['interrupt', 'cost', 'unknown cost', 'model'] as const) {
    assert.deepEqual(failed(evaluation([once('a')], { stoppedBy })), ['complete'])
  }
})

test('skips the latency gate for a data set without easy cases, with a message', () => {
  const { asked, runs } = once('a')
  const hard = evaluation([{ asked: { ...asked, easy: false }, runs, latencyRuns: [] }])
  assert.deepEqual(failed(hard), [])
  const messages = checkGates(hard, DEFAULT_GATES).map(({ message }) => message)
  assert.ok(messages.some((message) => message.startsWith('no case is easy')))
})

test('[R26.5, DD-15] fails if a figure is worse than in an earlier evaluation', () => {
  const before = evaluation(mixed(100, 0, {}))
  const worse = evaluation(mixed(100, 1, wrong))
  assert.deepEqual(failed(before, {}, before), [])
  assert.deepEqual(failed(worse, {}, before), ['max_success_drop'])
  assert.deepEqual(failed(worse, { max_success_drop: 0.01 }, before), [])
  assert.deepEqual(failed(before, {}, worse), [], 'an improvement is not a regression')
  const drop = checkGates(worse, DEFAULT_GATES, before).find(
    ({ gate }) => gate === 'max_success_drop',
  )
  assert.match(
    drop?.message ?? '',
    /on the 100 shared cases: 1 %, at most 0 % allowed; newly wrong: c-0$/,
  )
  assert.deepEqual(failed(evaluation(mixed(100, 2, { escalated: true })), {}, before), [])
  assert.deepEqual(failed(evaluation(mixed(100, 3, { escalated: true })), {}, before), [
    'max_escalation_rise',
  ])
  assert.deepEqual(failed(evaluation(mixed(100, 100, { cost: 0.0012 })), {}, before), [])
  assert.deepEqual(failed(evaluation(mixed(100, 100, { cost: 0.00121 })), {}, before), [
    'max_cost_ratio',
  ])
})

test('[R26.4] compares only comparable evaluations', () => {
  const now = evaluation(mixed(20, 0, {}))
  const drop = ['max_success_drop']
  assert.deepEqual(failed(now, {}, evaluation(mixed(20, 0, {}), { stoppedBy: 'cost' })), drop)
  assert.deepEqual(failed(now, {}, evaluation(mixed(20, 0, {}), { mode: 'fallback_only' })), drop)
  assert.deepEqual(failed(now, {}, evaluation(mixed(20, 0, {}), { gold: 'withheld' })), drop)
  const sameIds = mixed(20, 0, {}).map((each) => ({
    ...each,
    asked: { ...each.asked, input: 'another question' },
  }))
  assert.deepEqual(failed(now, {}, evaluation(sameIds)), drop)
})

test('reports what was not compared, and counts a newly unknown cost as worse', () => {
  const before = evaluation(mixed(20, 0, {}))
  const unknown = evaluation(mixed(20, 1, { cost: null }))
  assert.deepEqual(failed(unknown, {}, before), ['max_cost_ratio'])
  const messages = checkGates(before, DEFAULT_GATES, unknown).map(({ message }) => message)
  assert.ok(messages.includes('not compared: the earlier cost is unknown'))
  assert.ok(messages.includes('not compared: the p95 is not longer by a tenth of a second'))
})

test('compares latency only on the same machine', () => {
  const before = evaluation(mixed(20, 20, { seconds: 0.1 }))
  const slower = mixed(20, 20, { seconds: 0.31 })
  assert.deepEqual(failed(evaluation(slower), {}, before), ['max_latency_ratio'])
  const machine = { cpu: 'another', cores: 2, node: '24' }
  assert.deepEqual(failed(evaluation(slower, { machine }), {}, before), [])
  const quick = evaluation(mixed(20, 20, { seconds: 0.006 }))
  const threeTimes = evaluation(mixed(20, 20, { seconds: 0.02 }))
  assert.deepEqual(failed(threeTimes, {}, quick), [], 'milliseconds are noise')
})

test('compares a grown data set on the shared cases, and a different one not at all', () => {
  const before = evaluation([once('old')])
  const grown = evaluation([once('old'), ...mixed(99, 4, wrong)])
  assert.deepEqual(failed(grown, {}, before), [])
  const other = evaluation(mixed(20, 0, {}))
  assert.deepEqual(failed(other, {}, before), ['max_success_drop'])
})

test('[DD-24] each gate passes exactly when its figure is on the right side', () => {
  const part = fc.integer({ min: 0, max: 40 })
  fc.assert(
    fc.property(part, part, part, fc.double({ min: 0, max: 1.2, noNaN: true }), (a, b, c, at) => {
      const metrics = evaluation([
        ...mixed(40, a, wrong).map((each) => ({
          ...each,
          asked: { ...each.asked, id: `${each.asked.id}-a` },
        })),
        ...mixed(40, b, { escalated: true }),
        ...mixed(40, c, { plan_schema_errors: 1 }).map((each) => ({
          ...each,
          asked: { ...each.asked, id: `${each.asked.id}-c` },
        })),
      ])
      const names = failed(metrics, {
        min_success_rate: at,
        max_escalation_rate: at,
        max_plan_schema_error_rate: at,
      })
      assert.equal(names.includes('min_success_rate'), (120 - a) / 120 < at)
      assert.equal(names.includes('max_escalation_rate'), b / 120 > at)
      assert.equal(names.includes('max_plan_schema_error_rate'), c / 120 > at)
    }),
  )
})
