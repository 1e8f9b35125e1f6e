import { timestampIn } from 'echelon/internal/value'
import type { Evaluation, Evaluations, Patterns } from './evaluation.ts'

export interface EvaluationLimits {
  /** Number of recent ones to keep. */
  readonly most: number
  /** Time to keep one, in milliseconds. */
  readonly maxAgeMs: number
}

export const NO_EVALUATIONS: Evaluations = {
  recent_evaluations: [],
  patterns: { repeated_failures: [], successful_approaches: [] },
}

/** Number of times that an outcome must occur to become a pattern. */
const REPEATED = 2

const MOST_PATTERNS = 12

/** A time in the format of evaluations and plans: ISO 8601, UTC. */
export const utc = (at: number): string => timestampIn('UTC', at).replace('+00:00', 'Z')

/** Adds new evaluations: deltas are kept for a while, patterns of repeated ones permanently. */
export function withEvaluations(
  before: Evaluations,
  added: readonly Evaluation[],
  at: number,
  limits: EvaluationLimits,
): Evaluations {
  const all = [...before.recent_evaluations, ...added]
  const patterns = added.reduce((sum, one) => folded(sum, one, all), before.patterns)
  return expired({ recent_evaluations: all, patterns }, at, limits)
}

/** Drops expired entries. */
export function expired(
  { recent_evaluations, patterns }: Evaluations,
  at: number,
  { most, maxAgeMs }: EvaluationLimits,
): Evaluations {
  const oldest = utc(at - maxAgeMs)
  const recent = recent_evaluations.filter(({ timestamp }) => timestamp >= oldest).slice(-most)
  return { recent_evaluations: recent, patterns }
}

function folded(patterns: Patterns, one: Evaluation, all: readonly Evaluation[]): Patterns {
  const times = all.filter(({ outcome }) => outcome === one.outcome).length
  if (times < REPEATED) return patterns
  const { repeated_failures, successful_approaches } = patterns
  if (!one.matched_intent) {
    return { ...patterns, repeated_failures: lastly(repeated_failures, one.outcome) }
  }
  const [kind, approach] = one.outcome.split(': ')
  // A stopped turn says nothing about an approach.
  if (kind !== 'on_intent' || approach === undefined) return patterns
  return { ...patterns, successful_approaches: lastly(successful_approaches, approach) }
}

/** Moves the latest entry to the end, without a duplicate. */
const lastly = (known: readonly string[], one: string): readonly string[] =>
  [...known.filter((other) => other !== one), one].slice(-MOST_PATTERNS)
