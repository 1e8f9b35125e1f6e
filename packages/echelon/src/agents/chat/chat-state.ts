import type { Continuation, Finish } from '../../core/agent/effect.ts'
import type { Thread } from '../../core/message/thread.ts'
import type { ToolCall } from '../../core/tool/tool.ts'
import type { ChatResult } from './input/chat-input.ts'

/** One shape for all states, so that engines read them fast: a field is `null`, never absent. */
export interface ChatState {
  readonly messages: Thread
  /** Calls of the last answer that have no result yet. */
  readonly pending: readonly ToolCall[]
  /** Model calls answered so far. */
  readonly iterations: number
  /** The maximum of model calls. */
  readonly most: number
  /** Whether the user is being asked for more. */
  readonly asking: boolean
  /** Whether the model was told that its answer does not fit the output schema. */
  readonly repaired: boolean
  /** The text of the last answer. */
  readonly text: string
  readonly continues: Continuation | null
  readonly ended: Finish<ChatResult> | null
}
