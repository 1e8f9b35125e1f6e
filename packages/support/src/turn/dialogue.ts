import type { JsonObject } from 'echelon/runtime'
import type { OrderHints } from '../customer/resolve-order.ts'
import type { Facet } from '../understand/facets.ts'
import type { Wonder } from '../understand/command.ts'
import type { PlanExecution } from './planning/plan-execution.ts'

/**
 * The open state of a conversation. It is stored in the metadata of the agent's last message, so that any memory
 * that keeps messages keeps it too.
 */
export type Dialogue = {
  /** The task whose plan waits for the customer: the top of the stack; `null` if none waits. */
  readonly open: OpenIntent | null
  /** Tasks that a digression interrupted, the newest first. Each question comes back when the one above is over. */
  readonly stack: readonly OpenIntent[]
  /** Other requests of the same message, to be answered next. */
  readonly queued: readonly QueuedIntent[]
  /** The last task, to which "it" and "no, the other one" refer, done or not. */
  readonly last: QueuedIntent | null
  /** The order that a message named last, and its items, whatever became of it; `null` if `open` or `last` say it. */
  readonly about: JsonObject | null
  /** The last thing that was done, to which "undo" refers. */
  readonly done: DoneTask | null
  /** Intents offered as a choice, because the message was not clear. */
  readonly choices: readonly QueuedIntent[]
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
  /** What is known of the order, if it is still to be named. */
  readonly hints?: OrderHints
  /** What the question asks besides the state of the order. */
  readonly asks?: readonly Facet[]
  /** Set if the rules are only asked about it, and nothing is done. */
  readonly wonders?: Wonder
  /**
   * A digest of what an offer covered that named all that the confirmation names: a yes to it is the confirmation, as
   * long as nothing of that has changed.
   */
  readonly agreed?: string
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

/** Something that was done, and the value that it replaced, if it can be set back. */
export type DoneTask = QueuedIntent & {
  readonly previous: string | null
}

export const NO_DIALOGUE: Dialogue = {
  open: null,
  stack: [],
  queued: [],
  last: null,
  about: null,
  done: null,
  choices: [],
  blocked: [],
  handedOver: null,
  misses: 0,
}

/** The question before an irreversible action. */
export const CONFIRMATION = 'confirmation'
