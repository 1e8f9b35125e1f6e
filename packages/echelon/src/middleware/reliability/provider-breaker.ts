import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext, ModelOutcome } from '../../core/extension/middleware.ts'
import type { Failed } from '../../core/agent/observation.ts'
import { type ProblemCode, PROBLEMS } from '../../core/model/problem.ts'
import { isCount, isTable, rowOf, type Table, withoutRow, withRow } from './bounded-table.ts'
import { atLeast, type Known, knownOptions, wholeFrom } from '../option-check.ts'

export interface ProviderBreakerOptions {
  /** Consecutive failures of a model that open its circuit. Default 5. */
  readonly limit?: number
  /**
   * Time that the circuit stays open, in milliseconds; then one call tests the model. Default 30,000.
   */
  readonly cooldownMs?: number
  /**
   * Failures that count: those caused by the provider, not by the request. Default rate-limit, timeout,
   * unavailable and unknown.
   */
  readonly on?: readonly ProblemCode[]
}

/** The state of failing models, shared by all runs. A model that answers has no row. */
export interface ProviderBreakerState {
  readonly models: Table<ModelHealth>
}

interface ModelHealth {
  /** Consecutive failures. */
  readonly errors: number
  /** When the circuit opened, in milliseconds since the epoch; `null` while it is closed. */
  readonly openedAt: number | null
}

/**
 * Stops calling a model that keeps failing: while the circuit is open, a call fails at once as
 * `unavailable` without reaching the model, so that an outer fallback takes over. After the cooldown
 * one call tests the model: an answer closes the circuit, a failure opens it again. Emits `open`, `try`
 * and `close`. Place it inside `fallback` and outside `retry`, which would wait for the cooldown. All
 * runs share its state.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export function providerBreaker(
  options: ProviderBreakerOptions = {},
): Middleware<'providerBreaker', ProviderBreakerState> {
  knownOptions('providerBreaker', options, OPTIONS)
  const { limit = 5, cooldownMs = 30_000, on = COUNTS } = options
  wholeFrom(1, 'providerBreaker', { limit })
  atLeast(1, 'providerBreaker', { cooldownMs })
  return defineMiddleware({
    name: 'providerBreaker',
    namespace: 'echelon',
    state: { scope: 'shared', version: 1, schema: SCHEMA, initial: INITIAL },
    async generate(call, next, context) {
      const model = calledModel(call)
      const now = context.run.clock.now()
      const before = rowOf(context.state.models, model)
      const openedAt = before?.openedAt ?? null
      if (before === undefined || openedAt === null) {
        return learned(await next(call), { context, model, limit, on })
      }
      const waitMs = openedAt + cooldownMs - now
      if (waitMs > 0) return leftAlone(model, before.errors, waitMs)
      context.emit('try', { model })
      // It stays open for other calls during the test.
      keep(context, model, { ...before, openedAt: now })
      const outcome = await next(call)
      const isTold = outcome.type === 'generated' || counts(outcome, on)
      if (isTold) return learned(outcome, { context, model, limit, on })
      // The test was inconclusive: the next call tests again.
      if (rowOf(context.state.models, model)?.openedAt === now) keep(context, model, before)
      return outcome
    },
  })()
}

const COUNTS: readonly ProblemCode[] = ['rate-limit', 'timeout', 'unavailable', 'unknown']

const OPTIONS: Known<ProviderBreakerOptions> = {
  limit: true,
  cooldownMs: true,
  on: Object.keys(PROBLEMS),
}

type Context = MiddlewareContext<ProviderBreakerState>

interface Rules {
  readonly context: Context
  readonly model: string
  readonly limit: number
  readonly on: readonly ProblemCode[]
}

const counts = (outcome: ModelOutcome, on: readonly ProblemCode[]): outcome is Failed =>
  outcome.type === 'failed' && on.includes(outcome.error.code) && !isOwnLimit(outcome)

/** An inner rate limit refused the call before it reached the provider. */
const isOwnLimit = ({ error }: Failed): boolean =>
  error.code === 'rate-limit' && error.attempts === 0

function learned(outcome: ModelOutcome, { context, model, limit, on }: Rules): ModelOutcome {
  const before = rowOf(context.state.models, model)
  if (outcome.type === 'generated') {
    if (before === undefined) return outcome
    context.update(({ models }) => ({ models: withoutRow(models, model) }))
    if (before.openedAt !== null) context.emit('close', { model })
  } else if (counts(outcome, on)) {
    const errors = (before?.errors ?? 0) + 1
    const isOpen = errors >= limit
    keep(context, model, { errors, openedAt: isOpen ? context.run.clock.now() : null })
    if (isOpen) context.emit('open', { model, errors, code: outcome.error.code })
  }
  return outcome
}

const keep = (context: Context, model: string, health: ModelHealth): void =>
  context.update(({ models }) => ({ models: withRow(models, model, health) }))

const leftAlone = (model: string, errors: number, retryAfterMs: number): Failed => ({
  type: 'failed',
  error: {
    code: 'unavailable',
    message: `${model} failed ${errors} times in a row and is not called for ${Math.ceil(retryAfterMs / 1000)} s more`,
    // Not retryable: another model may be called meanwhile.
    retryable: false,
    attempts: 0,
    retryAfterMs,
  },
})

const INITIAL: ProviderBreakerState = { models: {} }

const isHealth = (row: unknown): row is ModelHealth =>
  isRecord(row) &&
  isCount(row['errors']) &&
  (row['openedAt'] === null || typeof row['openedAt'] === 'number')

const SCHEMA = guardedSchema(
  {
    type: 'object',
    properties: {
      models: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: {
            errors: { type: 'integer', minimum: 0 },
            openedAt: { type: ['number', 'null'] },
          },
          required: ['errors', 'openedAt'],
        },
      },
    },
    required: ['models'],
  },
  (value): value is ProviderBreakerState => isRecord(value) && isTable(value['models'], isHealth),
)
