import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext, ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import type { Failed } from '../../core/agent/observation.ts'
import { utf8Bytes } from '../../core/value/utf8.ts'
import { abortedCall, signalOf } from './given-up.ts'
import { type By, BYS, nameBy, ruleFor } from './model-rules.ts'
import { atLeast, type Known, knownOptions, wholeFrom } from '../option-check.ts'
import { RateWindow } from './rate-window.ts'
import { WaitingLine } from './waiting-line.ts'

/** Limits for any 60 seconds. An omitted field has no limit. */
export interface RateLimit {
  readonly requestsPerMinute?: number
  /** In and out. */
  readonly tokensPerMinute?: number
}

export interface RateLimitOptions extends RateLimit {
  /** Whether limits apply per model, or all models of a provider share them. Default `model`. */
  readonly by?: By
  /**
   * Limits by prefix of the model name, such as `openai/`; with `by: 'provider'`, of the provider name.
   * The longest matching prefix applies; omitted fields are as for all.
   */
  readonly models?: Readonly<Record<string, RateLimit>>
  /** Maximum wait of a call, in milliseconds; 0 refuses at once. Default 30,000. */
  readonly maxWaitMs?: number
  /**
   * Estimates the tokens of a call, in and out, until its usage is known. Default: a quarter of its
   * bytes plus its `maxTokens`, or 1,000 without it.
   */
  readonly estimate?: (call: ModelCall) => number
}

/**
 * Limits model calls to so many requests and tokens in any 60 seconds. Excess calls wait in order, up to
 * `maxWaitMs`, and then fail as `rate-limit` (at once if the wait is known to be too long), so that an
 * outer fallback takes over. A cancel ends the wait. After a provider's own rate limit error, nothing is
 * sent to it for as long as it asks, ten minutes at most. Tokens count as estimated until the answer
 * reports them; an estimate that is too low lets through that much too many. Emits `wait` and `refuse`.
 * Place it inside `retry`, so that each attempt counts: the runtime's own retries count as one call. The
 * limit applies to all runs and agents that are given this same middleware, in one process; divide it among
 * several processes.
 *
 * On resume: nothing is recorded. Recorded answers are not requested again and do not count; a new
 * process starts with an empty window, so that for a minute after a restart only the provider's own limit
 * applies, and its requests to wait are respected.
 * @throws EchelonError INVALID_CONFIG for an invalid option, or without any limit
 */
export function rateLimit(options: RateLimitOptions): Middleware<'rateLimit', undefined> {
  knownOptions('rateLimit', options, OPTIONS)
  const { models = {}, maxWaitMs = 30_000 } = options
  for (const one of Object.values(models)) knownOptions('rateLimit: models', one, LIMIT)
  for (const one of [options, ...Object.values(models)]) {
    const { requestsPerMinute, tokensPerMinute } = one
    wholeFrom(1, 'rateLimit', { requestsPerMinute, tokensPerMinute })
  }
  if (![options, ...Object.values(models)].some(isLimit)) throw noLimit()
  atLeast(0, 'rateLimit', { maxWaitMs })
  const { by = 'model', estimate = estimated } = options
  const ofModel = Object.keys(models).find((name) => by === 'provider' && /\/./.test(name))
  if (ofModel !== undefined) throw notOfProvider(ofModel)
  const lines = new Lines(options)
  return defineMiddleware({
    name: 'rateLimit',
    namespace: 'echelon',
    async generate(call, next, context) {
      const name = nameBy(by, calledModel(call))
      const line = lines.of(name, context.run.clock.now())
      if (line === undefined) return next(call)
      return limited(call, next, { context, name, line, maxWaitMs, estimate })
    },
  })()
}

const LIMIT: Known<RateLimit> = { requestsPerMinute: true, tokensPerMinute: true }

const OPTIONS: Known<RateLimitOptions> = {
  ...LIMIT,
  by: BYS,
  models: true,
  maxWaitMs: true,
  estimate: true,
}

const MINUTE = 60_000
/** After this a provider that asks for more is called again: its request may be a mistake. */
const LONGEST_SILENCE_MS = 600_000
const MOST_LINES = 100

const isLimit = ({ requestsPerMinute, tokensPerMinute }: RateLimit): boolean =>
  requestsPerMinute !== undefined || tokensPerMinute !== undefined

const notOfProvider = (name: string): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `rateLimit: by provider there is no limit for ${name}; name a provider, or leave out by`,
  )

