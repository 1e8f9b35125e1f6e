import { within } from '../../core/value/abortable.ts'
import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import type {
  Layer,
  MiddlewareContext,
  ModelCall,
  ModelOutcome,
} from '../../core/extension/middleware.ts'
import type { Generated } from '../../core/agent/observation.ts'
import type { CacheStore } from '../../core/agent/ports.ts'
import { cacheKey } from './cache-key.ts'
import { givenUp, signalOf } from '../reliability/given-up.ts'
import {
  asFree,
  fromStored,
  isWhole,
  type KeptAnswer,
  keptAnswer,
  sayAgain,
  toStored,
} from './kept-answer.ts'
import { memoryCache } from './memory-cache.ts'
import { atLeast, type Known, knownOptions } from '../option-check.ts'
import { type Patience, SharedRequest } from './shared-request.ts'

export interface CachingOptions {
  /** How long an answer is kept, in milliseconds. Default 300,000: five minutes. */
  readonly ttlMs?: number
  /** Where answers are kept. Default: in this process, `memoryCache` with its own bounds. */
  readonly store?: CacheStore
  /** The longest to wait for the store, in milliseconds. Default 1,000. */
  readonly storeMs?: number
  /** SHA-256 or stronger: what a key is shortened by. Default: the whole text is the key. */
  readonly hash?: (text: string) => string
  /**
   * Which calls are cached; default all. Leave out those that are to differ from each other, such
   * as several votes on one question.
   */
  readonly only?: (call: ModelCall) => boolean
  /** Whether answers that call tools are kept. Default true. */
  readonly toolCalls?: boolean
  /**
   * A part of every key: change it with what a key does not hold, such as a server's address. A
   * switch to another server that has a model of the same name is answered from before without it.
   */
  readonly version?: string
}

const made = new WeakMap<Layer, CachingOptions>()

/** What a layer of `caching` was made with, so that one like it can be made with another store. */
export const cachingOptionsOf = (layer: Layer): CachingOptions | undefined => made.get(layer)

/**
 * Answers a call as it was answered before, for nothing, and in the pieces it came in. Calls are the
 * same when caller, model, options, tools and messages are. Same calls under way at once are one
 * request, which goes on while anybody waits for it; whoever made it pays. Where they left, the
 * others' answer has the tokens it took and a cost that nobody knows (`null`). Only whole answers are
 * kept and shared: no refusals, none cut short, and of failures none is kept. Nor is an answer kept
 * that another model gave than the one the agent had when it asked, be it a fallback or the model of
 * a switch meanwhile. A store is told the conversation that an answer was given for, so that it can go
 * with it. A store that fails is no failure of the call.
 * Tells `hit`, `shared` and `store-failed`.
 * @throws EchelonError INVALID_CONFIG for an option that cannot work
 */
export function caching(options: CachingOptions = {}): Layer<'caching', undefined> {
  knownOptions('caching', options, OPTIONS)
  const { ttlMs = 300_000, storeMs = 1000 } = options
  atLeast(1, 'caching', { ttlMs, storeMs })
  const cache = new Cache({ ...options, ttlMs, storeMs })
  const layer = defineMiddleware({
    name: 'caching',
    namespace: 'echelon',
    generate: (call, next, context) => cache.answer(call, { next, context }),
  })()
  made.set(layer, options)
  return layer
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

/** What a request came to: an answer of the store, or what the model said and was heard saying. */
type Settled = { readonly from: 'store'; readonly kept: KeptAnswer } | Said

interface Said {
  readonly from: 'model'
  readonly outcome: ModelOutcome
  readonly heard: readonly string[]
  /** Whether who made the request is still there, and pays for it. */
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
    // A request has the time limit of whoever made it.
    const request = `${call.timeoutMs ?? ''} ${key}`
    for (;;) {
      const other = this.#underWay.get(request)
      if (other === undefined || other.isOver) return this.#ask(call, caller, { key, request })
      const outcome = await joined(other, call, caller.context)
      if (outcome !== undefined) return outcome
    }
  }

  /** The request of the first who asks. */
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
        const said = await heardFrom({ ...call, signal }, caller.next, ear)
        if (isWhole(said.outcome) && isOfModel(said.outcome, call))
          await this.#keep(key, keptAnswer(said.outcome, said.heard), context)
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

  async #find(key: string, context: Caller['context']): Promise<KeptAnswer | undefined> {
    const stored = await this.#use(context, 'get', (store) => store.get(key))
    return fromStored(stored)
  }

  async #keep(key: string, kept: KeptAnswer, context: Caller['context']): Promise<void> {
    const { toolCalls = true, ttlMs } = this.#settings
    if (!toolCalls && kept.answer.calls.length > 0) return
    const stored = toStored(kept)
    if (stored === undefined) return
    await this.#use(context, 'set', async (store) => {
      await store.set(key, stored, ttlMs, context.run.forSession)
      return true
    })
  }

  /** The store, as far as it works: what it cannot do is told, and done without. */
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
 * Whether the model of the key gave the answer. A name may stand for a model of another name, and no
 * switch changes what it stands for.
 */
const isOfModel = ({ model }: Generated, call: ModelCall): boolean =>
  typeof call.model === 'string' || model === calledModel(call)

/** The model's answer, and the pieces of text that were heard, while the caller still listens. */
async function heardFrom(
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
 * What another's request came to; nothing where that is another's matter alone: its budget, which
 * cuts answers short too, its cancel, or what broke in its run.
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
  const shared = repeated(keptAnswer(outcome, heard), call, context, 'shared')
  return payer.isOpen ? shared : { ...outcome, cost: null }
}

function repeated(
  kept: KeptAnswer,
  call: ModelCall,
  context: Caller['context'],
  event: 'hit' | 'shared',
): ModelOutcome {
  if (call.onText !== undefined) sayAgain(kept, call.onText)
  context.emit(event, { model: kept.answer.model })
  return asFree(kept)
}

/** A call with a signal of its own goes by that alone, others by the run's cancel and its time. */
const patience = (call: ModelCall, { run }: Caller['context']): Patience => ({
  clock: run.clock,
  signal: signalOf(call, run),
  ms: call.signal === undefined ? run.msLeft : Infinity,
})

const left = (call: ModelCall, { run }: Caller['context']): ModelOutcome =>
  signalOf(call, run).aborted
    ? givenUp(0)
    : {
        type: 'refused',
        by: 'budget',
        limit: 'seconds',
        message: 'the time of the run was over',
      }
