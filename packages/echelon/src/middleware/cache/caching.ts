import { within } from '../../core/value/abortable.ts'
import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext, ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import type { Generated } from '../../core/agent/observation.ts'
import type { CacheStore } from '../../core/agent/ports.ts'
import { cacheKey } from './cache-key.ts'
import { abortedCall, signalOf } from '../reliability/given-up.ts'
import {
  asFree,
  fromStored,
  isWhole,
  type CachedAnswer,
  toCachedAnswer,
  sayAgain,
  toStored,
} from './cached-answer.ts'
import { memoryCache } from './memory-cache.ts'
import { atLeast, type Known, knownOptions } from '../option-check.ts'
import { type Patience, SharedRequest } from './shared-request.ts'

export interface CachingOptions {
  /** Lifetime of an answer, in milliseconds. Default 300,000: five minutes. */
  readonly ttlMs?: number
  /** The store of the answers. Default: `memoryCache` in this process, with its own bounds. */
  readonly store?: CacheStore
  /** The longest to wait for the store, in milliseconds. Default 1,000. */
  readonly storeMs?: number
  /** Hash to shorten keys, SHA-256 or stronger. Default: the whole text is the key. */
  readonly hash?: (text: string) => string
  /**
   * Selects the calls to cache; default all. Exclude calls whose answers should differ, such as several
   * votes on one question.
   */
  readonly only?: (call: ModelCall) => boolean
  /** Whether to cache answers that call tools. Default true. */
  readonly toolCalls?: boolean
  /**
   * A part of every key: change it with anything that a key does not contain, such as a base URL.
   * Otherwise a switch to another server with a model of the same name gets old answers.
   */
  readonly version?: string
}

const made = new WeakMap<Middleware, CachingOptions>()

/** The options of a `caching` middleware, to create the same middleware with another store. */
export const cachingOptionsOf = (middleware: Middleware): CachingOptions | undefined =>
  made.get(middleware)

/**
 * Answers a repeated call from the cache at no cost, in the original stream pieces. Calls are equal
 * when caller, model, options, tools and messages are. Equal concurrent calls share one request, which
 * continues while any caller waits; the first caller pays. If that caller leaves, the others' answer
 * has the tokens and an unknown cost (`null`). Only complete answers are kept and shared: no refusals
 * and no truncated answers; failures are never kept. An answer by another model than the agent had at
 * the request, such as a fallback or the target of a concurrent switch, is not kept either. The store
 * receives the conversation of each answer, so that both can be deleted together. A failing store does
 * not fail the call. Emits `hit`, `shared` and `store-failed`.
 * @throws EchelonError INVALID_CONFIG for an invalid option
 */
export function caching(options: CachingOptions = {}): Middleware<'caching', undefined> {
  knownOptions('caching', options, OPTIONS)
  const { ttlMs = 300_000, storeMs = 1000 } = options
  atLeast(1, 'caching', { ttlMs, storeMs })
  const cache = new Cache({ ...options, ttlMs, storeMs })
  const middleware = defineMiddleware({
    name: 'caching',
    namespace: 'echelon',
    generate: (call, next, context) => cache.answer(call, { next, context }),
  })()
  made.set(middleware, options)
  return middleware
}

const OPTIONS: Known<CachingOptions> = {
  ttlMs: true,
  store: true,
  storeMs: true,
  hash: true,
  only: true,
  toolCalls: true,
  version: true,
}

type Settings = CachingOptions & Required<Pick<CachingOptions, 'ttlMs' | 'storeMs'>>

interface Caller {
  readonly next: (call: ModelCall) => Promise<ModelOutcome>
  readonly context: MiddlewareContext<undefined>
}

/** The result of a request: a stored answer, or the model's outcome with its streamed pieces. */
type Settled = { readonly from: 'store'; readonly kept: CachedAnswer } | Said

interface Said {
  readonly from: 'model'
  readonly outcome: ModelOutcome
  readonly heard: readonly string[]
  /** Whether the caller that made the request is still waiting, and so pays for it. */
  readonly payer: { readonly isOpen: boolean }
}

class Cache {
  readonly #settings: Settings
  readonly #underWay = new Map<string, SharedRequest<Settled>>()
  #store: CacheStore | undefined

  constructor(settings: Settings) {
    this.#settings = settings
    this.#store = settings.store
  }

  async answer(call: ModelCall, caller: Caller): Promise<ModelOutcome> {
    const { only = () => true, version = '', hash = (text: string) => text } = this.#settings
    const text = only(call) ? cacheKey(call, caller.context.run, version) : undefined
    if (text === undefined) return caller.next(call)
    const key = hash(text)
    // The time limit of a request is that of its first caller.
    const request = `${call.timeoutMs ?? ''} ${key}`
    for (;;) {
      const other = this.#underWay.get(request)
      if (other === undefined || other.isOver) return this.#ask(call, caller, { key, request })
      const outcome = await joined(other, call, caller.context)
      if (outcome !== undefined) return outcome
    }
  }

