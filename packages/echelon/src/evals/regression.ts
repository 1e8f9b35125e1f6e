import type { Difference } from '../core/statistics/difference.ts'
import {
  type CasePair,
  costOf,
  differenceOf,
  escalationOf,
  meanOf,
  p95Of,
  pairsOf,
  ratioInterval,
  successOf,
  sumOf,
} from './comparison.ts'
import {
  dollars,
  type GateFigure,
  type GateVerdict,
  most,
  open,
  percent,
  seconds,
} from './gate-verdict.ts'
import type { Gates } from './gate-settings.ts'
import type { Metrics } from './metrics.ts'

/**
 * Finds regressions against an earlier evaluation. Compares only cases that both contain, so that a
 * data set may grow; latency only on the same machine, and cost only if both are known.
 */
export function regressions(now: Metrics, before: Metrics, gates: Gates): readonly GateVerdict[] {
  const other = mismatch(now, before)
  if (other !== null) return [incomparable(other)]
  const pairs = pairsOf(now, before)
  if (pairs.length === 0) return [incomparable('it holds none of these cases')]
  const ordinary = pairs.filter((pair) => pair.now.expect === 'answered')
  const success = most(
    'max_success_drop',
    dropOf(differenceOf(pairs, successOf), pairs.length),
    gates.max_success_drop,
    { what: `drop of the success rate on the ${pairs.length} shared cases`, show: percent },
  )
  return [
    { ...success, message: `${success.message}${newlyWrong(pairs)}` },
    ...(ordinary.length === 0
      ? []
      : [
          most(
            'max_escalation_rise',
            riseOf(differenceOf(ordinary, escalationOf), ordinary.length),
            gates.max_escalation_rise,
            { what: 'rise of the escalation rate on the shared cases', show: percent },
          ),
        ]),
    ...latencyRegression(now, before, { gates, pairs }),
    ...costRegression(pairs, gates),
  ]
}

/** A difference as a figure, whose interval narrows with the root of the cases. */
function riseOf({ value, low, high }: Difference, n: number): GateFigure {
  if (value === null || low === null || high === null) return { value, low, high, n }
  const at = (end: number, more: number): number => value + (end - value) * Math.sqrt(n / more)
  return {
    value,
    low,
    high,
    n,
    withCases: (more) => ({ low: at(low, more), high: at(high, more) }),
  }
}

const dropOf = ({ value, low, high }: Difference, n: number): GateFigure =>
  riseOf({ value: negated(value), low: negated(high), high: negated(low) }, n)

/** Not -0, which would be printed. */
const negated = (value: number | null): number | null => (value === null ? null : 0 - value)

/** Why two evaluations are not comparable, or null. Models may differ, which is often the point. */
function mismatch(now: Metrics, before: Metrics): string | null {
  if (before.stopped_by !== null) return 'it was not complete'
  if (before.mode !== now.mode) return `it ran in ${before.mode}, and this one in ${now.mode}`
  if (before.gold !== now.gold) return `its known answers were ${before.gold}`
  return null
}

const incomparable = (why: string): GateVerdict =>
  open({
    gate: 'max_success_drop',
    threshold: 0,
    passed: false,
    message: `the earlier evaluation cannot be compared: ${why}`,
  })

/** States what was not compared, so that its absence is not read as a good result. */
const notCompared = (gate: string, threshold: number, why: string): GateVerdict =>
  open({ gate, threshold, passed: true, message: `not compared: ${why}` })

/** Lists at most this many cases, and the number of further ones. */
const MOST_NAMED = 10

function newlyWrong(pairs: readonly CasePair[]): string {
  const ids = pairs
    .filter((pair) => pair.before.success && !pair.now.success)
    .map((pair) => pair.now.id)
  if (ids.length === 0) return ''
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : ''
  return `; newly wrong: ${ids.slice(0, MOST_NAMED).join(', ')}${more}`
}

/** The minimum increase of a p95 in seconds that counts. */
const LEAST_SECONDS = 0.1

interface Regressed {
  readonly gates: Gates
  readonly pairs: readonly CasePair[]
}

function latencyRegression(
  now: Metrics,
  before: Metrics,
  { gates, pairs }: Regressed,
): readonly GateVerdict[] {
  const [after, then] = [now.latency.easy_p95.value, before.latency.easy_p95.value]
  const { max_latency_ratio: limit } = gates
  if (after === null || then === null || then === 0) return []
  const isSameMachine = JSON.stringify(now.machine) === JSON.stringify(before.machine)
  const skipped = (why: string): readonly GateVerdict[] => [
    notCompared('max_latency_ratio', limit, why),
  ]
  if (!isSameMachine) return skipped('the earlier latency is that of another machine or Node')
  // Smaller differences are not noticeable and within normal variation.
  if (after - then < LEAST_SECONDS) return skipped('the p95 is not longer by a tenth of a second')
  const what = `p95 latency of easy cases, ${seconds(after)} now and ${seconds(then)} before`
  const measured = pairs.flatMap((pair) => {
    const [now, before] = [pair.now.latency_seconds, pair.before.latency_seconds]
    return now === null || before === null ? [] : [{ now, before }]
  })
  const interval = ratioInterval(measured, p95Of)
  const figure = { value: after / then, ...interval, n: measured.length }
  return [most('max_latency_ratio', figure, limit, { what, show: times })]
}

function costRegression(pairs: readonly CasePair[], gates: Gates): readonly GateVerdict[] {
  const { max_cost_ratio: threshold } = gates
  const [after, then] = [costsOf(pairs, 'now'), costsOf(pairs, 'before')]
  const n = pairs.length
  const what = 'mean cost of the shared cases'
  if (then === null)
    return [notCompared('max_cost_ratio', threshold, 'the earlier cost is unknown')]
  if (after === null) {
    const unknown = { value: null, low: null, high: null, n }
    return [most('max_cost_ratio', unknown, threshold, { what, show: times })]
  }
  const [paid, paidThen] = [meanOf(after, Number), meanOf(then, Number)]
  if (paidThen === 0) {
    // A ratio to a cost of zero is undefined. Starting to pay means that the models changed.
    return [
      notCompared(
        'max_cost_ratio',
        threshold,
        `nothing was paid earlier, and ${dollars(paid)} a case now`,
      ),
    ]
  }
  const ratio = {
    what: `${what}, ${dollars(paid)} now and ${dollars(paidThen)} before`,
    show: times,
  }
  const both = after.map((now, at) => ({ now, before: then[at] ?? 0 }))
  const figure = { value: paid / paidThen, ...ratioInterval(both, sumOf), n }
  return [most('max_cost_ratio', figure, threshold, ratio)]
}

/** Mean cost of a run; null if any cost is unknown. */
function costsOf(pairs: readonly CasePair[], side: 'now' | 'before'): readonly number[] | null {
  const known = pairs.flatMap((pair) => costOf(pair[side]) ?? [])
  return known.length === pairs.length ? known : null
}

const times = (ratio: number): string => `${Number(ratio.toFixed(2))}×`
