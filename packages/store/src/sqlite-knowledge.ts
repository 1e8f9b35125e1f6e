import { EchelonError } from 'echelon/internal/value'
import type {
  Chunk,
  FoundChunk,
  KnowledgeQuery,
  KnowledgeSource,
  StaticMemoryStore,
} from 'echelon/internal/knowledge'
import { Database } from './sqlite/file/database.ts'
import { fusedRanks } from './sqlite/knowledge/fused-ranks.ts'
import { KNOWLEDGE_ID, KNOWLEDGE_MIGRATIONS } from './sqlite/knowledge/knowledge-schema.ts'
import { KnowledgeRows } from './sqlite/knowledge/knowledge-rows.ts'
import { unusable } from './sqlite/file/unusable.ts'
import { highest, type VectorIndex, vectorIndex } from './sqlite/knowledge/vector-index.ts'
import { wordQuery } from './sqlite/knowledge/word-query.ts'

/** A store of knowledge that is closed by whoever opened it. */
export interface KnowledgeStore extends StaticMemoryStore {
  /** The file; of knowledge in memory, the name by which this process opens the same one again. */
  readonly path: string
  close(): void
}

/**
 * Knowledge in one SQLite file that the processes of a machine may share; the file and its folder are
 * the user's alone. Words are looked up by SQLite (FTS5, without regard to case and accents); vectors
 * are compared exactly, in memory, where all of them are from the first search on: about 3 KB a chunk
 * by the embedded embedder, 4 bytes a dimension by a model. After a change by anybody they are read
 * anew.
 *
 * What is removed is found no more, and its words may stay in the file's bytes: where they must not,
 * delete the file, and add the rest to a new one.
 * @param path `:memory:` keeps the knowledge in this process only, without a file
 * @throws EchelonError STORE_UNUSABLE with what to do
 */
export const openKnowledge = async (path: string): Promise<KnowledgeStore> =>
  new SqliteKnowledge(await Database.open(path, KNOWLEDGE_MIGRATIONS, KNOWLEDGE_ID))

/** So many of each half are fused: beyond, a place says nothing. */
const DEPTH = 100

const USUAL_LIMIT = 5

class SqliteKnowledge implements KnowledgeStore {
  readonly path: string
  readonly #db: Database
  readonly #rows: KnowledgeRows
  #index: { readonly generation: number; readonly vectors: VectorIndex } | undefined

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
    chunks: readonly (Chunk & { readonly vector: Float32Array })[],
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

  async search({
    text,
    vector,
    limit = USUAL_LIMIT,
    below,
  }: KnowledgeQuery): Promise<readonly FoundChunk[]> {
    const words = wordQuery(text)
    const byWord = words === undefined ? [] : this.#rows.holding(words, DEPTH, below)
    if (vector === undefined) return this.#found([byWord], limit, () => undefined)
    const vectors = this.#vectors()
    const values = vectors.similarities(vector)
    const inside = below === undefined ? undefined : this.#rows.below(below)
    const chunkAt = (row: number): number => vectors.chunks[row] ?? 0
    const near = highest(values, DEPTH, (row) => inside?.has(chunkAt(row)) ?? true).map(chunkAt)
    return this.#found([byWord, near], limit, (chunk) => values[vectors.rowOf(chunk) ?? -1])
  }

  close(): void {
    this.#db.close()
  }

  #found(
    rankings: readonly (readonly number[])[],
    limit: number,
    similarity: (chunk: number) => number | undefined,
  ): readonly FoundChunk[] {
    return fusedRanks(rankings)
      .slice(0, limit)
      .flatMap(([chunk, score]) => {
        const row = this.#rows.chunk(chunk)
        // It is damaged, or another process has removed it since.
        if (row === undefined) return []
        const near = similarity(chunk)
        return [{ ...row, score, ...(near !== undefined && { similarity: near }) }]
      })
  }

  #vectors(): VectorIndex {
    const generation = this.#rows.generation()
    if (this.#index?.generation === generation) return this.#index.vectors
    const vectors = vectorIndex(this.#rows.vectors())
    this.#index = { generation, vectors }
    return vectors
  }
}

const foreignVectors = (path: string, there: string, given: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `${path} holds vectors of ${there}, which those of ${given} cannot be compared with; remove its documents and add them anew, or name another file`,
    { details: { there, given } },
  )