  /** The request of the first caller. */
  async #ask(
    call: ModelCall,
    caller: Caller,
    { key, request }: { readonly key: string; readonly request: string },
  ): Promise<ModelOutcome> {
    const { context } = caller
    const ear = { isOpen: true }
    const shared = new SharedRequest<Settled>(async (signal) => {
      try {
        const kept = await this.#find(key, context)
        if (kept !== undefined) return { from: 'store', kept }
        const said = await generateInPieces({ ...call, signal }, caller.next, ear)
        if (isWhole(said.outcome) && isOfModel(said.outcome, call))
          await this.#keep(key, toCachedAnswer(said.outcome, said.heard), context)
        return said
      } finally {
        if (this.#underWay.get(request) === shared) this.#underWay.delete(request)
      }
    })
    this.#underWay.set(request, shared)
    const settled = await shared.wait(patience(call, context))
    if (settled === 'left') {
      ear.isOpen = false
      return left(call, context)
    }
    return settled.from === 'model' ? settled.outcome : repeated(settled.kept, call, context, 'hit')
  }

  async #find(key: string, context: Caller['context']): Promise<CachedAnswer | undefined> {
    const stored = await this.#use(context, 'get', (store) => store.get(key))
    return fromStored(stored)
  }

  async #keep(key: string, kept: CachedAnswer, context: Caller['context']): Promise<void> {
    const { toolCalls = true, ttlMs } = this.#settings
    if (!toolCalls && kept.answer.calls.length > 0) return
    const stored = toStored(kept)
    if (stored === undefined) return
    await this.#use(context, 'set', async (store) => {
      await store.set(key, stored, ttlMs, context.run.forSession)
      return true
    })
  }

  /** Wraps the store: its errors are emitted, and the call continues without it. */
  async #use<Value>(
    context: Caller['context'],
    does: 'get' | 'set',
    work: (store: CacheStore) => Promise<Value>,
  ): Promise<Value | undefined> {
    const { clock } = context.run
    const { storeMs } = this.#settings
    try {
      this.#store ??= memoryCache({ clock })
      const done = work(this.#store).then((value) => ({ value }))
      const result = await within(clock, storeMs, done)
      if (result !== undefined) return result.value
      context.emit('store-failed', { does, message: `no answer within ${storeMs} ms` })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      context.emit('store-failed', { does, message })
    }
    return undefined
  }
}

/**
 * Whether the answer came from the model of the key. A model may report another name than the one it was
 * called by, and a switch does not change which model a name means.
 */
const isOfModel = ({ model }: Generated, call: ModelCall): boolean =>
  typeof call.model === 'string' || model === calledModel(call)

/** The model's answer and its streamed pieces, while the caller is still listening. */
async function generateInPieces(
  call: ModelCall,
  next: Caller['next'],
  ear: { readonly isOpen: boolean },
): Promise<Said> {
  const { onText } = call
  if (onText === undefined)
    return { from: 'model', outcome: await next(call), heard: [], payer: ear }
  const heard: string[] = []
  const listening = (delta: string): void => {
    heard.push(delta)
    if (ear.isOpen) onText(delta)
  }
  return { from: 'model', outcome: await next({ ...call, onText: listening }), heard, payer: ear }
}

/**
 * The outcome of another caller's request; undefined if it applies only to that caller: its budget
 * (which may also truncate answers), its cancellation, or an error in its run.
 */
async function joined(
  request: SharedRequest<Settled>,
  call: ModelCall,
  context: Caller['context'],
): Promise<ModelOutcome | undefined> {
  const settled = await request.wait(patience(call, context)).catch(() => undefined)
  if (settled === undefined) return undefined
  if (settled === 'left') return left(call, context)
  if (settled.from === 'store') return repeated(settled.kept, call, context, 'shared')
  const { outcome, heard, payer } = settled
  if (outcome.type === 'refused') return undefined
  if (outcome.type === 'failed') return outcome.error.code === 'aborted' ? undefined : outcome
  if (!isWhole(outcome)) return undefined
  const shared = repeated(toCachedAnswer(outcome, heard), call, context, 'shared')
  return payer.isOpen ? shared : { ...outcome, cost: null }
}

function repeated(
  kept: CachedAnswer,
  call: ModelCall,
  context: Caller['context'],
  event: 'hit' | 'shared',
): ModelOutcome {
  if (call.onText !== undefined) sayAgain(kept, call.onText)
  context.emit(event, { model: kept.answer.model })
  return asFree(kept)
}

/** A call with its own signal uses only that; others use the run's signal and time limit. */
const patience = (call: ModelCall, { run }: Caller['context']): Patience => ({
  clock: run.clock,
  signal: signalOf(call, run),
  ms: call.signal === undefined ? run.msLeft : Infinity,
})

const left = (call: ModelCall, { run }: Caller['context']): ModelOutcome =>
  signalOf(call, run).aborted
    ? abortedCall(0)
    : {
        type: 'refused',
        by: 'budget',
        limit: 'seconds',
        message: 'the time limit of the run was reached',
      }
