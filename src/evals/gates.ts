import { dollars, type GateVerdict, least, most, percent, seconds } from './gate-verdict.ts'
import type { Gates } from './gate-settings.ts'
import type { Metrics } from './metrics.ts'
import { regressions } from './regression.ts'

/**
 * Every gate that applies, in a fixed order: passed and failed ones.
 * @param before an earlier evaluation; with one, regressions are gates too
 */
export function checkGates(
  metrics: Metrics,
  gates: Gates,
  before?: Metrics,
): readonly GateVerdict[] {
  return [
    completeness(metrics),
    least('min_success_rate', metrics.success_rate.value, gates.min_success_rate, {
      what: 'success rate',
      show: percent,
    }),
    most('max_escalation_rate', metrics.escalation_rate.value, gates.max_escalation_rate, {
      what: 'escalation rate',
      show: percent,
    }),
    most(
      'max_plan_schema_error_rate',
      metrics.plan_schema_error_rate.value,
      gates.max_plan_schema_error_rate,
      { what: 'plan schema error rate', show: percent },
    ),
    ...latency(metrics, gates),
    ...(gates.max_mean_cost_usd === null
      ? []
      : [
          most('max_mean_cost_usd', metrics.cost.mean_per_case.value, gates.max_mean_cost_usd, {
            what: 'mean cost of a case',
            show: dollars,
          }),
        ]),
    ...(before === undefined ? [] : regressions(metrics, before, gates)),
  ]
}

/** A data set without easy cases has no such latency; one whose easy cases were not reached fails. */
function latency({ latency: { easy_p95 }, cases }: Metrics, gates: Gates): readonly GateVerdict[] {
  const [gate, threshold] = ['max_p95_latency_seconds', gates.max_p95_latency_seconds]
  if (cases.length > 0 && cases.every(({ easy }) => !easy)) {
    const message = 'no case is easy (one expected tool, or "easy": true), so no p95 was measured'
    return [{ gate, figure: null, threshold, passed: true, message }]
  }
  const what = 'p95 latency of easy cases in fallback_only'
  return [most(gate, easy_p95.value, threshold, { what, show: seconds })]
}

const WHY = {
  interrupt: 'it was interrupted',
  cost: 'it had cost what it may',
  'unknown cost': 'the cost of a run is unknown, and there is a limit to it',
} as const

function completeness({ runs: { planned, made }, stopped_by: by }: Metrics): GateVerdict {
  const passed = by === null
  const message = passed
    ? `all ${planned} runs were made`
    : `the evaluation ended after ${made} of ${planned} runs: ${WHY[by]}`
  return { gate: 'complete', figure: made, threshold: planned, passed, message }
}
