import { DEFAULT_RETRY, type RetryPolicy } from '../../core/model/retry-policy.ts'
import { atLeast, wholeFrom } from '../option-check.ts'

/**
 * Completes a policy with `DEFAULT_RETRY`.
 * @throws EchelonError INVALID_CONFIG for an invalid number
 */
export function completePolicy(owner: string, given: Partial<RetryPolicy>): RetryPolicy {
  const policy = { ...DEFAULT_RETRY, ...given }
  const { retries, baseMs, jitter, longestWaitMs, factor } = policy
  wholeFrom(0, owner, { retries })
  atLeast(0, owner, { baseMs, jitter, longestWaitMs })
  atLeast(1, owner, { factor })
  return policy
}
