export { defineMiddleware } from './core/extension/define-middleware.ts'
export type { Log, LogLevel, LogRecord } from './core/observability/log.ts'
export type { Middleware, MiddlewareSpec } from './core/extension/defined-middleware.ts'
export type {
  Immutable,
  MiddlewareContext,
  MiddlewareHooks,
  MiddlewareRun,
  ModelCall,
  ModelOutcome,
  Pipeline,
  Prompt,
  Replaceable,
  TextTransform,
  ToolRequest,
  Turn,
  TurnEnd,
} from './core/extension/middleware.ts'
export type { Difference } from './core/statistics/difference.ts'
export type { Estimate } from './core/statistics/intervals.ts'
export type { PermitRequest, Verdict } from './core/agent/permission.ts'
export type { CacheStore, SharedStates } from './core/agent/ports.ts'
export { DEFAULT_REDACTION, type RedactionPolicy } from './core/redaction/redaction.ts'
export { DEFAULT_RETRY, type RetryPolicy } from './core/model/retry-policy.ts'
export type { Migrations, StateSchema, StateScope, StateSpec } from './core/state/state.ts'
export { framed } from './core/message/untrusted-text.ts'
export {
  type ModelSummary,
  type Summarise,
  type SummariseContext,
  summariseWith,
  summarising,
  type SummarisingOptions,
  type SummaryState,
} from './middleware/history/summarising.ts'
export {
  type AbComparison,
  type AbFigures,
  type AbResults,
  abResults,
  type AbRun,
} from './middleware/experiment/ab-results.ts'
export {
  type AbJudged,
  abSplit,
  type AbSplitOptions,
  type AbSplitState,
  type AbVariant,
} from './middleware/experiment/ab-split.ts'
export { caching, type CachingOptions } from './middleware/cache/caching.ts'
export { cascade, type CascadeOptions } from './middleware/cascade/cascade.ts'
export type { CascadedAnswer, CascadeState } from './middleware/cascade/cascade-state.ts'
export {
  circuitBreaker,
  type CircuitBreakerOptions,
  type CircuitBreakerState,
} from './middleware/reliability/circuit-breaker.ts'
export type { ChoiceFigures, ChoiceWeights } from './middleware/reliability/choice-figures.ts'
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
} from './middleware/reliability/error-tracking.ts'
export {
  fallback,
  type FallbackChain,
  fallbackChain,
  type FallbackModel,
} from './middleware/reliability/fallback.ts'
export { FALLS_BACK_ON } from './core/model/falls-back-on.ts'
export { logging, type LoggingOptions } from './middleware/logging.ts'
export { memoryCache, type MemoryCacheOptions } from './middleware/cache/memory-cache.ts'
export {
  type FirstAnswerOptions,
  parallel,
  type ParallelOptions,
  type VoteOptions,
} from './middleware/experiment/parallel.ts'
export {
  type CallInQuestion,
  type PermissionOptions,
  type PermissionRule,
  permissions,
  type PermissionState,
} from './middleware/permissions.ts'
export { piiRedaction, type PiiRedactionOptions } from './middleware/text/pii-redaction.ts'
export {
  providerBreaker,
  type ProviderBreakerOptions,
  type ProviderBreakerState,
} from './middleware/reliability/provider-breaker.ts'
export {
  type ChoiceGoal,
  providerChoice,
  type ProviderChoiceOptions,
  type ProviderChoiceState,
} from './middleware/reliability/provider-choice.ts'
export {
  type Health,
  type HealthFigures,
  type ProviderHealth,
  providerHealth,
  type ProviderHealthOptions,
  type ProviderHealthState,
} from './middleware/reliability/provider-health.ts'
export {
  rateLimit,
  type RateLimit,
  type RateLimitOptions,
} from './middleware/reliability/rate-limit.ts'
export { retry, type RetryOptions, type RetryRule } from './middleware/reliability/retry.ts'
export {
  shadow,
  type ShadowCount,
  type ShadowOptions,
  type ShadowState,
} from './middleware/experiment/shadow.ts'
export {
  type TextReplacement,
  transformText,
  type TextTransformOptions,
} from './middleware/text/text-transform.ts'
export type { Spending } from './middleware/spending.ts'
export { timeout, type TimeoutOptions } from './middleware/reliability/timeout.ts'
export {
  untrustedText,
  type UntrustedTextOptions,
  type UntrustedTextState,
} from './middleware/text/untrusted-text.ts'
export {
  historyReduction,
  type HistoryReductionOptions,
} from './middleware/history/history-reduction.ts'
