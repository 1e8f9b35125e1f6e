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
}

export interface FoundChunk extends Chunk {
  readonly source: string
  readonly title: string
  /** Higher is better; comparable within one search alone. */
  readonly score: number
}

export interface KnowledgeQuery {
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
  /** Puts a document in the place of the one of the same id, all of it or nothing. */
  put(
    source: Omit<KnowledgeSource, 'chunks'>,
    chunks: readonly (Chunk & { readonly vector: Float32Array })[],
    embedder: string,
  ): Promise<void>
  remove(id: string): Promise<boolean>
  sources(): Promise<readonly KnowledgeSource[]>
  search(query: KnowledgeQuery): Promise<readonly FoundChunk[]>
}
