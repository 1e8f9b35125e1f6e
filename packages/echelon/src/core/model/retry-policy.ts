import type { Problem } from './problem.ts'

/** Number of retries of a failed call, and the waits between them. */
export interface RetryPolicy {
  /** Retries after the first attempt. */
  readonly retries: number
  /** Wait before the first retry, in milliseconds. */
  readonly baseMs: number
  readonly factor: number
  /** Share of the wait, 0 to 1, by which it varies randomly either way, to spread out callers. */
  readonly jitter: number
  /**
   * Maximum wait in milliseconds. If a provider asks for a longer one, the call is not retried, and the
   * agent decides what to do. Default 60,000.
   */
  readonly longestWaitMs?: number
}

const LONGEST_WAIT_MS = 60_000

/** Two retries after 0.5 s and 1 s, each ±20 %. */
export const DEFAULT_RETRY: RetryPolicy = { retries: 2, baseMs: 500, factor: 2, jitter: 0.2 }

/**
 * Returns the wait before the next attempt in milliseconds, or `undefined` for no retry. It is never
 * shorter than the wait that the provider asked for.
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
