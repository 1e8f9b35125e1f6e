import { type ConfigTable, tableOf } from '../core/setting/config-table.ts'
import { orNull, real, setting, type SettingTable, text, yesOrNo } from '../core/setting/setting.ts'

/** Which records of runs are kept, and where. */
export interface RecordSettings {
  readonly enable_token_cost: boolean
  readonly records_folder: string | null
  readonly cost_alert_usd: number | null
  readonly store_file: string | null
}

const RECORDS: SettingTable<{ readonly telemetry: RecordSettings }> = {
  telemetry: {
    enable_token_cost: setting(yesOrNo, true, 'Whether records of tokens and cost are written'),
    records_folder: setting(orNull(text()), '.echelon', 'Folder for records; null: no records'),
    cost_alert_usd: setting(
      orNull(real(0)),
      null,
      'Warn when one day costs more than this many US dollars; null: never',
    ),
    store_file: setting(
      orNull(text()),
      '.echelon/echelon.db',
      'File where the command stores runs and conversations, with their full text; null: none',
    ),
  },
}

/** The configuration of record keeping. */
export interface RecordConfig {
  /** Which usage records are kept. */
  readonly records: RecordSettings
}

export const recordConfig: ConfigTable<RecordConfig> = tableOf(RECORDS, ({ telemetry }) => ({
  records: telemetry,
}))
