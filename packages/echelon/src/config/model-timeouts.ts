import { DEFAULT_MODEL_TIMEOUTS, type ModelTimeouts } from '../core/model/model-timeouts.ts'
import { type ConfigTable, tableOf } from '../core/setting/config-table.ts'
import { orNull, real, setting, type SettingTable } from '../core/setting/setting.ts'

/** As a file has it; null is no limit. */
export interface TimeoutSettings {
  readonly answer_seconds: number | null
  readonly pause_seconds: number | null
}

/** Nothing shorter can be meant, and nobody waits for longer than a day. */
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

/** As agents take them. */
const modelTimeoutsFrom = ({
  answer_seconds: answer,
  pause_seconds: pause,
}: TimeoutSettings): ModelTimeouts => ({
  answerMs: 1000 * (answer ?? Infinity),
  pauseMs: 1000 * (pause ?? Infinity),
})

/** What a configuration says to chat agents. */
export interface TimeoutConfig {
  /** How long models of chat agents may be silent: for `modelTimeouts` of `createAgent`. */
  readonly modelTimeouts: ModelTimeouts
}

export const timeoutConfig: ConfigTable<TimeoutConfig> = tableOf(
  MODEL_TIMEOUTS,
  ({ model_timeouts }) => ({ modelTimeouts: modelTimeoutsFrom(model_timeouts) }),
)
