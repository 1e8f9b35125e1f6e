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
export type { Difference } from './core/difference.ts'
export type { Estimate } from './core/intervals.ts'
export type { PermitRequest, Verdict } from './core/permission.ts'
export type { CacheStore, SharedStates } from './core/ports.ts'
export { DEFAULT_REDACTION, type RedactionPolicy } from './core/redaction.ts'
export { DEFAULT_RETRY, type RetryPolicy } from './core/retry-policy.ts'
export type { Migrations, StateSchema, StateScope, StateSpec } from './core/state.ts'
export { framed } from './core/untrusted-text.ts'
export {
  type ModelSummary,
  type Summarise,
  type SummariseContext,
  summariseWith,
  summarising,
  type SummarisingOptions,
  type SummaryState,
} from './memory/summarising.ts'
export {
  type AbComparison,
  type AbFigures,
  type AbResults,
  abResults,
  type AbRun,
} from './middleware/ab-results.ts'
export {
  type AbJudged,
  abSplit,
  type AbSplitOptions,
  type AbSplitState,
  type AbVariant,
} from './middleware/ab-split.ts'
export { caching, type CachingOptions } from './middleware/caching.ts'
export {
  circuitBreaker,
  type CircuitBreakerOptions,
  type CircuitBreakerState,
} from './middleware/circuit-breaker.ts'
export type { ChoiceFigures, ChoiceWeights } from './middleware/choice-figures.ts'
export { compose } from './middleware/compose.ts'
export {
  type CostAlert,
  costTracking,
  type CostTrackingOptions,
  type CostTrackingState,
} from './middleware/cost-tracking.ts'
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
  type FirstAnswerOptions,
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
export {
  type ChoiceGoal,
  providerChoice,
  type ProviderChoiceOptions,
  type ProviderChoiceState,
} from './middleware/provider-choice.ts'
export {
  type Health,
  type HealthFigures,
  type ProviderHealth,
  providerHealth,
  type ProviderHealthOptions,
  type ProviderHealthState,
} from './middleware/provider-health.ts'
export { rateLimit, type RateLimit, type RateLimitOptions } from './middleware/rate-limit.ts'
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
export type { Spending } from './middleware/spending.ts'
export { timeout, type TimeoutOptions } from './middleware/timeout.ts'
export {
  untrustedText,
  type UntrustedTextOptions,
  type UntrustedTextState,
} from './middleware/untrusted-text.ts'
