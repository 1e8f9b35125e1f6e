import type { Listener } from '../../../core/agent/event.ts'
import type { Json } from '../../../core/value/json.ts'
import type { Suspend } from '../../../runtime/waits.ts'
import type { WantedAnswer } from '../answers/answer-gate.ts'
import type { LogEntry } from './log.ts'
import type { Mode, Unchecked } from '../settings/settings.ts'

/** Options of one case. */
export interface CaseOptions {
  /** Default `hrm_small_then_escalate`. */
  readonly mode?: Mode
  /** Tools that must give a result for an answer to count. */
  readonly expectedTools?: readonly string[]
  /** The right answer, if known. Answers are then verified against it. */
  readonly goldAnswer?: string | null
  /** Aborting it cancels the case. */
  readonly signal?: AbortSignal
  /**
   * The same key returns the same result without a second execution, across all processes that share the decider's
   * store, or else in this process. A key used with another input is refused with KEY_REUSED.
   */
  readonly idempotencyKey?: string
  /** Passed to providers; also seeds the retry jitter. */
  readonly seed?: number
  /** ISO date that counts as today. Default: the current day in the time zone. */
  readonly today?: string
  /**
   * The action when no verifier or gate can check an answer: `answer` returns the small model's answer as not
   * checked, `escalate` asks bigger models too, `refuse` asks no model. Default: the setting `flags.unchecked`,
   * which is `answer`.
   */
  readonly unchecked?: Unchecked
  /**
   * The kind of answer that the task asks for. Where no verifier reads the question, the model may then answer
   * directly, in words, JSON or by a choice, and the decider's `gate` judges the answer. Default: `text` with a gate,
   * else none.
   */
  readonly wanted?: WantedAnswer
  /** IANA time zone for dates. Default: the decider's. */
  readonly timeZone?: string
  /** Id of the run. Default: a new UUID. */
  readonly runId?: string
  /**
   * US dollars that the case may cost at most, besides the setting `budget.max_cost_usd`; the lower one holds.
   * Calls of unknown price are refused then.
   */
  readonly maxCost?: number
  /** A2A identity; default new UUIDs. */
  readonly taskId?: string
  readonly contextId?: string
  /**
   * Data needed to resume the case in another process, such as a command's options. Stored with the run, so never
   * put keys in it.
   */
  readonly made?: Json
  /** Suspends the case when it is only waiting: `result` then rejects with RUN_SUSPENDED. */
  readonly suspend?: Suspend
  /** W3C trace headers of the caller; the case's trace becomes part of the caller's. */
  readonly traceparent?: string | undefined
  readonly tracestate?: string | undefined
  /** Receives every redacted event of the run, or only the types that the listener names. Must not throw. */
  readonly onEvent?: Listener | Listener['hear']
  /** Receives every log entry as it is made. Must not throw. */
  readonly onLog?: (entry: LogEntry) => void
}

/** Options for a case that is already on record. */
export type ResumeOptions = Pick<
  CaseOptions,
  'signal' | 'suspend' | 'onEvent' | 'onLog' | 'taskId' | 'contextId' | 'traceparent' | 'tracestate'
>

/** The step to fork a case at, and what is different from there on. */
export interface CaseForkOptions extends ResumeOptions {
  /** The first step that is run again, from 0 on. */
  readonly at: number
  /** The id of the fork. Default: a new UUID. */
  readonly as?: string
  /** Names of tools that may act again. */
  readonly act?: readonly string[]
  /** Other models from there on, by role, such as `small` and `big`. */
  readonly models?: Readonly<Record<string, string>>
}
