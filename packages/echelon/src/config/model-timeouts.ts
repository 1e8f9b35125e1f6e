import { DEFAULT_MODEL_TIMEOUTS, type ModelTimeouts } from '../core/model/model-timeouts.ts'
import { type ConfigTable, tableOf } from '../core/setting/config-table.ts'
import { orNull, real, setting, type SettingTable } from '../core/setting/setting.ts'

/** Timeouts in a file, in seconds; null means no limit. */
export interface TimeoutSettings {
  readonly answer_seconds: number | null
  readonly pause_seconds: number | null
}

/** Shorter values must be mistakes, and a day is enough for anyone. */
const SECONDS = orNull(real(0.001, 86_400))

const MODEL_TIMEOUTS: SettingTable<{ readonly model_timeouts: TimeoutSettings }> = {
  model_timeouts: {
    answer_seconds: setting(
      SECONDS,
      DEFAULT_MODEL_TIMEOUTS.answerMs / 1000,
      'Seconds to wait for an answer in chat, or for its first part when streamed; null: no limit',
    ),
    pause_seconds: setting(
      SECONDS,
      DEFAULT_MODEL_TIMEOUTS.pauseMs / 1000,
      'Maximum seconds between two parts of a streamed answer; null: no limit',
    ),
  },
}

/** Converts to the form that agents accept. */
const modelTimeoutsFrom = ({
  answer_seconds: answer,
  pause_seconds: pause,
}: TimeoutSettings): ModelTimeouts => ({
  answerMs: 1000 * (answer ?? Infinity),
  pauseMs: 1000 * (pause ?? Infinity),
})

/** The configuration's timeouts for chat agents. */
export interface TimeoutConfig {
  /** Silence limits for models of chat agents: pass as `modelTimeouts` to `createAgent`. */
  readonly modelTimeouts: ModelTimeouts
}

export const timeoutConfig: ConfigTable<TimeoutConfig> = tableOf(
  MODEL_TIMEOUTS,
  ({ model_timeouts }) => ({ modelTimeouts: modelTimeoutsFrom(model_timeouts) }),
)
