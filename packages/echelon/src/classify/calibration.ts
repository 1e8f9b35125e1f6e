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
  const weights = Array.from({ length: size + 1 }, () => 0)
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map(() => 0)
    for (const { signs, right } of outcomes) {
      const miss = sureness(weights, signs) - (right ? 1 : 0)
      for (const [index, sign] of [...signs, 1].entries())
        slope[index] = (slope[index] ?? 0) + miss * sign
    }
    for (const [index, weight] of weights.entries()) {
      const isOffset = index === size
      const restraint = isOffset ? 0 : RESTRAINT * weight
      const next = weight - STEP * ((slope[index] ?? 0) / outcomes.length + restraint)
      // Each feature should raise the confidence; if few outcomes say otherwise, that is chance.
      weights[index] = isOffset ? next : Math.max(0, next)
    }
  }
  return weights
}

/** 0 to 1. */
export function sureness(weights: readonly number[], signs: readonly number[]): number {
  const offset = weights[signs.length] ?? 0
  const sum = signs.reduce((sum, sign, index) => sum + sign * (weights[index] ?? 0), offset)
  return 1 / (1 + Math.exp(-sum))
}
