export { DEFAULT_RETRY, type RetryPolicy, waitBeforeRetry } from '../core/retry-policy.ts'
