import type { ClassifierModel, LabeledText } from 'echelon/internal/classify'
import { digestText } from 'echelon/internal/value'

/** Classifiers that were trained before, by the key of their examples; `undefined` for examples that were changed. */
export type TrainedModels = (key: string) => ClassifierModel | undefined

/** Names a set of examples. */
export function keyOf(rows: readonly LabeledText[]): string {
  const written = JSON.stringify(rows.map(({ text, label }) => [label, text]))
  return `${written.length}.${digestText(written)}`
}
