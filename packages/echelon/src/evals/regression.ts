import { dollars, type GateVerdict, most, percent, seconds } from './gate-verdict.ts'
import type { Gates } from './gate-settings.ts'
import type { CaseMetrics, Metrics } from './metrics.ts'

/**
 * What got worse since an earlier evaluation. Only cases that both hold are compared, so that a
 * data set may grow; latency only on the same machine, and cost only where both are known.
 */
export function regressions(now: Metrics, before: Metrics, gates: Gates): readonly GateVerdict[] {
  const other = otherKind(now, before)
  if (other !== null) return [incomparable(other)]
  const pairs = pairsOf(now, before)
  if (pairs.length === 0) return [incomparable('it holds none of these cases')]
  const ordinary = pairs.filter((pair) => pair.now.expect === 'answered')
  const success = most(
    'max_success_drop',
    meanOf(pairs, (pair) => successOf(pair.before) - successOf(pair.now)),
    gates.max_success_drop,
    { what: `drop of the success rate on the ${pairs.length} cases of both`, show: percent },
  )
  return [
    { ...success, message: `${success.message}${newlyWrong(pairs)}` },
    ...(ordinary.length === 0
      ? []
      : [
          most(
            'max_escalation_rise',
            meanOf(ordinary, (pair) => escalationOf(pair.now) - escalationOf(pair.before)),
            gates.max_escalation_rise,
            { what: 'rise of the escalation rate on the cases of both', show: percent },
          ),
        ]),
    ...latencyRegression(now, before, gates),
    ...costRegression(pairs, gates),
  ]
}

interface Pair {
  readonly now: CaseMetrics
  readonly before: CaseMetrics
}

function pairsOf(now: Metrics, before: Metrics): readonly Pair[] {
  const earlier = new Map(before.cases.map((each) => [each.id, each]))
  return now.cases.flatMap((each) => {
    const then = earlier.get(each.id)
    return then?.digest === each.digest ? [{ now: each, before: then }] : []
  })
}

/** What makes two evaluations ones of different things. Models may differ: that is often the question. */
function otherKind(now: Metrics, before: Metrics): string | null {
  if (before.stopped_by !== null) return 'it was not complete'
  if (before.mode !== now.mode) return `it ran in ${before.mode}, and this one in ${now.mode}`
  if (before.gold !== now.gold) return `its known answers were ${before.gold}`
  return null
}

const incomparable = (why: string): GateVerdict => ({
  gate: 'max_success_drop',
  figure: null,
  threshold: 0,
  passed: false,
  message: `the earlier evaluation cannot be compared: ${why}`,
})

/** A line that says what was left out, so that nobody takes silence for a good figure. */
const notCompared = (gate: string, threshold: number, why: string): GateVerdict => ({
  gate,
  figure: null,
  threshold,
  passed: true,
  message: `not compared: ${why}`,
})

const meanOf = <Item>(items: readonly Item[], figure: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + figure(item), 0) / items.length

const successOf = ({ runs }: CaseMetrics): number => meanOf(runs, (run) => Number(run.success))
const escalationOf = ({ runs }: CaseMetrics): number => meanOf(runs, (run) => Number(run.escalated))

/** Names that many cases, and says how many more there are. */
const MOST_NAMED = 10

function newlyWrong(pairs: readonly Pair[]): string {
  const ids = pairs
    .filter((pair) => pair.before.success && !pair.now.success)
    .map((pair) => pair.now.id)
  if (ids.length === 0) return ''
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : ''
  return `; newly wrong: ${ids.slice(0, MOST_NAMED).join(', ')}${more}`
}

/** Seconds by which a p95 must be longer to be looked at. */
const LEAST_SECONDS = 0.1

function latencyRegression(now: Metrics, before: Metrics, gates: Gates): readonly GateVerdict[] {
  const [after, then] = [now.latency.easy_p95.value, before.latency.easy_p95.value]
  const { max_latency_ratio: limit } = gates
  if (after === null || then === null || then === 0) return []
  const isSameMachine = JSON.stringify(now.machine) === JSON.stringify(before.machine)
  const skipped = (why: string): readonly GateVerdict[] => [
    notCompared('max_latency_ratio', limit, why),
  ]
  if (!isSameMachine) return skipped('the earlier latency is that of another machine or Node')
  // Nobody feels it, and runs vary by as much.
  if (after - then < LEAST_SECONDS) return skipped('the p95 is not longer by a tenth of a second')
  const what = `p95 latency of easy cases ${seconds(after)}, as a multiple of the earlier ${seconds(then)},`
  return [most('max_latency_ratio', after / then, limit, { what, show: times })]
}

function costRegression(pairs: readonly Pair[], gates: Gates): readonly GateVerdict[] {
  const { max_cost_ratio: threshold } = gates
  const [after, then] = [costOf(pairs.map((p) => p.now)), costOf(pairs.map((p) => p.before))]
  const what = 'mean cost of the cases of both'
  if (then === null)
    return [notCompared('max_cost_ratio', threshold, 'the earlier cost is unknown')]
  if (after === null) return [most('max_cost_ratio', null, threshold, { what, show: times })]
  if (then === 0) {
    // Of nothing there is no multiple; whoever paid nothing and pays now changed models.
    return [
      notCompared(
        'max_cost_ratio',
        threshold,
        `nothing was paid earlier, and ${dollars(after)} a case now`,
      ),
    ]
  }
  const ratio = {
    what: `${what} ${dollars(after)}, as a multiple of the earlier ${dollars(then)},`,
    show: times,
  }
  return [most('max_cost_ratio', after / then, threshold, ratio)]
}

/** Mean cost of a run; null when one is unknown. */
function costOf(cases: readonly CaseMetrics[]): number | null {
  const costs = cases.flatMap(({ runs }) => runs.map(({ cost }) => cost))
  const known = costs.flatMap((cost) => (cost === null ? [] : [cost]))
  return known.length === costs.length ? meanOf(known, (cost) => cost) : null
}

const times = (ratio: number): string => `${Number(ratio.toFixed(2))}×`
