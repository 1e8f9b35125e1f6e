import type { StateContainer } from '../../../core/state/state.ts'
import type { Message } from '../../../core/message/thread.ts'

/** A conversation as plain JSON. What was said stands in it as it was: protect it as the data itself. */
export interface SessionCheckpoint {
  readonly kind: 'echelon-session'
  readonly version: 1
  readonly id: string
  /** By which it was held. */
  readonly agent: { readonly name: string; readonly version: number }
  readonly messages: readonly Message[]
  readonly states: StateContainer
}
