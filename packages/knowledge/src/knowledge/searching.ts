import type { Embedder } from 'echelon/internal/model'
import { EchelonError } from 'echelon/internal/value'
import type { FoundChunk, KnowledgeQuery, StaticMemoryStore } from 'echelon/internal/knowledge'

export interface SearchOptions extends Pick<KnowledgeQuery, 'limit' | 'below'> {
  readonly signal?: AbortSignal
}

/** The texts of the last searches are not embedded again. */
const REMEMBERED = 32

/** A store and the embedder that its vectors are of. */
export class Searching {
  readonly store: StaticMemoryStore
  readonly embedder: Embedder
  readonly #asked = new Map<string, Float32Array>()

  constructor(store: StaticMemoryStore, embedder: Embedder) {
    this.store = store
    this.embedder = embedder
  }

  /** @throws EchelonError INVALID_INPUT where the store holds vectors of another embedder */
  async search(text: string, options: SearchOptions = {}): Promise<readonly FoundChunk[]> {
    const { signal, ...query } = options
    await this.checkEmbedder()
    return await this.store.search({ ...query, text, vector: await this.#vectorOf(text, signal) })
  }

  /** @throws EchelonError INVALID_INPUT where the store holds vectors of another embedder */
  async checkEmbedder(): Promise<void> {
    const there = await this.store.embedder()
    if (there === null || there === this.embedder.id) return
    throw new EchelonError(
      'INVALID_INPUT',
      `this knowledge holds vectors of ${there}, which those of ${this.embedder.id} cannot be compared with; use ${there}, or remove its documents and add them anew`,
      { details: { there, given: this.embedder.id } },
    )
  }

  async #vectorOf(text: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const had = this.#asked.get(text)
    if (had !== undefined) return had
    const vector = vectorAt(await this.embedder.embed([text], signal), 0)
    this.#asked.set(text, vector)
    const [oldest] = this.#asked.keys()
    if (this.#asked.size > REMEMBERED && oldest !== undefined) this.#asked.delete(oldest)
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
