import {
  type LabeledText,
  type Vector,
  scoreOf,
  separable,
  separate,
} from 'echelon/internal/classify'

/** The part of a classifier that is measured. */
export interface Measured {
  classify(text: string): { readonly label: string | null; readonly confidence: number }
}

/**
 * A plain baseline: words and word pairs by tf-idf, a linear support vector machine, and out of scope as
 * another label. Its confidence is the margin of the best label.
 */
export function trainPlain(rows: readonly LabeledText[]): Measured {
  const counts = new Map<string, number>()
  for (const { text } of rows) {
    for (const name of new Set(namesOf(text))) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const numbers = new Map([...counts.keys()].map((name, number) => [name, number]))
  const rarity = [...counts.values()].map((count) => Math.log((1 + rows.length) / (1 + count)) + 1)
  const toVector = (text: string): Vector => vectorOf(namesOf(text), numbers, rarity)
  const texts = separable(
    rows.map(({ text }) => toVector(text)),
    numbers.size,
  )
  const planes = [...new Set(rows.map(({ label }) => label))].map((label) => ({
    label,
    weights: separate(
      texts,
      rows.map((row) => row.label === label),
    ),
  }))
  return {
    classify(text) {
      const vector = toVector(text)
      const [best, next] = planes
        .map(({ label, weights }) => ({ label, score: scoreOf(weights, vector) }))
        .toSorted((a, b) => b.score - a.score)
      return {
        label: best?.label ?? null,
        confidence: (best?.score ?? 0) - (next?.score ?? 0),
      }
    },
  }
}

function namesOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []
  return [...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)]
}

function vectorOf(
  names: readonly string[],
  numbers: ReadonlyMap<string, number>,
  rarity: readonly number[],
): Vector {
  const weights = new Map<number, number>()
  for (const name of names) {
    const number = numbers.get(name)
    if (number !== undefined)
      weights.set(number, (weights.get(number) ?? 0) + (rarity[number] ?? 0))
  }
  const length = Math.hypot(...weights.values()) || 1
  const sorted = [...weights].toSorted(([a], [b]) => a - b)
  return {
    at: Int32Array.from(sorted, ([number]) => number),
    weight: Float32Array.from(sorted, ([, weight]) => weight / length),
    known: 1,
  }
}
