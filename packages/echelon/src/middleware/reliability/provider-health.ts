import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext } from '../../core/extension/middleware.ts'
import type { Clock, SharedStates } from '../../core/agent/ports.ts'
import { isTable, rowOf, type Table, withLast } from './bounded-table.ts'
import {
  errorRate,
  failuresInARow,
  isLastCalls,
  LAST_CALLS_SCHEMA,
  type LastCalls,
  meanMs,
  NO_CALLS,
  p95Ms,
  type Sample,
  sampleOf,
  withSample,
} from './model-figures.ts'
import { type By, BYS, nameBy } from './model-rules.ts'
import { atLeast, type Known, knownOptions, wholeFrom } from '../option-check.ts'

/** The health of a model or a provider. */
export type Health = 'healthy' | 'degraded' | 'down'

export interface ProviderHealthOptions {
  /** Whether figures are kept for each model or for each provider. Default `model`. */
  readonly by?: By
  /** Number of recent calls to measure: 1 to 32. Default 20. */
  readonly window?: number
  /** Share of failures from which it is degraded, after at least five calls. Default 0.2. */
  readonly degradedErrors?: number
  /** 95th percentile of answers, in milliseconds, above which it is degraded. Default: none. */
  readonly degradedMs?: number
  /** Consecutive failures after which it is down. Default 3. */
  readonly downAfter?: number
  /** Time that it counts as down after its last failure, in milliseconds; then as degraded. Default 60,000. */
  readonly downMs?: number
}

/** The last calls of the eight models or providers called last, over all runs. */
export interface ProviderHealthState {
  readonly models: Table<LastCalls>
}

/** The figures of one model or provider. */
export interface HealthFigures {
  readonly health: Health
  /** The number of measured calls. */
  readonly calls: number
  /** Share of them that failed. */
  readonly errorRate: number
  /** Milliseconds of the answers among them; `null` if there are none. */
  readonly meanMs: number | null
  readonly p95Ms: number | null
  /** Milliseconds since the epoch of the last call. */
  readonly lastAt: number
  /** The last failure, however long ago. */
  readonly lastFailure: { readonly code: string; readonly at: number } | null
}

/** The middleware, with a view of its figures. */
export interface ProviderHealth extends Middleware<'providerHealth', ProviderHealthState> {
  /**
   * Current figures by model or provider, from the shared states that the middleware used last. Empty before
   * the first call. A name longer than 64 characters appears as its digest.
   */
  readonly health: () => Readonly<Record<string, HealthFigures>>
}

/**
 * Measures models: the failure rate, the latency and the last failure. Emits `change`, with the
 * figures, when one becomes healthy, degraded or down. It changes no calls: `providerBreaker` stops
 * calling a failing model, `providerChoice` selects one. Only failures of the provider count, not
 * refused requests or aborted calls. Place it innermost, so that it sees every attempt of `retry` and
 * `fallback` under the requested name; without `retry()`, the runtime's own retries are one call.
 *
 * On resume: figures are not journaled, since they describe the present. They live as long as the
 * shared states; a new process starts without any.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export function providerHealth(options: ProviderHealthOptions = {}): ProviderHealth {
  const rules = checked(options)
  let latest: { readonly shared: SharedStates; readonly clock: Clock } | undefined
  const middleware = defineMiddleware({
    name: 'providerHealth',
    namespace: 'echelon',
    state: { scope: 'shared', version: 1, schema: SCHEMA, initial: INITIAL },
    async generate(call, next, context) {
      const { clock, shared } = context.run
      latest = { shared, clock }
      const began = clock.now()
      const outcome = await next(call)
      const sample = sampleOf(outcome, { began, at: clock.now() })
      const name = nameBy(rules.by, calledModel(call))
      if (sample !== undefined) learn(context, name, { sample, rules })
      return outcome
    },
  })()
  const health = (): Readonly<Record<string, HealthFigures>> => {
    const stored = latest?.shared.get(middleware.key)
    if (latest === undefined || !isState(stored)) return {}
    const now = latest.clock.now()
    const rows = Object.entries(stored.models)
    return Object.fromEntries(rows.map(([name, calls]) => [name, figures(calls, rules, now)]))
  }
  return Object.freeze({ ...middleware, health })
}

type Rules = Required<ProviderHealthOptions>

const OPTIONS: Known<ProviderHealthOptions> = {
  by: BYS,
  window: true,
  degradedErrors: true,
  degradedMs: true,
  downAfter: true,
  downMs: true,
}

function checked(options: ProviderHealthOptions): Rules {
  knownOptions('providerHealth', options, OPTIONS)
  const { by = 'model', window = 20, degradedErrors = 0.2, degradedMs = Infinity } = options
  const { downAfter = 3, downMs = 60_000 } = options
  wholeFrom(1, 'providerHealth', { window, downAfter })
  atLeast(0, 'providerHealth', { degradedErrors, degradedMs, downMs })
  if (window > MOST_CALLS) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `providerHealth: window cannot be ${window}; give a whole number from 1 to ${MOST_CALLS}`,
    )
  }
  return { by, window, degradedErrors, degradedMs, downAfter, downMs }
}

// With names of 64 characters and times of 7 digits it stays below 4 KB.
const MOST_CALLS = 32
const MOST_NAMES = 8
/** With fewer calls, a single failure would exceed the rate. */
const LEAST_CALLS = 5

function figures(calls: LastCalls, rules: Rules, now: number): HealthFigures {
  return {
    health: healthOf(calls, rules, now),
    calls: calls.outcomes.length,
    errorRate: errorRate(calls) ?? 0,
    meanMs: meanMs(calls),
    p95Ms: p95Ms(calls),
    lastAt: calls.at,
    lastFailure: calls.failure,
  }
}

function healthOf(calls: LastCalls, rules: Rules, now: number): Health {
  const { degradedErrors, degradedMs, downAfter, downMs } = rules
  const failedAt = calls.failure?.at ?? -Infinity
  const isFailing = failuresInARow(calls) >= Math.min(downAfter, rules.window)
  if (isFailing) return now < failedAt + downMs ? 'down' : 'degraded'
  const errors = calls.outcomes.length < LEAST_CALLS ? 0 : (errorRate(calls) ?? 0)
  const isLate = (p95Ms(calls) ?? 0) > degradedMs
  return isLate || (errors > 0 && errors >= degradedErrors) ? 'degraded' : 'healthy'
}

function learn(
  { state, update, emit }: MiddlewareContext<ProviderHealthState>,
  name: string,
  { sample, rules }: { readonly sample: Sample; readonly rules: Rules },
): void {
  const before = rowOf(state.models, name) ?? NO_CALLS
  const after = withSample(before, sample, rules.window)
  update(({ models }) => ({ models: withLast(models, name, after, MOST_NAMES) }))
  // As of its last call: health that improves only because time passes emits nothing.
  const from = healthOf(before, rules, before.at)
  const { health: to, calls, errorRate: errors, p95Ms: p95 } = figures(after, rules, sample.at)
  if (from === to) return
  emit('change', { of: name, from, to, calls, errorRate: errors, p95Ms: p95 })
}

const INITIAL: ProviderHealthState = { models: {} }

const isState = (value: unknown): value is ProviderHealthState =>
  isRecord(value) && isTable(value['models'], isLastCalls)

const SCHEMA = guardedSchema(
  {
    type: 'object',
    properties: { models: { type: 'object', additionalProperties: LAST_CALLS_SCHEMA } },
    required: ['models'],
  },
  isState,
)
