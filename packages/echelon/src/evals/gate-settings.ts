import { type ConfigTable, tableOf } from '../core/setting/config-table.ts'
import { orNull, real, setting, type SettingTable } from '../core/setting/setting.ts'

/** Thresholds of an evaluation, named as in a configuration file. Rates are shares from 0 to 1. */
export interface Gates {
  readonly min_success_rate: number
  readonly max_escalation_rate: number
  /** These two apply when the known answers are withheld from the runs, as in production. */
  readonly min_success_rate_without_gold: number
  readonly max_escalation_rate_without_gold: number
  /** Share of the verified answers. */
  readonly max_wrong_accept_rate: number
  readonly max_plan_schema_error_rate: number
  /** Of easy single-tool cases in `fallback_only`. */
  readonly max_p95_latency_seconds: number
  /** US dollars; null sets no limit. */
  readonly max_mean_cost_usd: number | null
  /** The maximum drop of the success rate. */
  readonly max_success_drop: number
  readonly max_escalation_rise: number
  /** The maximum ratio of the p95 to the earlier one; compared only on the same machine. */
  readonly max_latency_ratio: number
  readonly max_cost_ratio: number
}

/** The settings of the gates with their documented defaults. */
const GATES: SettingTable<{ readonly ci_gates: Gates }> = {
  ci_gates: {
    min_success_rate: setting(real(0), 0.95, 'Share of cases that must succeed, 0 to 1'),
    max_escalation_rate: setting(
      real(0),
      0.15,
      'Share of answerable cases that may escalate, 0 to 1',
    ),
    min_success_rate_without_gold: setting(
      real(0),
      0.75,
      'Share of cases that must succeed without the known answers (--without-gold), 0 to 1',
    ),
    max_escalation_rate_without_gold: setting(
      real(0),
      0.3,
      'Share of answerable cases that may escalate without them, 0 to 1',
    ),
    max_wrong_accept_rate: setting(
      real(0),
      0,
      'Share of verified answers that may be wrong, 0 to 1',
    ),
    max_plan_schema_error_rate: setting(
      real(0),
      0.02,
      'Share of model answers that may be invalid plans, 0 to 1',
    ),
    max_p95_latency_seconds: setting(
      real(0),
      2.0,
      'P95 latency of easy cases in seconds, in fallback_only',
    ),
    max_mean_cost_usd: setting(
      orNull(real(0)),
      null,
      'Mean US dollars allowed per case; null: no limit',
    ),
    max_success_drop: setting(
      real(0),
      0,
      'How far the success rate may fall below that of --baseline, 0 to 1',
    ),
    max_escalation_rise: setting(
      real(0),
      0.02,
      'How far the escalation rate may rise above that of --baseline, 0 to 1',
    ),
    max_latency_ratio: setting(
      real(0),
      3,
      'Highest allowed ratio to the p95 latency of --baseline, on the same machine',
    ),
    max_cost_ratio: setting(real(0), 1.2, 'Highest allowed ratio to the mean cost of --baseline'),
  },
}

/** The configuration of evaluations. */
export interface GateConfig {
  /** The thresholds of an evaluation. */
  readonly gates: Gates
}

export const gateConfig: ConfigTable<GateConfig> = tableOf(GATES, ({ ci_gates }) => ({
  gates: ci_gates,
}))
