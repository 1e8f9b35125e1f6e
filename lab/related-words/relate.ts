import type { Meaning } from './meanings.ts'

/** A word with what stands for its meaning. */
export interface Described {
  readonly word: string
  readonly meaning: Meaning
  /** Its word vector, of length 1. */
  readonly vector: Float32Array
}

export interface Related {
  /** Index of the other word. */
  readonly other: number
  /** 0 to 1. */
  readonly near: number
}

/** Related words that count, the nearest. */
export const MOST_RELATED = 6
const LEAST_NEAR = 0.3

/** Cosines of word vectors below this say nothing. */
const VECTOR_FLOOR = 0.2
/** The same for meanings, and what makes their nearness comparable with that of vectors. */
const MEANING_FLOOR = 0.05
const MEANING_FACTOR = 2
/** Weights of a meaning below this are not compared. */
const LEAST_WEIGHT = 0.02
/** A feature in more meanings than this is skipped, since it says little about any of them. */
const MOST_HOLDING = 3000

/** For each word the nearest others, by its vector or by its meaning, whichever is nearer. */
export function relatedWords(
  words: readonly Described[],
  onProgress: (done: number) => void,
): readonly (readonly Related[])[] {
  const holding = wordsHolding(words)
  const width = words[0]?.vector.length ?? 0
  const matrix = new Float32Array(words.length * width)
  for (const [at, { vector }] of words.entries()) matrix.set(vector, at * width)
  return words.map(({ vector, meaning }, at) => {
    if (at % 1000 === 0) onProgress(at)
    const near = cosines(matrix, vector)
    for (let other = 0; other < near.length; other++) {
      near[other] = ((near[other] ?? 0) - VECTOR_FLOOR) / (1 - VECTOR_FLOOR)
    }
    for (const [other, value] of meaningsNear(meaning, holding)) {
      const scaled = Math.min(1, (value - MEANING_FLOOR) * MEANING_FACTOR)
      if (scaled > (near[other] ?? 0)) near[other] = scaled
    }
    near[at] = 0
    return nearest(near)
  })
}

function meaningsNear(
  meaning: Meaning,
  holding: ReadonlyMap<string, readonly Related[]>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const [key, weight] of meaning) {
    const all = holding.get(key) ?? []
    if (all.length > MOST_HOLDING) continue
    for (const { other, near } of all) found.set(other, (found.get(other) ?? 0) + weight * near)
  }
  return found
}

function nearest(near: Float32Array): readonly Related[] {
  const all: Related[] = []
  for (let other = 0; other < near.length; other++) {
    const value = near[other] ?? 0
    if (value >= LEAST_NEAR) all.push({ other, near: value })
  }
  return all.toSorted((a, b) => b.near - a.near).slice(0, MOST_RELATED)
}

function wordsHolding(words: readonly Described[]): ReadonlyMap<string, readonly Related[]> {
  const holding = new Map<string, Related[]>()
  for (const [other, { meaning }] of words.entries()) {
    for (const [key, near] of meaning) {
      if (near < LEAST_WEIGHT) continue
      const found = holding.get(key)
      if (found === undefined) holding.set(key, [{ other, near }])
      else found.push({ other, near })
    }
  }
  return holding
}

function cosines(matrix: Float32Array, vector: Float32Array): Float32Array {
  const found = new Float32Array(matrix.length / vector.length)
  for (let row = 0, at = 0; row < found.length; row++) {
    let sum = 0
    for (let place = 0; place < vector.length; place++, at++) {
      sum += (matrix[at] ?? 0) * (vector[place] ?? 0)
    }
    found[row] = sum
  }
  return found
}
