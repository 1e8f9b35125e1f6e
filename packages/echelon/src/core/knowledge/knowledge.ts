/** A piece of a document, the unit of search. */
export interface Chunk {
  /** Counts from 0 within its source. */
  readonly nth: number
  readonly text: string
  readonly headings: readonly string[]
  readonly page: number | null
  /** An estimate. */
  readonly tokens: number
}

/** A chunk with the vectors that it is found by. */
export interface EmbeddedChunk extends Chunk {
  /** One of the whole chunk, or one of each sentence; the one nearest to a query counts. */
  readonly vectors: readonly Float32Array[]
}

/** A document in the store. */
export interface KnowledgeSource {
  /** A path or an address. */
  readonly id: string
  readonly title: string
  /** SHA-256 of its content, hexadecimal; unchanged content is not read again. */
  readonly digest: string
  readonly chunks: number
  /** Milliseconds since the epoch. */
  readonly addedAt: number
  /** Whether part of it can no longer be read or found. The digest is then empty, so that it is read again. */
  readonly damaged?: true
}

export interface FoundChunk extends Chunk {
  readonly source: string
  readonly title: string
  /** Higher is better; comparable only within one search. */
  readonly score: number
  /** Similarity of its nearest vector and the query's, weighted as the store searches; absent without a vector. */
  readonly similarity?: number
}

export interface KnowledgeQuery {
  /** Empty to search by the vector alone. */
  readonly text: string
  /** Vector of the text, by the same embedder as the chunks'; without one only words are searched. */
  readonly vector?: Float32Array
  /** For words of the text, other words that count for part of them. A store may ignore it. */
  readonly related?: RelatedWords
  /** Default 5. */
  readonly limit?: number
  /** Only sources below this path. */
  readonly below?: string
}

/** Words of about the same meaning as each word. */
export type RelatedWords = ReadonlyMap<string, readonly RelatedWord[]>

export interface RelatedWord {
  readonly word: string
  /** Its similarity to the query, 0 to 1. */
  readonly near: number
}

/**
 * Port: read-only knowledge of an agent, searched by words and by meaning.
 * `staticMemoryStoreContract` tests it.
 */
export interface StaticMemoryStore {
  /**
   * Replaces the document with the same id, atomically.
   * @throws EchelonError INVALID_INPUT when stored vectors come from another embedder and cannot be
   * compared
   */
  put(
    source: Omit<KnowledgeSource, 'chunks'>,
    chunks: readonly EmbeddedChunk[],
    embedder: string,
  ): Promise<void>
  /** @returns whether it existed */
  remove(id: string): Promise<boolean>
  /** Ordered by id. */
  sources(): Promise<readonly KnowledgeSource[]>
  /** The embedder of the stored vectors; `null` without vectors. */
  embedder(): Promise<string | null>
  /** Best first; empty if no word or vector is close. */
  search(query: KnowledgeQuery): Promise<readonly FoundChunk[]>
}
