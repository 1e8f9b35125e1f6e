import type { JsonObject } from 'echelon/runtime'
import type { PlanExecution } from './plan-execution.ts'

/**
 * What a conversation is in the middle of. It is kept in the metadata of the agent's last message, so
 * that any memory that keeps messages keeps it too.
 */
export type Dialogue = {
  /** The intent whose plan waits for the customer; `null` when nothing waits. */
  readonly open: OpenIntent | null
  /** What else was asked for in the same message, and is answered next. */
  readonly queued: readonly QueuedIntent[]
  /** The intent that was answered last: what "no, the other one" is about. */
  readonly last: QueuedIntent | null
  /** Plans that wait until a person allows them. */
  readonly blocked: readonly OpenIntent[]
  /** Once a person has the conversation: the ticket. */
  readonly handedOver: string | null
  /** How many messages in a row were not understood. */
  readonly misses: number
}

export type QueuedIntent = {
  readonly intentId: string
  readonly params: JsonObject
}

export type OpenIntent = QueuedIntent & {
  /** What is asked for: a parameter, or `confirmation`. */
  readonly param: string
  /** How often it was asked without an answer that can be used. */
  readonly failedAsks: number
  /** A digest of the order as it was when somebody was asked to allow the plan; nothing for a plain question. */
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

/** What the customer is asked before something that cannot be taken back. */
export const CONFIRMATION = 'confirmation'
