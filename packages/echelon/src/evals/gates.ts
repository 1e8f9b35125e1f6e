import { type Estimate, share } from '../core/statistics/intervals.ts'
import {
  dollars,
  fact,
  type GateFigure,
  type GateVerdict,
  least,
  most,
  open,
  percent,
  seconds,
} from './gate-verdict.ts'
import type { Gates } from './gate-settings.ts'
import type { Metrics } from './metrics.ts'
import { regressions } from './regression.ts'

/**
 * All gates that apply, in a fixed order, passed and failed.
 * @param before an earlier evaluation; if given, regressions are gates too
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
      shareFigure(metrics.plan_schema_error_rate),
      gates.max_plan_schema_error_rate,
      { what: 'plan schema error rate', show: percent },
    ),
    ...latency(metrics, gates),
    ...(gates.max_mean_cost_usd === null
      ? []
      : [
          most(
            'max_mean_cost_usd',
            meanFigure(metrics.cost.mean_per_case),
            gates.max_mean_cost_usd,
            {
              what: 'mean cost of a case',
              show: dollars,
            },
          ),
        ]),
    ...(before === undefined ? [] : regressions(metrics, before, gates)),
  ]
}

/**
 * Without the known answers less can be verified and more is escalated, so other thresholds apply.
 */
function rates(metrics: Metrics, gates: Gates): readonly GateVerdict[] {
  const { success_rate: success, escalation_rate: escalation } = metrics
  const [lowest, highest] =
    metrics.gold === 'given'
      ? (['min_success_rate', 'max_escalation_rate'] as const)
      : (['min_success_rate_without_gold', 'max_escalation_rate_without_gold'] as const)
  const where = metrics.gold === 'given' ? '' : ' without the known answers'
  return [
    least(lowest, shareFigure(success), gates[lowest], {
      what: `success rate${where}`,
      show: percent,
    }),
    most(highest, shareFigure(escalation), gates[highest], {
      what: `escalation rate${where}`,
      show: percent,
    }),
  ]
}

/** A share whose interval is Wilson's. */
const shareFigure = (estimate: Estimate): GateFigure => ({
  ...estimate,
  withCases: (n) => share(estimate.value ?? 0, n),
})

/** A mean whose interval narrows with the root of the cases. */
function meanFigure(estimate: Estimate): GateFigure {
  const { value, low, high, n } = estimate
  if (value === null || low === null || high === null) return estimate
  const half = (more: number): number => (high - value) * Math.sqrt(n / more)
  return {
    ...estimate,
    withCases: (more) => ({ low: value - half(more), high: value + half(more) }),
  }
}

/** Judges the rate of wrong accepts. A run without verified answers passes. */
function wrongAccepts({ wrong_accept_rate: rate }: Metrics, gates: Gates): GateVerdict {
  const [gate, threshold] = ['max_wrong_accept_rate', gates.max_wrong_accept_rate]
  if (rate.n === 0) {
    const message = 'nothing was verified, so nothing was wrong'
    return open({ gate, threshold, passed: true, message })
  }
  return most(gate, shareFigure(rate), threshold, {
    what: 'verified answers that were wrong',
    show: percent,
  })
}

/**
 * A data set without easy cases has no such latency; one whose easy cases were not reached fails.
 */
function latency({ latency: { easy_p95 }, cases }: Metrics, gates: Gates): readonly GateVerdict[] {
  const [gate, threshold] = ['max_p95_latency_seconds', gates.max_p95_latency_seconds]
  if (cases.length > 0 && cases.every(({ easy }) => !easy)) {
    const message = 'no case is easy (one expected tool, or "easy": true), so no p95 was measured'
    return [open({ gate, threshold, passed: true, message })]
  }
  const what = 'p95 latency of easy cases in fallback_only'
  return [most(gate, easy_p95, threshold, { what, show: seconds })]
}

const WHY = {
  interrupt: 'it was interrupted',
  cost: 'it reached its cost limit',
  'unknown cost': 'the cost of a run is unknown, and there is a cost limit',
  model: 'no model could be asked',
} as const

function completeness({ runs: { planned, made }, stopped_by: by }: Metrics): GateVerdict {
  const passed = by === null
  const message = passed
    ? `all ${planned} runs were made`
    : `the evaluation ended after ${made} of ${planned} runs: ${WHY[by]}`
  return fact({ gate: 'complete', figure: made, threshold: planned, passed, message })
}
