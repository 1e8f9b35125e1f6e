import type { Reasoning } from '../core/model/model.ts'

/** A requested amount of thinking. */
export type ThinkingLevel = Exclude<Reasoning, 'least' | 'provider-default'>

const SHARES: Readonly<Record<ThinkingLevel, number>> = { low: 0.25, medium: 0.5, high: 0.75 }

/**
 * The thinking budget for models that need one: a share of the call's own token limit. The packages
 * would take a share of the model's limit, 64,000 tokens and more, which would leave no room for a
 * short answer.
 */
export const thinkingTokens = (level: ThinkingLevel, maxTokens: number): number =>
  Math.floor(maxTokens * SHARES[level])
