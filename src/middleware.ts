export { defineMiddleware } from './core/define-middleware.ts'
export type { Log, LogLevel, LogRecord } from './core/log.ts'
export type {
  Immutable,
  Layer,
  MiddlewareContext,
  MiddlewareHooks,
  MiddlewareHost,
  MiddlewareSpec,
  ModelCall,
  ModelOutcome,
  Pipeline,
  Prompt,
  Replaceable,
  TextTransform,
  ToolRequest,
  Turn,
  TurnEnd,
} from './core/middleware.ts'
export type { PermitRequest, Verdict } from './core/permission.ts'
export type { CacheStore, SharedStates } from './core/ports.ts'
export { DEFAULT_REDACTION, type RedactionPolicy } from './core/redaction.ts'
export { DEFAULT_RETRY, type RetryPolicy } from './core/retry-policy.ts'
export type { Migrations, StateSchema, StateScope, StateSpec } from './core/state.ts'
export { caching, type CachingOptions } from './middleware/caching.ts'
export {
  circuitBreaker,
  type CircuitBreakerOptions,
  type CircuitBreakerState,
} from './middleware/circuit-breaker.ts'
export { compose } from './middleware/compose.ts'
export {
  errorTracking,
  type ErrorTrackingOptions,
  type ErrorTrackingState,
} from './middleware/error-tracking.ts'
export {
  fallback,
  type FallbackChain,
  fallbackChain,
  type FallbackModel,
  FALLS_BACK_ON,
} from './middleware/fallback.ts'
export { logging, type LoggingOptions } from './middleware/logging.ts'
export { memoryCache, type MemoryCacheOptions } from './middleware/memory-cache.ts'
export {
  type FirstOptions,
  parallel,
  type ParallelOptions,
  type VoteOptions,
} from './middleware/parallel.ts'
export {
  type CallInQuestion,
  type PermissionOptions,
  type PermissionRule,
  permissions,
  type PermissionState,
} from './middleware/permissions.ts'
export { piiRedaction, type PiiRedactionOptions } from './middleware/pii-redaction.ts'
export {
  providerBreaker,
  type ProviderBreakerOptions,
  type ProviderBreakerState,
} from './middleware/provider-breaker.ts'
export { retry, type RetryOptions, type RetryRule } from './middleware/retry.ts'
export {
  shadow,
  type ShadowCount,
  type ShadowOptions,
  type ShadowState,
} from './middleware/shadow.ts'
export {
  type TextReplacement,
  transformText,
  type TextTransformOptions,
} from './middleware/text-transform.ts'
export { timeout, type TimeoutOptions } from './middleware/timeout.ts'
