import { dollars, type GateVerdict, least, most, percent, seconds } from './gate-verdict.ts'
import type { Metrics } from './metrics.ts'
import { regressions } from './regression.ts'

/** Thresholds of an evaluation, named as in a configuration file. Rates are shares of 1. */
export interface Gates {
  readonly min_success_rate: number
  readonly max_escalation_rate: number
  readonly max_plan_schema_error_rate: number
  /** Of easy single-tool cases in `fallback_only`. */
  readonly max_p95_latency_seconds: number
  /** US dollars; null sets no limit. */
  readonly max_mean_cost_usd: number | null
  /** How much lower than before the share of right runs may be. */
  readonly max_success_drop: number
  readonly max_escalation_rise: number
  /** How many times as long as before the p95 may be; compared on the same machine only. */
  readonly max_latency_ratio: number
  readonly max_cost_ratio: number
}

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
