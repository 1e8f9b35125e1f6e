import { dollars, type GateVerdict, most, percent, seconds } from './gate-verdict.ts'
import type { Gates } from './gate-settings.ts'
import type { CaseMetrics, Metrics } from './metrics.ts'

/**
 * What got worse since an earlier evaluation. Only cases that both hold are compared, so that a
 * data set may grow; latency only on the same machine, and cost only where both are known.
 */
export function regressions(now: Metrics, before: Metrics, gates: Gates): readonly GateVerdict[] {
  const pairs = pairsOf(now, before)
  if (pairs.length === 0) return [NOTHING_TO_COMPARE]
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
    return then === undefined ? [] : [{ now: each, before: then }]
  })
}

const NOTHING_TO_COMPARE: GateVerdict = {
  gate: 'max_success_drop',
  figure: null,
  threshold: 0,
  passed: false,
  message: 'the earlier metrics hold none of these cases; compare with those of the same data set',
}

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
  const isSameMachine = JSON.stringify(now.machine) === JSON.stringify(before.machine)
  if (after === null || then === null || then === 0 || !isSameMachine) return []
  // Nobody feels it, and machines vary by as much.
  if (after - then < LEAST_SECONDS) return []
  const what = `p95 latency of easy cases ${seconds(after)}, as a multiple of the earlier ${seconds(then)},`
  return [most('max_latency_ratio', after / then, gates.max_latency_ratio, { what, show: times })]
}

function costRegression(pairs: readonly Pair[], gates: Gates): readonly GateVerdict[] {
  const [after, then] = [costOf(pairs.map((p) => p.now)), costOf(pairs.map((p) => p.before))]
  // What cost nothing before is a change of models rather than a regression.
  if (after === null || then === null || then === 0) return []
  const what = `mean cost ${dollars(after)} of the cases of both, as a multiple of the earlier ${dollars(then)},`
  return [most('max_cost_ratio', after / then, gates.max_cost_ratio, { what, show: times })]
}

/** Mean cost of a run; null when one is unknown. */
function costOf(cases: readonly CaseMetrics[]): number | null {
  const costs = cases.flatMap(({ runs }) => runs.map(({ cost }) => cost))
  const known = costs.flatMap((cost) => (cost === null ? [] : [cost]))
  return known.length === costs.length ? meanOf(known, (cost) => cost) : null
}

const times = (ratio: number): string => `${Number(ratio.toFixed(2))}×`
