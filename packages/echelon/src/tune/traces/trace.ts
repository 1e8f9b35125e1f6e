import type { Usage } from '../../core/model/model.ts'
import type { Answer, VerifiedTask } from '../../verify/answer.ts'

/** An answer that a model gave to a recorded task. */
export interface RecordedAnswer {
  /** Name in the traces; a price is looked up for `provider/model`. */
  readonly model: string
  readonly answer: Answer
  /** True if it is right; null if the row has neither `ok` nor `gold`. */
  readonly ok: boolean | null
  /** US dollars; null if not recorded. */
  readonly cost: number | null
  /** Tokens; null if not recorded. */
  readonly usage: Usage | null
  /** Seconds; null if not recorded. */
  readonly latency: number | null
}

/** A recorded task with the answers of several models: one line of a file of traces. */
export interface Trace {
  /** The line of the file, from 1. */
  readonly line: number
  readonly id: string
  /** Tasks of one group depend on each other, as questions about one document do; default: the id. */
  readonly group: string
  readonly task: VerifiedTask
  /** In the order of the row; no model twice. */
  readonly answers: readonly RecordedAnswer[]
}
