import type { Problem } from './problem.ts'

/** How often and how patiently a failed attempt is tried again. */
export interface RetryPolicy {
  /** Retries after the first attempt. */
  readonly retries: number
  /** Wait before the first retry, in milliseconds. */
  readonly baseMs: number
  readonly factor: number
  /** Share of the wait, 0 to 1, by which it varies either way, so that many callers spread out. */
  readonly jitter: number
  /**
   * No wait of its own is longer, in milliseconds; and a provider that asks for a longer one is not
   * asked again: the agent decides what to do meanwhile. Default 60,000.
   */
  readonly longestWaitMs?: number
}

const LONGEST_WAIT_MS = 60_000

/** Two retries after 0.5 s and 1 s, each ±20 %. */
export const DEFAULT_RETRY: RetryPolicy = { retries: 2, baseMs: 500, factor: 2, jitter: 0.2 }

/**
 * How long to wait before the next attempt, or `undefined` when there is none. A provider that
 * says when to come back is obeyed, never met earlier.
 * @param random in [0, 1)
 */
export function waitBeforeRetry(
  policy: RetryPolicy,
  problem: Problem,
  random: number,
): number | undefined {
  if (!problem.retryable || problem.attempts > policy.retries) return undefined
  const longest = policy.longestWaitMs ?? LONGEST_WAIT_MS
  const asked = problem.retryAfterMs ?? 0
  if (asked > longest) return undefined
  const steady = policy.baseMs * policy.factor ** (problem.attempts - 1)
  const varied = steady * (1 + policy.jitter * (2 * random - 1))
  return Math.max(Math.min(varied, longest), asked)
}
