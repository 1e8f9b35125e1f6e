/** The features of a reading, and whether it was right. */
export interface Outcome {
  readonly signs: readonly number[]
  readonly right: boolean
}

const ROUNDS = 3_000
const STEP = 0.5
/** Regularization: with hardly any errors, few outcomes do not prove certainty. */
const RESTRAINT = 0.0001

/**
 * Learns how often readings with such features are right: a logistic regression by gradient descent. Returns its
 * weights, the offset last.
 */
export function calibrate(outcomes: readonly Outcome[]): readonly number[] {
  const size = outcomes[0]?.signs.length ?? 0
  // One flat array: the rounds take most of the time of a training.
  const signs = Float64Array.from(outcomes.flatMap((outcome) => outcome.signs))
  const weights = new Float64Array(size + 1)
  for (let round = 0; round < ROUNDS; round++) {
    const slope = new Float64Array(size + 1)
    for (const [row, { right }] of outcomes.entries()) {
      const at = row * size
      let sum = weights[size] ?? 0
      for (let nth = 0; nth < size; nth++) sum += (signs[at + nth] ?? 0) * (weights[nth] ?? 0)
      const miss = probability(sum) - (right ? 1 : 0)
      for (let nth = 0; nth < size; nth++) {
        slope[nth] = (slope[nth] ?? 0) + miss * (signs[at + nth] ?? 0)
      }
      slope[size] = (slope[size] ?? 0) + miss
    }
    for (const [index, weight] of weights.entries()) {
      const isOffset = index === size
      const restraint = isOffset ? 0 : RESTRAINT * weight
      const next = weight - STEP * ((slope[index] ?? 0) / outcomes.length + restraint)
      // Each feature should raise the confidence; if few outcomes say otherwise, that is chance.
      weights[index] = isOffset ? next : Math.max(0, next)
    }
  }
  return [...weights]
}

/** 0 to 1. */
export function sureness(weights: readonly number[], signs: readonly number[]): number {
  const offset = weights[signs.length] ?? 0
  const sum = signs.reduce((sum, sign, index) => sum + sign * (weights[index] ?? 0), offset)
  return probability(sum)
}

const probability = (sum: number): number => 1 / (1 + Math.exp(-sum))
