import { pause } from '../../core/value/abortable.ts'
import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext, ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import type { Failed } from '../../core/agent/observation.ts'
import { type Problem, type ProblemCode, PROBLEMS } from '../../core/model/problem.ts'
import { type RetryPolicy, waitBeforeRetry } from '../../core/model/retry-policy.ts'
import { abortedCall, signalOf } from './given-up.ts'
import { type Known, knownOptions } from '../option-check.ts'
import { completePolicy } from './retry-check.ts'

/** Options for retries of failed model calls. Omitted fields are as in `DEFAULT_RETRY`. */
export interface RetryRule extends Partial<RetryPolicy> {
  /** Failures to retry. Default: those that the provider marks as retryable. */
  readonly on?: readonly ProblemCode[]
  /**
   * Whether to retry after part of the answer was shown. Listeners then get `text-drop` to discard it.
   * Default true.
   */
  readonly afterText?: boolean
}

export interface RetryOptions extends RetryRule {
  /**
   * Rules for some models, by name prefix, such as `openai/`. The longest matching prefix applies;
   * omitted fields are as for all models.
   */
  readonly models?: Readonly<Record<string, RetryRule>>
}

/**
 * Retries failed model calls, in place of the runtime's own retry: with waits that double, and never
 * earlier than the provider asks. Each attempt is metered. Emits `retry` before each wait. Returns the
 * failure when the wait would exceed the run's time, or when the budget is used up. Tools keep their
 * own retry settings.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export function retry(options: RetryOptions = {}): Middleware<'retry', undefined> {
  knownOptions('retry', options, OPTIONS)
  const { models = {}, ...common } = options
  for (const rule of Object.values(models)) knownOptions('retry: models', rule, RULE)
  const rules = Object.entries(models)
    .map(([prefix, rule]) => ({ prefix, rule: settled({ ...common, ...rule }) }))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  const usual = settled(common)
  const ruleFor = (model: string): Rule =>
    rules.find(({ prefix }) => model.startsWith(prefix))?.rule ?? usual
  return defineMiddleware({
    name: 'retry',
    namespace: 'echelon',
    replaces: ['retry'],
    generate: (call, next, context) =>
      untilDone(call, next, { context, rule: ruleFor(calledModel(call)) }),
  })()
}

const RULE: Known<RetryRule> = {
  retries: true,
  baseMs: true,
  factor: true,
  jitter: true,
  longestWaitMs: true,
  on: Object.keys(PROBLEMS),
  afterText: true,
}

const OPTIONS: Known<RetryOptions> = { ...RULE, models: true }

interface Rule extends RetryPolicy {
  readonly on: ReadonlySet<ProblemCode> | undefined
  readonly afterText: boolean
}

function settled({ on, afterText = true, ...policy }: RetryRule): Rule {
  return { ...completePolicy('retry', policy), on: on && new Set(on), afterText }
}

async function untilDone(
  call: ModelCall,
  next: (call: ModelCall) => Promise<ModelOutcome>,
  { context, rule }: { readonly context: MiddlewareContext<undefined>; readonly rule: Rule },
): Promise<ModelOutcome> {
  const { run } = context
  const signal = signalOf(call, run)
  const listened = listening(call)
  let attempts = 0
  let failure: Failed | undefined
  for (let tries = 1; ; tries++) {
    const outcome = await next(listened.call)
    if (outcome.type === 'generated') return outcome
    // If the budget refuses a retry, the outcome is the earlier failure.
    if (outcome.type === 'refused') return failure ?? outcome
    attempts += outcome.error.attempts
    failure = { ...outcome, error: { ...outcome.error, attempts } }
    if (listened.heard() && !rule.afterText) return failure
    const waitMs = waitBeforeRetry(rule, judged(outcome.error, rule, tries), run.random())
    if (waitMs === undefined || waitMs >= run.msLeft || !run.mayCall(call.role)) return failure
    const { code, message } = outcome.error
    context.emit('retry', { model: calledModel(call), attempt: tries, code, message, waitMs })
    await pause(run.clock, waitMs, signal)
    if (signal.aborted) return abortedCall(attempts)
  }
}

/** The problem as the policy sees it: only this middleware's attempts count. */
function judged(problem: Problem, { on }: Rule, tries: number): Problem {
  const retryable = on === undefined ? problem.retryable : on.has(problem.code)
  return { ...problem, retryable, attempts: tries }
}

/** The call, and whether part of its answer was shown. */
function listening(call: ModelCall): { readonly call: ModelCall; readonly heard: () => boolean } {
  const { onText } = call
  if (onText === undefined) return { call, heard: () => false }
  let heard = false
  const told = (delta: string): void => {
    heard = true
    onText(delta)
  }
  return { call: { ...call, onText: told }, heard: () => heard }
}
