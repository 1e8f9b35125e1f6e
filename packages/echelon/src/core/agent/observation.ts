import type { Json } from '../value/json.ts'
import type { Usage } from '../model/model.ts'
import type { ToldVerdict } from './permission.ts'
import type { Problem } from '../model/problem.ts'
import type { AssistantContent } from '../message/thread.ts'
import type { ToolCall, ToolOutcome } from '../tool/tool-call.ts'

export interface Generated {
  readonly type: 'generated'
  readonly text: string
  readonly calls: readonly ToolCall[]
  /**
   * The answer as a conversation keeps it, where that is more than its text and calls: reasoning
   * that the provider wants to have back, and what belongs to a part of the answer.
   */
  readonly content?: AssistantContent
  /** The conversation's name at the provider, where it keeps one. */
  readonly conversation?: string
  readonly finish: 'stop' | 'length' | 'tools' | 'filter'
  /** The model that answered, as `provider/model`. */
  readonly model: string
  readonly usage: Usage
  /** Why its usage is unknown, where it is: the call is charged at its worst case. */
  readonly assumed?: string
  /** US dollars; `null` when the price is unknown. */
  readonly cost: number | null
}

export interface ToolsCalled {
  readonly type: 'tools-called'
  /** One for each call, in plan order. */
  readonly outcomes: readonly ToolOutcome[]
}

/** The effect was not performed: a limit, a missing capability or a rule stood against it. */
export interface Refused {
  readonly type: 'refused'
  readonly by: 'budget' | 'capability' | 'policy'
  /** Which limit or capability, as the ledger or the actor names it. */
  readonly limit: string
  readonly message: string
  /** Set where the limit is not used up: nobody can tell whether the effect would exceed it. */
  readonly cause?: 'unknown-price'
}

/** The effect was tried, and failed for good: the runtime's retries are behind it. */
export interface Failed {
  readonly type: 'failed'
  readonly error: Problem
}

/** What can come of one effect. */
export type Direct =
  | Generated
  | ToolsCalled
  | Refused
  | Failed
  | { readonly type: 'permitted'; readonly verdict: ToldVerdict }
  | { readonly type: 'answered'; readonly reply: Json }
  /** The question expired. */
  | { readonly type: 'unanswered' }
  | { readonly type: 'said' }
  | { readonly type: 'woke' }
  | { readonly type: 'recalled'; readonly value: Json; readonly version: number }
  | { readonly type: 'remembered'; readonly version: number }

export type Observation =
  | Direct
  | { readonly type: 'together'; readonly observations: readonly Direct[] }
  /** The user spoke while the run was working; delivered between two steps. */
  | { readonly type: 'heard'; readonly text: string }
  /** The last observation: `next` must finish with what there is. */
  | { readonly type: 'canceled'; readonly by: 'user' | 'shutdown' }
