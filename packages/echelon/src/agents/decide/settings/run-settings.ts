import { type Mode, MODES } from './settings.ts'
import {
  oneOf,
  orNull,
  setting,
  type SettingTable,
  text,
  whole,
} from '../../../core/setting/setting.ts'

/** Defaults for a run. */
export interface RunSettings {
  readonly mode: Mode
  readonly seed: number | null
  readonly artifacts: string
}

export const RUN: SettingTable<{ readonly run: RunSettings }> = {
  run: {
    mode: setting(
      oneOf(MODES),
      'hrm_small_then_escalate',
      'How long the small model is tried: the full loop, or one round (fallback_only)',
    ),
    seed: setting(
      orNull(whole()),
      null,
      'Seed for models that support one, so that a run can be repeated; null: none',
    ),
    artifacts: setting(text(), 'artifacts', 'Folder for files made by tools'),
  },
}
