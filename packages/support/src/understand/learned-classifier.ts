import { type Classifier, train } from 'echelon/internal/classify'
import { digestText } from 'echelon/internal/value'
import { withPlainItems } from '../customer/item-words.ts'
import type { Intent } from '../intent.ts'
import type { Ambiguous } from '../intents-registry.ts'
import { BEYOND, QUESTION } from './read-questions.ts'

/** Between the intents of an ambiguous label. */
export const OR = '|'

/** The label of what asks for nothing. */
export const IDLE = '.'

/** What the embedded reader learns besides the intents. */
export interface FurtherExamples {
  /** Questions that documents answer. */
  readonly questions?: readonly string[]
  /** Messages that may mean one intent or another, which are offered. */
  readonly ambiguous?: readonly Ambiguous[]
  /** Questions and wishes about the shop that nothing here answers. */
  readonly beyond?: readonly string[]
  /** What asks for nothing. */
  readonly idle?: readonly string[]
}

/** The classifiers used last, by their training data. */
const recentClassifiers = new Map<string, Classifier>()
const MOST_KEPT = 4

/** Trains a classifier of intents, or takes the kept one of the same examples. */
export function learnedClassifier(
  intents: readonly Intent[],
  outOfScope: readonly string[],
  { questions = [], ambiguous = [], beyond = [], idle = [] }: FurtherExamples,
): Classifier {
  const rows = [
    ...intents.flatMap(({ id, examples }) => examples.map((text) => ({ text, label: id }))),
    ...questions.map((text) => ({ text, label: QUESTION })),
    ...ambiguous.flatMap(({ offer, examples }) =>
      examples.map((text) => ({ text, label: offer.join(OR) })),
    ),
    ...beyond.map((text) => ({ text, label: BEYOND })),
    ...idle.map((text) => ({ text, label: IDLE })),
    ...outOfScope.map((text) => ({ text, label: null })),
  ]
  const written = JSON.stringify(rows.map(({ text, label }) => [label, text]))
  const key = `${written.length}.${digestText(written)}`
  const classifier =
    recentClassifiers.get(key) ??
    train(rows.map(({ text, label }) => ({ text: withPlainItems(text), label })))
  recentClassifiers.delete(key)
  recentClassifiers.set(key, classifier)
  for (const oldest of recentClassifiers.keys()) {
    if (recentClassifiers.size > MOST_KEPT) recentClassifiers.delete(oldest)
  }
  return classifier
}
