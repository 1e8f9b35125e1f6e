import { EchelonError } from 'echelon/internal/value'
import type {
  EmbeddedChunk,
  FoundChunk,
  KnowledgeQuery,
  KnowledgeSource,
  StaticMemoryStore,
} from 'echelon/internal/knowledge'
import type { Database } from './sqlite/file/database.ts'
import { fusedRanks } from './sqlite/knowledge/fused-ranks.ts'
import { KnowledgeRows } from './sqlite/knowledge/knowledge-rows.ts'
import { unusable } from './sqlite/file/unusable.ts'
import { highest, type VectorIndex, vectorIndex } from './sqlite/knowledge/vector-index.ts'
import { coveredWords } from './sqlite/knowledge/covered-words.ts'
import { eachWordQuery, wordQuery } from './sqlite/knowledge/word-query.ts'

/** A knowledge store. The caller who opened it closes it. */
export interface KnowledgeStore extends StaticMemoryStore {
  /** The file. In memory: the name by which this process can open the same store again. */
  readonly path: string
  close(): void
}

/** How many results of each ranking are fused. Ranks beyond that say nothing. */
const DEPTH = 100

const USUAL_LIMIT = 5

/** What a chunk with all words of a question gains over its cosine (lab/benchmarks/memory.ts). */
const WORDS = 0.2

export class SqliteKnowledge implements KnowledgeStore {
  readonly path: string
  readonly #db: Database
  readonly #rows: KnowledgeRows
  #index:
    | {
        readonly generation: number
        readonly dimensions: number
        readonly vectors: VectorIndex
      }
    | undefined

  constructor(db: Database) {
    this.path = db.path
    this.#db = db
    try {
      this.#rows = new KnowledgeRows(db)
    } catch (error) {
      db.close()
      throw unusable(db.path, error)
    }
  }

  async put(
    source: Omit<KnowledgeSource, 'chunks'>,
    chunks: readonly EmbeddedChunk[],
    embedder: string,
  ): Promise<void> {
    this.#db.transaction(() => {
      const other = this.#rows.otherEmbedder(source.id, embedder)
      if (other !== undefined) throw foreignVectors(this.path, other, embedder)
      this.#rows.remove(source.id)
      this.#rows.insert(source, chunks, embedder)
      this.#rows.raise()
    })
  }

  async remove(id: string): Promise<boolean> {
    return this.#db.transaction(() => {
      const wasThere = this.#rows.remove(id)
      if (wasThere) this.#rows.raise()
      return wasThere
    })
  }

  async sources(): Promise<readonly KnowledgeSource[]> {
    return this.#rows.sources()
  }

  async embedder(): Promise<string | null> {
    return this.#rows.embedder()
  }

  async search(query: KnowledgeQuery): Promise<readonly FoundChunk[]> {
    const { vector, limit = USUAL_LIMIT, below } = query
    const inside = below === undefined ? undefined : this.#rows.below(below)
    const isInside = (chunk: number): boolean => inside?.has(chunk) ?? true
    const vectors = vector === undefined ? undefined : this.#vectors(vector.length)
    if (vector !== undefined && vectors?.isLexical === false) {
      return this.#byMeaning(query, vectors, vectors.similarities(vector), { limit, isInside })
    }
    const words = wordQuery(query.text)
    const byWord = words === undefined ? [] : this.#rows.holding(words, DEPTH, below)
    if (vector === undefined || vectors === undefined) {
      return this.#found(fusedRanks([byWord]), limit, () => undefined)
    }
    const values = vectors.similarities(vector)
    const chunkAt = (row: number): number => vectors.chunks[row] ?? 0
    const near = highest(values, DEPTH, (row) => isInside(chunkAt(row))).map(chunkAt)
    return this.#found(
      fusedRanks([byWord, near]),
      limit,
      (chunk) => values[vectors.rowOf(chunk) ?? -1],
    )
  }

  /**
   * Ranks by the cosine, and adds for the words of the question that a chunk holds. Fused ranks would
   * let a common word outweigh the meaning.
   */
  #byMeaning(
    { text, related }: KnowledgeQuery,
    vectors: VectorIndex,
    values: Float32Array,
    { limit, isInside }: { readonly limit: number; readonly isInside: (chunk: number) => boolean },
  ): readonly FoundChunk[] {
    const found = eachWordQuery(text, related).map(({ word, related: others }) => ({
      holding: this.#rows.matching(word),
      related: others.map(({ near, words }) => ({ near, holding: this.#rows.matching(words) })),
    }))
    for (const [chunk, share] of coveredWords(found, vectors.chunks.length)) {
      const row = vectors.rowOf(chunk)
      if (row !== undefined) values[row] = (values[row] ?? 0) + WORDS * share
    }
    const best = highest(values, limit, (row) => isInside(vectors.chunks[row] ?? 0))
    const scored = best.map((row) => [vectors.chunks[row] ?? 0, values[row] ?? 0] as const)
    return this.#found(scored, limit, (chunk) =>
      Math.min(1, values[vectors.rowOf(chunk) ?? -1] ?? 0),
    )
  }

  close(): void {
    this.#db.close()
  }

  #found(
    scored: readonly (readonly [chunk: number, score: number])[],
    limit: number,
    similarity: (chunk: number) => number | undefined,
  ): readonly FoundChunk[] {
    return scored.slice(0, limit).flatMap(([chunk, score]) => {
      const row = this.#rows.chunk(chunk)
      // It is damaged, or another process has removed it since.
      if (row === undefined) return []
      const near = similarity(chunk)
      return [{ ...row, score, ...(near !== undefined && { similarity: near }) }]
    })
  }

  #vectors(dimensions: number): VectorIndex {
    const generation = this.#rows.generation()
    const known = this.#index
    if (known?.generation === generation && known.dimensions === dimensions) return known.vectors
    const vectors = vectorIndex(this.#rows.vectors(), dimensions)
    this.#index = { generation, dimensions, vectors }
    return vectors
  }
}

const foreignVectors = (path: string, there: string, given: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `${path} holds vectors of ${there}, which cannot be compared with those of ${given}; remove its documents and add them again, or name another file`,
    { details: { there, given } },
  )
