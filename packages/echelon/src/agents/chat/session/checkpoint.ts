import type { StateContainer } from '../../../core/state/state.ts'
import type { Message } from '../../../core/message/thread.ts'

/** A conversation as plain JSON. It holds all messages unredacted: protect it like the data itself. */
export interface SessionCheckpoint {
  readonly kind: 'echelon-session'
  readonly version: 1
  readonly id: string
  /** The name of the agent that held it. */
  readonly agent: { readonly name: string; readonly version: number }
  readonly messages: readonly Message[]
  readonly states: StateContainer
}
