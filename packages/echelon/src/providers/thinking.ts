import type { Reasoning } from '../core/model/model.ts'

/** A wish that a model should think, and how long. */
export type ThinkingLevel = Exclude<Reasoning, 'least' | 'provider-default'>

const SHARES: Readonly<Record<ThinkingLevel, number>> = { low: 0.25, medium: 0.5, high: 0.75 }

/**
 * How many of the tokens that a call may answer are for thinking, where a model has to be told a
 * number. A share of the call's own limit: the packages take one of the model's, 64,000 tokens and
 * more, which leaves nothing of a short limit for the answer.
 */
export const thinkingTokens = (level: ThinkingLevel, maxTokens: number): number =>
  Math.floor(maxTokens * SHARES[level])
