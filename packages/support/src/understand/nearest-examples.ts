import { scoreOf, vectoriser, vocabularyOf } from 'echelon/internal/classify'
import type { Intent } from '../intent.ts'
import type { IntentsConfig } from '../intents-registry.ts'
import type { NearExample } from '../wording/classification-prompt.ts'
import { NONE } from '../wording/read-classification.ts'

/** The examples that are most like a message, the best first, without those of intents that are not offered. */
export type NearestExamples = (
  text: string,
  offered: readonly Pick<Intent, 'id'>[],
) => readonly NearExample[]

const MOST = 5

const QUESTION = 'question'

/** Examples that share less with a message say nothing about it. */
const LEAST_LIKE = 0.2

/** Compares messages with the examples of an intents file by the features of the embedded reader; pure. */
export function nearestExamples(config: IntentsConfig): NearestExamples {
  let compare: NearestExamples | null = null
  return (text, offered) => {
    compare ??= comparison(config)
    return compare(text, offered)
  }
}

function comparison({ intents, questions = [], outOfScope = [] }: IntentsConfig): NearestExamples {
  const rows: readonly NearExample[] = [
    ...intents.flatMap(({ id, examples }) => examples.map((text) => ({ text, label: id }))),
    ...questions.map((text) => ({ text, label: QUESTION })),
    ...outOfScope.map((text) => ({ text, label: NONE })),
  ]
  const vocabulary = vocabularyOf(rows.map(({ text }) => text))
  const vectorOf = vectoriser(vocabulary)
  const vectors = rows.map((row) => ({ row, vector: vectorOf(row.text) }))
  return (text, offered) => {
    const labels = new Set([QUESTION, NONE, ...offered.map(({ id }) => id)])
    const weights = new Float32Array(vocabulary.features.length)
    const { at, weight } = vectorOf(text)
    for (const [index, feature] of at.entries()) weights[feature] = weight[index] ?? 0
    return vectors
      .filter(({ row }) => labels.has(row.label))
      .map(({ row, vector }) => ({ row, likeness: scoreOf(weights, vector) }))
      .filter(({ likeness }) => likeness >= LEAST_LIKE)
      .toSorted((a, b) => b.likeness - a.likeness)
      .slice(0, MOST)
      .map(({ row }) => row)
  }
}
