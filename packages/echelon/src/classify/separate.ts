import type { Vector } from './vectors.ts'

/** Penalty for a text on the wrong side, relative to the margin. */
const COST = 2
const MOST_ROUNDS = 25
const NEAR_ENOUGH = 0.1

/** Training data of the separation: all texts one after the other, which takes half the time of a list of them. */
export interface Separable {
  /** The features of all texts, and their weights. */
  readonly at: Int32Array
  readonly weight: Float32Array
  /** Where each text begins in these, and the last one ends. */
  readonly starts: Int32Array
  /** The squared length of each text, with the offset. */
  readonly lengths: Float64Array
  /** The number of features. */
  readonly features: number
}

/** Prepares vectors for the separation of several labels. */
export function separable(vectors: readonly Vector[], features: number): Separable {
  const size = vectors.reduce((sum, { at }) => sum + at.length, 0)
  const [at, weight] = [new Int32Array(size), new Float32Array(size)]
  const starts = new Int32Array(vectors.length + 1)
  const lengths = new Float64Array(vectors.length)
  let end = 0
  for (const [index, vector] of vectors.entries()) {
    at.set(vector.at, end)
    weight.set(vector.weight, end)
    lengths[index] = 1 + vector.weight.reduce((sum, each) => sum + each * each, 0)
    end += vector.at.length
    starts[index + 1] = end
  }
  return { at, weight, starts, lengths, features }
}

/**
 * The plane that separates the texts of one label from all others: a linear support vector machine with squared
 * hinge loss, by coordinate descent in the dual. The last weight is the offset.
 *
 * The method of Hsieh et al., "A Dual Coordinate Descent Method for Large-scale Linear SVM" (2008): each text has
 * a multiplier, which is optimized in turn while the others are fixed. A text that is far on its correct side is
 * skipped until the others have converged.
 */
export function separate(
  { at, weight, starts, lengths, features }: Separable,
  isOfLabel: readonly boolean[],
): Float32Array {
  const weights = new Float32Array(features + 1)
  const multipliers = new Float64Array(lengths.length)
  const diagonal = 1 / (2 * COST)
  const random = sequence(1)
  const all = Int32Array.from(lengths, (_, index) => index)
  let active = all.slice()
  let farSide = Infinity
  for (let round = 0; round < MOST_ROUNDS; round++) {
    shuffle(active, random)
    let [lowest, highest, kept] = [0, 0, 0]
    const next = new Int32Array(active.length)
    for (const index of active) {
      const [from, to] = [starts[index] ?? 0, starts[index + 1] ?? 0]
      const side = isOfLabel[index] === true ? 1 : -1
      const before = multipliers[index] ?? 0
      let score = weights[features] ?? 0
      for (let nth = from; nth < to; nth++) {
        score += (weights[at[nth] ?? 0] ?? 0) * (weight[nth] ?? 0)
      }
      const slope = side * score - 1 + diagonal * before
      if (before === 0 && slope > farSide) continue
      next[kept++] = index
      const pull = before === 0 ? Math.min(slope, 0) : slope
      if (pull < lowest) lowest = pull
      else if (pull > highest) highest = pull
      if (pull === 0) continue
      const after = Math.max(0, before - slope / ((lengths[index] ?? 1) + diagonal))
      multipliers[index] = after
      const step = (after - before) * side
      for (let nth = from; nth < to; nth++) {
        const feature = at[nth] ?? 0
        weights[feature] = (weights[feature] ?? 0) + step * (weight[nth] ?? 0)
      }
      weights[features] = (weights[features] ?? 0) + step
    }
    if (highest - lowest > NEAR_ENOUGH)
      [active, farSide] = [next.slice(0, kept), highest || Infinity]
    else if (kept === all.length) break
    // The active texts have converged: check all once more.
    else [active, farSide] = [all.slice(), Infinity]
  }
  return weights
}

/** The signed distance of a text from the plane. */
export function scoreOf(weights: Float32Array, { at, weight }: Vector): number {
  let score = weights[weights.length - 1] ?? 0
  for (let index = 0; index < at.length; index++) {
    score += (weights[at[index] ?? 0] ?? 0) * (weight[index] ?? 0)
  }
  return score
}

function shuffle(numbers: Int32Array, random: () => number): void {
  for (let last = numbers.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const moved = numbers[last] ?? 0
    numbers[last] = numbers[other] ?? 0
    numbers[other] = moved
  }
}

/** Reproducible numbers from 0 to 1: a linear congruential generator, after Numerical Recipes. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
