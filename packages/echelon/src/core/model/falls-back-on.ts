import type { ProblemCode } from './problem.ts'

/**
 * Failures after which another model may succeed. Excludes errors in the request itself, aborted calls,
 * and refused content, which must not be retried with other models.
 */
export const FALLS_BACK_ON: readonly ProblemCode[] = [
  'auth',
  'quota',
  'rate-limit',
  'context-length',
  'not-found',
  'timeout',
  'unavailable',
  'unknown',
]
