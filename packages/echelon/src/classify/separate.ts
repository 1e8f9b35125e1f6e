import type { Vector } from './vectors.ts'

/** Penalty for a text on the wrong side, relative to the margin. */
const COST = 2
const MOST_ROUNDS = 25
const NEAR_ENOUGH = 0.1

/** Training data of the separation. */
export interface Separable {
  readonly vectors: readonly Vector[]
  /** The squared length of each vector, with the offset. */
  readonly lengths: readonly number[]
  /** The number of features. */
  readonly features: number
}

/** Prepares vectors for the separation of several labels. */
export const separable = (vectors: readonly Vector[], features: number): Separable => ({
  vectors,
  lengths: vectors.map(({ weight }) => 1 + weight.reduce((sum, each) => sum + each * each, 0)),
  features,
})

/**
 * The plane that separates the texts of one label from all others: a linear support vector machine with squared
 * hinge loss, by coordinate descent in the dual. The last weight is the offset.
 *
 * The method of Hsieh et al., "A Dual Coordinate Descent Method for Large-scale Linear SVM" (2008): each text has
 * a multiplier, which is optimized in turn while the others are fixed. A text that is far on its correct side is
 * skipped until the others have converged.
 */
export function separate(
  { vectors, lengths, features }: Separable,
  isOfLabel: readonly boolean[],
): Float32Array {
  const weights = new Float32Array(features + 1)
  const multipliers = new Float64Array(vectors.length)
  const diagonal = 1 / (2 * COST)
  const random = sequence(1)
  let active = vectors.map((_, index) => index)
  let farSide = Infinity
  for (let round = 0; round < MOST_ROUNDS; round++) {
    shuffle(active, random)
    let [lowest, highest] = [0, 0]
    const kept: number[] = []
    for (const index of active) {
      const vector = vectors[index]
      if (vector === undefined) continue
      const side = isOfLabel[index] === true ? 1 : -1
      const before = multipliers[index] ?? 0
      const slope = side * scoreOf(weights, vector) - 1 + diagonal * before
      if (before === 0 && slope > farSide) continue
      kept.push(index)
      const pull = before === 0 ? Math.min(slope, 0) : slope
      if (pull < lowest) lowest = pull
      else if (pull > highest) highest = pull
      if (pull === 0) continue
      const after = Math.max(0, before - slope / ((lengths[index] ?? 1) + diagonal))
      multipliers[index] = after
      add(weights, vector, (after - before) * side)
    }
    if (highest - lowest > NEAR_ENOUGH) [active, farSide] = [kept, highest || Infinity]
    else if (kept.length === vectors.length) break
    // The active texts have converged: check all once more.
    else [active, farSide] = [vectors.map((_, index) => index), Infinity]
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

function add(weights: Float32Array, { at, weight }: Vector, times: number): void {
  for (let index = 0; index < at.length; index++) {
    const number = at[index] ?? 0
    weights[number] = (weights[number] ?? 0) + times * (weight[index] ?? 0)
  }
  const offset = weights.length - 1
  weights[offset] = (weights[offset] ?? 0) + times
}

function shuffle(numbers: number[], random: () => number): void {
  for (let last = numbers.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [a = 0, b = 0] = [numbers[last], numbers[other]]
    numbers[last] = b
    numbers[other] = a
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
