import type {
  EmbeddedChunk,
  FoundChunk,
  KnowledgeQuery,
  KnowledgeSource,
} from 'echelon/internal/knowledge'
import { foreignVectors, type KnowledgeStore } from './knowledge/knowledge-store.ts'
import { searchKnowledge } from './knowledge/search-knowledge.ts'
import { vectorIndex } from './knowledge/vector-index.ts'
import { heldVectors, type Vectors } from './knowledge/vectors.ts'
import type { Database } from './sqlite/file/database.ts'
import { unusable } from './sqlite/file/unusable.ts'
import { KnowledgeRows } from './sqlite/knowledge/knowledge-rows.ts'

export class SqliteKnowledge implements KnowledgeStore {
  readonly path: string
  readonly #db: Database
  readonly #rows: KnowledgeRows
  #held:
    | {
        readonly generation: number
        readonly dimensions: number
        readonly vectors: Vectors
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

  search(query: KnowledgeQuery): Promise<readonly FoundChunk[]> {
    const rows = this.#rows
    return searchKnowledge(
      {
        holding: async (words, limit, below) => rows.holding(words, limit, below),
        matching: async (lists) => lists.map((words) => rows.matching(words)),
        below: async (path) => rows.below(path),
        chunks: async (numbers) =>
          new Map(
            numbers.flatMap((n) => {
              const part = rows.chunk(n)
              return part === undefined ? [] : [[n, part]]
            }),
          ),
        vectors: async (dimensions) => this.#vectors(dimensions),
      },
      query,
    )
  }

  async close(): Promise<void> {
    this.#db.close()
  }

  #vectors(dimensions: number): Vectors {
    const generation = this.#rows.generation()
    const held = this.#held
    if (held?.generation === generation && held.dimensions === dimensions) return held.vectors
    const vectors = heldVectors(vectorIndex(this.#rows.vectors(), dimensions))
    this.#held = { generation, dimensions, vectors }
    return vectors
  }
}
