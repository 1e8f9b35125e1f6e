import { defineMiddleware } from 'echelon/internal/extension'
import type { Embedder } from 'echelon/internal/model'
import { EchelonError } from 'echelon/internal/value'
import { backgroundMessage } from 'echelon/internal/message'
import type { FoundChunk, StaticMemoryStore } from 'echelon/internal/knowledge'
import type { Middleware, MiddlewareContext, MiddlewareRun, Prompt } from 'echelon'
import type { Message } from 'echelon/runtime'
import type { KnowledgeBase } from './knowledge-base.ts'
import { lastUserText } from './last-user-text.ts'
import { Searching } from './knowledge/searching.ts'
import { ABOUT_CHUNKS, chunkMessage } from './knowledge/chunk-messages.ts'

/** Source of knowledge: a base, or a store with the embedder of its vectors. */
export type KnowledgeFrom =
  | { readonly base: Pick<KnowledgeBase, 'search' | 'embedder'> }
  | { readonly store: StaticMemoryStore; readonly embedder: Embedder }

export interface KnowledgeSettings {
  /** Maximum number of chunks; default 5. */
  readonly limit?: number
  /** Estimated tokens of all chunks together; the lowest-ranked are dropped. Default 1,500. */
  readonly maxTokens?: number
  /**
   * Minimum cosine between a chunk and the user's message; chunks further away are withheld. Default:
   * the embedder's own floor, or 0 if it has none.
   */
  readonly floor?: number
  /** Search only documents below this path. */
  readonly below?: string
  /** Model roles that receive the chunks; default all. */
  readonly roles?: readonly string[]
}

export type KnowledgeOptions = KnowledgeFrom & KnowledgeSettings

/**
 * Searches for the user's last message and puts the results after the conversation: numbered, each with
 * its source, marked as data to quote and never to obey. Instructions and history come first, so that a
 * provider can cache them. The results are sent with the call and not stored. If nothing is near enough,
 * nothing is added; the event `injected`, `withheld` or `failed` says what happened.
 *
 * A failed search does not end the turn: the model is told that the documents could not be searched.
 * @throws EchelonError INVALID_CONFIG for invalid limits
 */
export function knowledge(options: KnowledgeOptions): Middleware<'knowledge', undefined> {
  const { roles, limit = 5, maxTokens = 1500 } = options
  checkFrom(1, { limit, maxTokens })
  const addChunks = chunkAdder(options, limit, maxTokens)
  return defineMiddleware({
    name: 'knowledge',
    namespace: 'echelon',
    origin: 'documents',
    ...(roles === undefined
      ? { prompt: async (prompt, next, context) => next(await addChunks(prompt, context)) }
      : {
          generate: async (call, next, context) =>
            roles.includes(call.role)
              ? next({ ...call, prompt: await addChunks(call.prompt, context) })
              : next(call),
        }),
  })()
}

type AddChunks = (prompt: Prompt, context: MiddlewareContext<undefined>) => Promise<Prompt>

function chunkAdder(options: KnowledgeOptions, limit: number, maxTokens: number): AddChunks {
  const base = 'base' in options ? options.base : new Searching(options.store, options.embedder)
  const { below, floor = base.embedder.floor ?? 0 } = options
  const lastAnnounced = new WeakMap<MiddlewareRun, string>()
  return async (given, { emit, run }) => {
    const prompt: Prompt = { ...given, head: [...given.head, ABOUT_CHUNKS] }
    const query = lastUserText(prompt.thread)
    if (query === '') return prompt
    // Every model call in a turn runs the same search; emit its event once.
    const emitOnce: typeof emit = (event, data) => {
      if (lastAnnounced.get(run) !== query) emit(event, data)
      lastAnnounced.set(run, query)
    }
    try {
      const search = { limit, signal: run.signal, ...(below !== undefined && { below }) }
      const found = await base.search(query, search)
      const near = found.filter(({ similarity = 1 }) => similarity >= floor)
      const kept = withinTokens(near, maxTokens)
      if (kept.length === 0) {
        emitOnce('withheld', { found: found.length, best: bestOf(found), floor })
        return prompt
      }
      emitOnce('injected', { pieces: kept.map(describe), withheld: found.length - kept.length })
      return { ...prompt, tail: [...prompt.tail, chunkMessage(kept)] }
    } catch (error) {
      if (run.signal.aborted) return prompt
      emitOnce('failed', { message: error instanceof Error ? error.message : String(error) })
      return { ...prompt, tail: [...prompt.tail, SEARCH_FAILED] }
    }
  }
}

const SEARCH_FAILED: Message = backgroundMessage([
  'The documents cannot be searched at the moment. If an answer needs them, say so, and do not guess their content.',
])

/** The best come first, so the token limit drops the worst. */
function withinTokens(found: readonly FoundChunk[], maxTokens: number): readonly FoundChunk[] {
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
      `knowledge: ${name} cannot be ${value}; give a whole number of at least ${least}`,
    )
  }
}
