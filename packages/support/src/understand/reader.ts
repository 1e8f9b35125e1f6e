import type { Dialogue } from '../turn/dialogue.ts'
import type { Intent } from '../intent.ts'
import type { Message } from '../message.ts'
import type { Reading } from './command.ts'

/** The context in which a message is read. */
export interface ReadingContext {
  /** The intents available to this customer here. */
  readonly intents: readonly Intent[]
  readonly dialogue: Dialogue
  readonly history: readonly Message[]
  /** The words for things in the customer's orders. */
  readonly itemWords?: ReadonlySet<string>
}

/** The embedded reader: pure, without a model. The same text and context give the same commands. */
export type Reader = (text: string, context: ReadingContext) => Reading
