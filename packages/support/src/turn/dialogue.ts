import type { JsonObject } from 'echelon/runtime'
import type { PlanExecution } from './plan-execution.ts'

/**
 * The open state of a conversation. It is stored in the metadata of the agent's last message, so that any memory
 * that keeps messages keeps it too.
 */
export type Dialogue = {
  /** The intent whose plan waits for the customer; `null` if none waits. */
  readonly open: OpenIntent | null
  /** Other requests of the same message, to be answered next. */
  readonly queued: readonly QueuedIntent[]
  /** The last answered intent, to which "no, the other one" refers. */
  readonly last: QueuedIntent | null
  /** Plans that wait for a person's approval. */
  readonly blocked: readonly OpenIntent[]
  /** The ticket, once a person has the conversation. */
  readonly handedOver: string | null
  /** Consecutive messages that were not understood. */
  readonly misses: number
}

export type QueuedIntent = {
  readonly intentId: string
  readonly params: JsonObject
}

export type OpenIntent = QueuedIntent & {
  /** What was asked for: a parameter, or `confirmation`. */
  readonly param: string
  /** Repetitions of the question without a usable answer. */
  readonly failedAsks: number
  /** A digest of the order when approval was requested; absent for a plain question. */
  readonly rests?: string
  readonly execution: PlanExecution
}

export const NO_DIALOGUE: Dialogue = {
  open: null,
  queued: [],
  last: null,
  blocked: [],
  handedOver: null,
  misses: 0,
}

/** The question before an irreversible action. */
export const CONFIRMATION = 'confirmation'
