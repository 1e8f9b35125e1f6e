import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import type {
  Layer,
  MiddlewareContext,
  ModelCall,
  ModelOutcome,
} from '../../core/extension/middleware.ts'
import type { Failed } from '../../core/agent/observation.ts'
import { type ProblemCode, PROBLEMS } from '../../core/model/problem.ts'
import { signalOf } from './given-up.ts'
import { type Known, knownOptions } from '../option-check.ts'

/** A model that takes over. */
export interface FallbackModel {
  /** Such as `openai/gpt-5-nano`. */
  readonly model: string
  /** Failures after which it is asked. Default `FALLS_BACK_ON`. */
  readonly on?: readonly ProblemCode[]
}

/**
 * Failures after which another model may do better. Not one that lies in the request itself, or in
 * its being given up; nor a refusal of the content, which is not to be shopped around.
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

/**
 * Models that take over, in this order, when the one that the call is for fails; the conversation
 * is the same for each. Tells `fallback` when one takes over. When all fail, the last failure is
 * the outcome, and says what was tried. A call that is refused goes to no other model.
 * @throws EchelonError INVALID_CONFIG for a list without a model
 */
export function fallback(
  models: readonly (string | FallbackModel)[],
): Layer<'fallback', undefined> {
  return layerOf(undefined, models.map(toFallback))
}

/** A chain under way; `or` gives a new one. */
export interface FallbackChain {
  /** The next model, and the failures after which it is asked; default `FALLS_BACK_ON`. */
  or(model: string, options?: Pick<FallbackModel, 'on'>): FallbackChain
  /** @throws EchelonError INVALID_CONFIG for a chain of one model */
  build(): Layer<'fallback', undefined>
}

/**
 * A chain that begins with a model of its own, whatever the role is bound to:
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
): Layer<'fallback', undefined> {
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
    // What the budget refuses leaves the failure that asked for it.
    if (outcome_.type === 'refused') break
    last = outcome_
    tried.push({ model, failure: outcome_ })
  }
  return toldOf(tried, last)
}

type Context = MiddlewareContext<undefined>

interface Tried {
  readonly model: string
  readonly failure: Failed
}

function toldOf(tried: readonly Tried[], last: Failed): Failed {
  if (tried.length === 1) return last
  const list = tried.map(({ model, failure }) => `${model}: ${failure.error.code}`).join(', ')
  const attempts = tried.reduce((sum, { failure }) => sum + failure.error.attempts, 0)
  const message = `${last.error.message} (tried ${list})`
  return { ...last, error: { ...last.error, message, attempts } }
}
