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
    most('max_p95_latency_seconds', metrics.latency.easy_p95.value, gates.max_p95_latency_seconds, {
      what: 'p95 latency of easy cases in fallback_only',
      show: seconds,
    }),
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

function completeness({ complete, cases, dataset }: Metrics): GateVerdict {
  return {
    gate: 'complete',
    figure: cases.length,
    threshold: dataset.cases,
    passed: complete,
    message: complete
      ? `all ${dataset.cases} cases were run`
      : `the evaluation was interrupted after ${cases.length} of ${dataset.cases} cases`,
  }
}
