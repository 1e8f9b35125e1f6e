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
    ...rates(metrics, gates),
    wrongAccepts(metrics, gates),
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

/** Without the known answers less can be verified, and more is promoted: other thresholds hold. */
function rates(metrics: Metrics, gates: Gates): readonly GateVerdict[] {
  const { success_rate: success, escalation_rate: escalation } = metrics
  const [lowest, highest] =
    metrics.gold === 'given'
      ? (['min_success_rate', 'max_escalation_rate'] as const)
      : (['min_success_rate_without_gold', 'max_escalation_rate_without_gold'] as const)
  const where = metrics.gold === 'given' ? '' : ' without the known answers'
  return [
    least(lowest, success.value, gates[lowest], { what: `success rate${where}`, show: percent }),
    most(highest, escalation.value, gates[highest], {
      what: `escalation rate${where}`,
      show: percent,
    }),
  ]
}

/** Where nothing was verified, nothing was verified wrongly. */
function wrongAccepts({ wrong_accept_rate: { value, n } }: Metrics, gates: Gates): GateVerdict {
  const [gate, threshold] = ['max_wrong_accept_rate', gates.max_wrong_accept_rate]
  if (n === 0) {
    return {
      gate,
      figure: null,
      threshold,
      passed: true,
      message: 'nothing was verified, so nothing wrongly',
    }
  }
  return most(gate, value, threshold, { what: 'wrong share of the verified', show: percent })
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
  model: 'no model could be asked',
} as const

function completeness({ runs: { planned, made }, stopped_by: by }: Metrics): GateVerdict {
  const passed = by === null
  const message = passed
    ? `all ${planned} runs were made`
    : `the evaluation ended after ${made} of ${planned} runs: ${WHY[by]}`
  return { gate: 'complete', figure: made, threshold: planned, passed, message }
}
