import type { Intent } from '../intent.ts'
import type { Classifier } from './classifier.ts'
import { openersOf } from './clauses.ts'
import type { ReadingContext } from './reader.ts'
import type { Wish } from './understanding.ts'

/** What a reader has learnt, and what it reads a message against. */
export interface Lesson {
  readonly classifier: Classifier
  /** The words that examples begin with, by intent. */
  readonly openers: ReadonlyMap<string, ReadonlySet<string>>
  readonly context: ReadingContext
}

/** Readings by rule: an answer that fits its pattern, a plain yes. */
export const BY_RULE = 0.95
/** Below this a text is none of the intents. */
export const LEAST = 0.35
/** What a text is taken for without a doubt, so that it may turn the conversation to something else. */
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
