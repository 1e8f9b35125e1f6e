import type { Json, JsonObject } from 'echelon/runtime'

/** Conversations to try, with what must and must not happen in them. */
export interface ConversationSet {
  /** The day of the shop, such as `2025-10-18`; `null` for the machine's. */
  readonly today: string | null
  readonly conversations: readonly Conversation[]
}

/** One conversation: scripted turns, or a goal that a simulated customer pursues. */
export interface Conversation {
  readonly id: string
  readonly customer: string | null
  readonly channel: string
  readonly turns: readonly ConversationTurn[]
  /** What a simulated customer wants; its turns are written by a model. */
  readonly goal: string | null
  /** Every acting call of the conversation, in order. */
  readonly acts: readonly ExpectedCall[]
  /** Fields of orders after the conversation, by order. */
  readonly orders: Readonly<Record<string, JsonObject>>
}

/** What is done in a turn: a message, or a colleague's decision. */
export type TurnMove =
  | { readonly type: 'user'; readonly text: string }
  | { readonly type: 'approve' | 'decline' | 'hand_back'; readonly by: string }

/** A turn, and what is expected of its answer. */
export interface ConversationTurn {
  readonly move: TurnMove
  readonly says: readonly TextPattern[]
  readonly neverSays: readonly TextPattern[]
  /** Whether the answer asks something, or the parameter it asks for; `null` for either. */
  readonly asks: boolean | string | null
  readonly commands: readonly string[] | null
  readonly tools: readonly ExpectedCall[] | null
}

/** A text to find, without regard to case: as it is, or as `/a regular expression/`. */
export interface TextPattern {
  readonly said: string
  readonly matches: (text: string) => boolean
}

/** A call with the parameters that it must have; it may have more. */
export interface ExpectedCall {
  readonly tool: string
  readonly params: Readonly<Record<string, Json>>
}
