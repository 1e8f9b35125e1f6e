import { defineMiddleware } from 'echelon/internal/extension'
import type { Embedder } from 'echelon/internal/model'
import { EchelonError } from 'echelon/internal/value'
import type { FoundChunk, StaticMemoryStore } from 'echelon/internal/knowledge'
import type { Layer, MiddlewareContext, MiddlewareHost, Prompt } from 'echelon'
import type { Message, Thread } from 'echelon/runtime'
import type { KnowledgeBase } from './knowledge-base.ts'
import { Searching } from './knowledge/searching.ts'
import { toldChunks } from './knowledge/told-chunks.ts'

/** Where knowledge is looked up: a base, or a store with the embedder of its vectors. */
export type KnowledgeFrom =
  | { readonly base: Pick<KnowledgeBase, 'search' | 'embedder'> }
  | { readonly store: StaticMemoryStore; readonly embedder: Embedder }

export interface KnowledgeSettings {
  /** Pieces at most; default 5. */
  readonly limit?: number
  /** Of all pieces together, estimated; those that come last are left out. Default 1,500. */
  readonly maxTokens?: number
  /**
   * The least cosine of a piece and what the user said: what is further away is withheld. Default: the
   * embedder's own floor, and for one that names none 0.
   */
  readonly floor?: number
  /** Only what is below this path. */
  readonly below?: string
  /** Roles of models that are told; default all. */
  readonly roles?: readonly string[]
}

export type KnowledgeOptions = KnowledgeFrom & KnowledgeSettings

/**
 * Looks up what the user said last and puts what it finds before the conversation: system messages,
 * numbered, each with where it comes from, marked as data that is to be quoted and never obeyed. They
 * are sent and not kept. Where nothing is near enough nothing is said; the event `injected`,
 * `withheld` or `failed` tells which it was.
 *
 * A search that fails ends no turn: the model is told that nothing could be looked up.
 * @throws EchelonError INVALID_CONFIG for limits that cannot work
 */
export function knowledge(options: KnowledgeOptions): Layer<'knowledge', undefined> {
  const { roles, limit = 5, maxTokens = 1500 } = options
  checkFrom(1, { limit, maxTokens })
  const inform = informer(options, limit, maxTokens)
  return defineMiddleware({
    name: 'knowledge',
    namespace: 'echelon',
    origin: 'documents',
    ...(roles === undefined
      ? { prompt: async (prompt, next, context) => next(await inform(prompt, context)) }
      : {
          generate: async (call, next, context) =>
            roles.includes(call.role)
              ? next({ ...call, prompt: await inform(call.prompt, context) })
              : next(call),
        }),
  })()
}

type Inform = (prompt: Prompt, context: MiddlewareContext<undefined>) => Promise<Prompt>

function informer(options: KnowledgeOptions, limit: number, maxTokens: number): Inform {
  const base = 'base' in options ? options.base : new Searching(options.store, options.embedder)
  const { below, floor = base.embedder.floor ?? 0 } = options
  const heard = new WeakMap<MiddlewareHost, string>()
  return async (prompt, { emit, run }) => {
    const asked = lastSaid(prompt.thread)
    if (asked === '') return prompt
    // Each call of a model in a turn looks up the same: it is told once.
    const tell: typeof emit = (event, data) => {
      if (heard.get(run) !== asked) emit(event, data)
      heard.set(run, asked)
    }
    try {
      const search = { limit, signal: run.signal, ...(below !== undefined && { below }) }
      const found = await base.search(asked, search)
      const near = found.filter(({ similarity = 1 }) => similarity >= floor)
      const told = within(near, maxTokens)
      if (told.length === 0) {
        tell('withheld', { found: found.length, best: bestOf(found), floor })
        return prompt
      }
      tell('injected', { pieces: told.map(describe), withheld: found.length - told.length })
      return { ...prompt, head: [...prompt.head, ...toldChunks(told)] }
    } catch (error) {
      if (run.signal.aborted) return prompt
      tell('failed', { message: error instanceof Error ? error.message : String(error) })
      return { ...prompt, head: [...prompt.head, NOT_LOOKED_UP] }
    }
  }
}

const NOT_LOOKED_UP: Message = {
  role: 'system',
  content:
    'The documents could not be searched just now. Where an answer needs them, say so, and do not guess what is in them.',
}

/** A long message is looked up by its beginning. */
const MOST_ASKED = 4000

/** What the user said last, in words. */
function lastSaid(thread: Thread): string {
  for (let index = thread.length - 1; index >= 0; index--) {
    const message = thread.at(index)
    if (message?.role !== 'user') continue
    const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    return texts.join('\n').slice(0, MOST_ASKED).toWellFormed().trim()
  }
  return ''
}

/** The best come first, so that what no longer fits is the least. */
function within(found: readonly FoundChunk[], maxTokens: number): readonly FoundChunk[] {
  let left = maxTokens
  return found.filter(({ tokens }) => {
    if (tokens > left) return false
    left -= tokens
    return true
  })
}

const describe = ({ source, nth, page, tokens }: FoundChunk, index: number) => ({
  number: index + 1,
  source,
  nth,
  page,
  tokens,
})

const bestOf = (found: readonly FoundChunk[]): number | null =>
  found.length === 0 ? null : Math.max(...found.map(({ similarity = 0 }) => similarity))

function checkFrom(least: number, options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (Number.isInteger(value) && value >= least) continue
    throw new EchelonError(
      'INVALID_CONFIG',
      `knowledge: ${name} cannot be ${value}; give a whole number from ${least} on`,
    )
  }
}
