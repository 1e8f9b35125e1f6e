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
   * The answer as a session keeps it, if that is more than text and calls: reasoning that the
   * provider wants back, and provider options of single parts.
   */
  readonly content?: AssistantContent
  /** Id of the conversation at the provider, if the provider stores it. */
  readonly conversation?: string
  readonly finish: 'stop' | 'length' | 'tools' | 'filter'
  /** The model that answered, as `provider/model`. */
  readonly model: string
  readonly usage: Usage
  /** Why the usage is unknown. The call is then charged at its worst case. */
  readonly assumed?: string
  /** US dollars; `null` when the price is unknown. */
  readonly cost: number | null
  /** The answered calls whose sum `usage` and `cost` are, if middleware made several for this answer. */
  readonly took?: readonly CallTook[]
}

/** Usage of one model call. */
export type CallTook = Pick<Generated, 'model' | 'usage' | 'cost' | 'assumed'>

export interface ToolsCalled {
  readonly type: 'tools-called'
  /** One for each call, in plan order. */
  readonly outcomes: readonly ToolOutcome[]
}

/** The effect was not performed because of a limit, a missing capability or a rule. */
export interface Refused {
  readonly type: 'refused'
  readonly by: 'budget' | 'capability' | 'policy'
  /** The limit or capability, as the ledger or the actor names it. */
  readonly limit: string
  readonly message: string
  /** Set if the limit is not used up, but the effect has no known price to check against it. */
  readonly cause?: 'unknown-price'
}

/** The effect failed after all retries of the runtime. */
export interface Failed {
  readonly type: 'failed'
  readonly error: Problem
}

/** The observation of a single effect. */
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
  /** The user sent input while the run was working. It is delivered between two steps. */
  | { readonly type: 'heard'; readonly text: string }
  /** The run was canceled. `next` must now finish with what it has. */
  | { readonly type: 'canceled'; readonly by: 'user' | 'shutdown' }
