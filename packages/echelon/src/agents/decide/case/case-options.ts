import type { Listener } from '../../../core/agent/event.ts'
import type { Json } from '../../../core/value/json.ts'
import type { Suspend } from '../../../runtime/waits.ts'
import type { LogEntry } from './log.ts'
import type { Mode, Unchecked } from '../settings/settings.ts'

/** What can be said about one case. */
export interface CaseOptions {
  /** Default `hrm_small_then_escalate`. */
  readonly mode?: Mode
  /** Tools without whose results an answer does not count. */
  readonly expectedTools?: readonly string[]
  /** The right answer, if known: then it is what verifies. */
  readonly goldAnswer?: string | null
  /** Aborting it cancels the case. */
  readonly signal?: AbortSignal
  /**
   * The same key gives the same result and no second execution: in all processes that share the
   * decider's store, else in this one. Another input under it is refused with KEY_REUSED.
   */
  readonly idempotencyKey?: string
  /** Handed to providers, and drives jitter. */
  readonly seed?: number
  /** ISO date that counts as today; default: the day in the zone. */
  readonly today?: string
  /**
   * What happens when nothing can check an answer to the question: `answer` returns the small model's
   * as not checked, `escalate` asks bigger models too, `refuse` asks no model. Default: the setting
   * `flags.unchecked`, which is `answer`.
   */
  readonly unchecked?: Unchecked
  /** IANA name of the zone that dates are meant in; default the decider's. */
  readonly timeZone?: string
  /** A2A identity; default new UUIDs. */
  readonly taskId?: string
  readonly contextId?: string
  /**
   * What is needed to go on with the case in another process, such as the options of a command: kept
   * with its run. No place for keys.
   */
  readonly made?: Json
  /** Lets go of the case while it only waits: `result` rejects with RUN_SUSPENDED. */
  readonly suspend?: Suspend
  /** W3C headers of whoever asks: the case's trace is a part of theirs. */
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
  /** Hears every event of the run, redacted, or those that it says it hears. Must not throw. */
  readonly onEvent?: Listener | Listener['hear']
  /** Hears every log entry as it is made. Must not throw. */
  readonly onLog?: (entry: LogEntry) => void
}
