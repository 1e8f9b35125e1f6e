import type { Dialogue } from '../turn/dialogue.ts'
import type { Intent } from '../intent.ts'
import type { Message } from '../message.ts'
import type { Understanding } from './understanding.ts'

/** The context in which a message is read. */
export interface ReadingContext {
  /** The intents available to this customer here. */
  readonly intents: readonly Intent[]
  readonly dialogue: Dialogue
  readonly history: readonly Message[]
}

/**
 * The embedded rung: pure, without a model. The same text and context give the same understanding.
 */
export type Reader = (text: string, context: ReadingContext) => Understanding
