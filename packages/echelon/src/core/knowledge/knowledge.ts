/** A piece of a document that is found as one. */
export interface Chunk {
  /** Counts from 0 within its source. */
  readonly nth: number
  readonly text: string
  readonly headings: readonly string[]
  readonly page: number | null
  /** An estimate. */
  readonly tokens: number
}

/** A document in the store. */
export interface KnowledgeSource {
  /** Where it comes from: a path or an address. */
  readonly id: string
  readonly title: string
  /** SHA-256 of its content, hexadecimal: the same is not read again. */
  readonly digest: string
  readonly chunks: number
  /** Milliseconds since the epoch. */
  readonly addedAt: number
  /** Some of it can no longer be read, and is not found. The digest is empty, so that it is read again. */
  readonly damaged?: true
}

export interface FoundChunk extends Chunk {
  readonly source: string
  readonly title: string
  /** Higher is better; comparable within one search alone. */
  readonly score: number
  /** Of its vector and the query's, weighted as the store searches; absent without a vector. */
  readonly similarity?: number
}

export interface KnowledgeQuery {
  /** Empty to go by the vector alone. */
  readonly text: string
  /** Of the text, by the same embedder as the chunks'; without one only words are looked for. */
  readonly vector?: Float32Array
  /** Default 5. */
  readonly limit?: number
  /** Only what is below this path. */
  readonly below?: string
}

/**
 * Port: knowledge that an agent reads and never writes, found by its words and by its meaning.
 * `staticMemoryStoreContract` tests it.
 */
export interface StaticMemoryStore {
  /**
   * Puts a document in the place of the one of the same id, all of it or nothing.
   * @throws EchelonError INVALID_INPUT where others are there by another embedder: their vectors
   * cannot be compared
   */
  put(
    source: Omit<KnowledgeSource, 'chunks'>,
    chunks: readonly (Chunk & { readonly vector: Float32Array })[],
    embedder: string,
  ): Promise<void>
  /** @returns whether it was there */
  remove(id: string): Promise<boolean>
  /** By their ids. */
  sources(): Promise<readonly KnowledgeSource[]>
  /** Whose vectors it holds; `null` where it holds none. */
  embedder(): Promise<string | null>
  /** The best first; nothing where no word and no vector is near. */
  search(query: KnowledgeQuery): Promise<readonly FoundChunk[]>
}
