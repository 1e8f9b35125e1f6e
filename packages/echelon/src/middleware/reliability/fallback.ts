import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext, ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import type { Failed } from '../../core/agent/observation.ts'
import { FALLS_BACK_ON } from '../../core/model/falls-back-on.ts'
import { type ProblemCode, PROBLEMS } from '../../core/model/problem.ts'
import { signalOf } from './given-up.ts'
import { type Known, knownOptions } from '../option-check.ts'

/** A fallback model. */
export interface FallbackModel {
  /** Such as `openai/gpt-5-nano`. */
  readonly model: string
  /** Failures after which it is called. Default `FALLS_BACK_ON`. */
  readonly on?: readonly ProblemCode[]
}

/**
 * Tries other models in order when the requested model fails, with the same conversation. Emits
 * `fallback` when one takes over. When all fail, the outcome is the last failure, which lists the
 * attempts. A refused call goes to no other model.
 * @throws EchelonError INVALID_CONFIG for a list without a model
 */
export function fallback(
  models: readonly (string | FallbackModel)[],
): Middleware<'fallback', undefined> {
  return layerOf(undefined, models.map(toFallback))
}

/** A fallback chain being built; `or` returns a new one. */
export interface FallbackChain {
  /** Adds the next model and the failures after which it is called; default `FALLS_BACK_ON`. */
  or(model: string, options?: Pick<FallbackModel, 'on'>): FallbackChain
  /** @throws EchelonError INVALID_CONFIG for a chain of one model */
  build(): Middleware<'fallback', undefined>
}

/**
 * Starts a chain with its own first model, whatever model the role has:
 * `fallbackChain('anthropic/claude-sonnet-4-5').or('openai/gpt-5', { on: ['unavailable'] }).build()`.
 */
export function fallbackChain(first: string): FallbackChain {
  return chainOf(first, [])
}

function chainOf(first: string, rest: readonly FallbackModel[]): FallbackChain {
  return {
    or: (model, options = {}) => chainOf(first, [...rest, { ...options, model }]),
    build: () => layerOf(first, rest),
  }
}

const toFallback = (given: string | FallbackModel): FallbackModel =>
  typeof given === 'string' ? { model: given } : given

const MODEL: Known<FallbackModel> = { model: true, on: Object.keys(PROBLEMS) }

function layerOf(
  first: string | undefined,
  rest: readonly FallbackModel[],
): Middleware<'fallback', undefined> {
  for (const one of rest) knownOptions('fallback', one, MODEL)
  if (rest.length === 0 || rest.some(({ model }) => model === '')) {
    throw new EchelonError('INVALID_CONFIG', 'fallback: name at least one model to fall back on')
  }
  return defineMiddleware({
    name: 'fallback',
    namespace: 'echelon',
    generate: (call, next, context) =>
      firstThatAnswers(first === undefined ? call : { ...call, model: first }, next, {
        rest,
        context,
      }),
  })()
}

async function firstThatAnswers(
  call: ModelCall,
  next: (call: ModelCall) => Promise<ModelOutcome>,
  { rest, context }: { readonly rest: readonly FallbackModel[]; readonly context: Context },
): Promise<ModelOutcome> {
  const outcome = await next(call)
  if (outcome.type !== 'failed') return outcome
  const tried: Tried[] = [{ model: calledModel(call), failure: outcome }]
  let last = outcome
  for (const { model, on = FALLS_BACK_ON } of rest) {
    if (tried.some((one) => one.model === model)) continue
    if (!on.includes(last.error.code)) continue
    if (signalOf(call, context.run).aborted) break
    const from = tried.at(-1)?.model ?? null
    context.emit('fallback', { from, to: model, code: last.error.code })
    const outcome_ = await next({ ...call, model })
    if (outcome_.type === 'generated') return outcome_
    // If the budget refuses the next model, the outcome is the earlier failure.
    if (outcome_.type === 'refused') break
    last = outcome_
    tried.push({ model, failure: outcome_ })
  }
  return withAttempts(tried, last)
}

type Context = MiddlewareContext<undefined>

interface Tried {
  readonly model: string
  readonly failure: Failed
}

function withAttempts(tried: readonly Tried[], last: Failed): Failed {
  if (tried.length === 1) return last
  const list = tried.map(({ model, failure }) => `${model}: ${failure.error.code}`).join(', ')
  const attempts = tried.reduce((sum, { failure }) => sum + failure.error.attempts, 0)
  const message = `${last.error.message} (tried ${list})`
  return { ...last, error: { ...last.error, message, attempts } }
}
