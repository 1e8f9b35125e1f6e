import { orNull, real, setting, type SettingTable } from '../core/setting.ts'

/** What an evaluation must reach. A rate above 1 is a legal threshold, which nothing reaches. */
export interface Gates {
  readonly min_success_rate: number
  readonly max_escalation_rate: number
  readonly max_plan_schema_error_rate: number
  readonly max_p95_latency_seconds: number
  readonly max_mean_cost_usd: number | null
  readonly max_success_drop: number
  readonly max_escalation_rise: number
  readonly max_latency_ratio: number
  readonly max_cost_ratio: number
}

export const GATES: SettingTable<{ readonly ci_gates: Gates }> = {
  ci_gates: {
    min_success_rate: setting(real(0), 0.95, 'Share of cases that must succeed, 0 to 1'),
    max_escalation_rate: setting(real(0), 0.15, 'Share of cases that may be promoted, 0 to 1'),
    max_plan_schema_error_rate: setting(
      real(0),
      0.02,
      'Share of plans that may break the plan schema, 0 to 1',
    ),
    max_p95_latency_seconds: setting(
      real(0),
      2.0,
      'Seconds within which 95 of 100 simple cases must end',
    ),
    max_mean_cost_usd: setting(
      orNull(real(0)),
      null,
      'US dollars that a case may cost on average; null: no limit',
    ),
    max_success_drop: setting(
      real(0),
      0,
      'How far the success rate may fall below the last one, 0 to 1',
    ),
    max_escalation_rise: setting(
      real(0),
      0.02,
      'How far the escalation rate may rise above the last one, 0 to 1',
    ),
    max_latency_ratio: setting(real(0), 3, 'How many times the last latency is still right'),
    max_cost_ratio: setting(real(0), 1.2, 'How many times the last cost is still right'),
  },
}
