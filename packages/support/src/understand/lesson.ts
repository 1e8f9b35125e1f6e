import type { Classifier } from 'echelon/internal/classify'
import type { Intent } from '../intent.ts'
import { openersOf } from './clauses.ts'
import type { ReadingContext } from './reader.ts'
import type { Wish } from './understanding.ts'

/** A trained reader, and the context of a message. */
export interface Lesson {
  readonly classifier: Classifier
  /** The first words of examples, by intent. */
  readonly openers: ReadonlyMap<string, ReadonlySet<string>>
  readonly context: ReadingContext
}

/** Confidence of readings by rule: an answer that fits its pattern, a plain yes. */
export const BY_RULE = 0.95
/** Minimum confidence for any intent. */
export const LEAST = 0.35
/** Confidence at which a text may change the subject of the conversation. */
export const SURE = 0.6

export const intentOf = ({ context }: Lesson, id: string): Intent | undefined =>
  context.intents.find((intent) => intent.id === id)

const NO_OPENERS: ReadonlySet<string> = new Set()

export const openersFor = ({ openers }: Lesson, intentId: string): ReadonlySet<string> =>
  openers.get(intentId) ?? NO_OPENERS

export const openersByIntent = (
  intents: readonly Intent[],
): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(intents.map(({ id, examples }) => [id, openersOf(examples)]))

export const byRule = (intentId: string, params: Wish['params']): Wish => ({
  intentId,
  params,
  confidence: BY_RULE,
})
