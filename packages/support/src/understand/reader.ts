import type { Dialogue } from '../turn/dialogue.ts'
import type { Intent } from '../intent.ts'
import type { Message } from '../message.ts'
import type { Understanding } from './understanding.ts'

/** What a message is read against. */
export interface ReadingContext {
  /** Those that this customer may have, here. */
  readonly intents: readonly Intent[]
  readonly dialogue: Dialogue
  readonly history: readonly Message[]
}

/**
 * The embedded rung: pure, without a model. The same text and context give the same understanding.
 */
export type Reader = (text: string, context: ReadingContext) => Understanding
