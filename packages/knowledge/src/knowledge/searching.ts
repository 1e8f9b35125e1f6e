import type { Embedder } from 'echelon/internal/model'
import { EchelonError } from 'echelon/internal/value'
import {
  contentWords,
  type FoundChunk,
  type KnowledgeQuery,
  type StaticMemoryStore,
} from 'echelon/internal/knowledge'

export interface SearchOptions extends Pick<KnowledgeQuery, 'limit' | 'below'> {
  readonly signal?: AbortSignal
}

/** Number of recent queries whose vectors are cached. */
const CACHE_SIZE = 32

/** A store and the embedder of its vectors. */
export class Searching {
  readonly store: StaticMemoryStore
  readonly embedder: Embedder
  readonly #cache = new Map<string, Float32Array>()

  constructor(store: StaticMemoryStore, embedder: Embedder) {
    this.store = store
    this.embedder = embedder
  }

  /**
   * @returns nothing for a text of stop words, question words and short numbers alone
   * @throws EchelonError INVALID_INPUT when the store holds vectors of another embedder
   */
  async search(text: string, options: SearchOptions = {}): Promise<readonly FoundChunk[]> {
    const { signal, ...query } = options
    await this.checkEmbedder()
    // "What is 2+2?" is about nothing that a document could answer.
    const words = contentWords(text)
    if (words.length === 0) return []
    const related = await this.embedder.related?.(words)
    return await this.store.search({
      ...query,
      text,
      vector: await this.#vectorOf(text, signal),
      ...(related && { related }),
    })
  }

  /** @throws EchelonError INVALID_INPUT when the store holds vectors of another embedder */
  async checkEmbedder(): Promise<void> {
    const stored = await this.store.embedder()
    if (stored === null || stored === this.embedder.id) return
    throw new EchelonError(
      'INVALID_INPUT',
      `this knowledge base holds vectors of ${stored}, which cannot be compared with those of ${this.embedder.id}; use ${stored}, or remove its documents and add them again`,
      { details: { there: stored, given: this.embedder.id } },
    )
  }

  async #vectorOf(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const cached = this.#cache.get(text)
    if (cached !== undefined) return cached
    const vector = vectorAt(await this.embedder.embed([text], signal), 0)
    this.#cache.set(text, vector)
    const [oldest] = this.#cache.keys()
    if (this.#cache.size > CACHE_SIZE && oldest !== undefined) this.#cache.delete(oldest)
    return vector
  }
}

export function vectorAt(vectors: readonly Float32Array[], nth: number): Float32Array {
  const vector = vectors[nth]
  if (vector !== undefined) return vector
  throw new EchelonError(
    'INVALID_DEFINITION',
    `the embedder gave ${vectors.length} vectors for more texts; it must give one for each`,
  )
}