const noLimit = (): EchelonError =>
  new EchelonError('INVALID_CONFIG', 'rateLimit: give requestsPerMinute, tokensPerMinute or both')

interface Line {
  readonly window: RateWindow
  readonly waiting: WaitingLine
}

/** A line for each name; unused ones are dropped. */
class Lines {
  readonly #options: RateLimitOptions
  readonly #lines = new Map<string, Line>()

  constructor(options: RateLimitOptions) {
    this.#options = options
  }

  /** Undefined without a limit. */
  of(name: string, now: number): Line | undefined {
    const had = this.#lines.get(name)
    if (had !== undefined) return had
    const { models = {}, by } = this.#options
    const rule = ruleFor(models, by === 'provider' ? `${name}/` : name)
    const limit = { ...this.#options, ...rule }
    if (!isLimit(limit)) return undefined
    if (this.#lines.size >= MOST_LINES) this.#clear(now)
    const { requestsPerMinute = Infinity, tokensPerMinute = Infinity } = limit
    const window = new RateWindow({ requests: requestsPerMinute, tokens: tokensPerMinute }, MINUTE)
    const line = { window, waiting: new WaitingLine(window) }
    this.#lines.set(name, line)
    return line
  }

  #clear(now: number): void {
    for (const [name, { waiting }] of this.#lines) {
      if (waiting.isIdle(now)) this.#lines.delete(name)
    }
  }
}

interface Rules {
  readonly context: MiddlewareContext<undefined>
  readonly name: string
  readonly line: Line
  readonly maxWaitMs: number
  readonly estimate: (call: ModelCall) => number
}

async function limited(
  call: ModelCall,
  next: (call: ModelCall) => Promise<ModelOutcome>,
  { context, name, line, maxWaitMs, estimate }: Rules,
): Promise<ModelOutcome> {
  const { run } = context
  const { clock } = run
  const thought = tokensOr(0, estimate(call))
  const turn = await line.waiting.enter(thought, {
    clock,
    ms: Math.min(maxWaitMs, run.msLeft),
    signal: signalOf(call, run),
    onWait: (ahead) => context.emit('wait', { of: name, ahead }),
  })
  if (turn.type === 'aborted') return abortedCall(0)
  if (turn.type === 'late') {
    context.emit('refuse', { of: name, waitMs: turn.waitMs })
    return refused(name, turn.waitMs)
  }
  // The estimate stays if the call does not report its usage.
  let took: number | undefined = thought
  try {
    const outcome = await next(call)
    took = tokensOf(outcome, thought)
    line.window.closeUntil(clock.now() + silenceAsked(outcome))
    return outcome
  } finally {
    line.waiting.settle(turn.admitted, took)
  }
}

/** Milliseconds. Not for a refusal by our own inner limit. */
function silenceAsked(outcome: ModelOutcome): number {
  if (outcome.type !== 'failed') return 0
  const { code, attempts, retryAfterMs = 0 } = outcome.error
  const isAsked = code === 'rate-limit' && attempts > 0 && retryAfterMs > 0
  return isAsked ? Math.min(retryAfterMs, LONGEST_SILENCE_MS) : 0
}

/** Undefined for a call that was not made. */
function tokensOf(outcome: ModelOutcome, thought: number): number | undefined {
  if (outcome.type === 'generated') {
    const { input, output } = outcome.usage
    // An answer never takes zero tokens: the provider does not report them.
    return tokensOr(thought, input + output) || thought
  }
  const isMade = outcome.type === 'failed' && outcome.error.attempts > 0
  return isMade ? thought : undefined
}

const tokensOr = (otherwise: number, tokens: number): number =>
  Number.isFinite(tokens) && tokens >= 0 ? tokens : otherwise

const BYTES_PER_TOKEN = 4
const ANSWER_TOKENS = 1000

function estimated({ prompt, tools, schema, maxTokens }: ModelCall): number {
  const added = JSON.stringify([prompt.head, prompt.tail, tools ?? [], schema ?? null])
  const bytes = prompt.thread.bytesFrom(0) + utf8Bytes(added)
  return Math.ceil(bytes / BYTES_PER_TOKEN) + (maxTokens ?? ANSWER_TOKENS)
}

const refused = (name: string, waitMs: number): Failed => ({
  type: 'failed',
  error: {
    code: 'rate-limit',
    message: `${name} is called as often as its limit allows; it may be called again in ${Math.ceil(waitMs / 1000)} s`,
    // It has waited its maximum: another model may be called meanwhile.
    retryable: false,
    attempts: 0,
    retryAfterMs: waitMs,
  },
})
