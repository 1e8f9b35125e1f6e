import type {
  EmbeddedChunk,
  FoundChunk,
  KnowledgeQuery,
  KnowledgeSource,
} from 'echelon/internal/knowledge'
import { EchelonError } from 'echelon/internal/value'
import { foreignVectors, type KnowledgeStore } from './knowledge/knowledge-store.ts'
import { searchKnowledge } from './knowledge/search-knowledge.ts'
import { Postgres, type Queries } from './postgres/connection/database.ts'
import { unusableDatabase } from './postgres/connection/unusable.ts'
import { CachedVectors } from './postgres/knowledge/cached-vectors.ts'
import {
  allSources,
  chunksAt,
  insertSource,
  lockKnowledge,
  otherEmbedder,
  removeSource,
} from './postgres/knowledge/knowledge-rows.ts'
import { extensionSchema } from './postgres/knowledge/vector-extension.ts'
import { chunksBelow, chunksHolding, chunksMatching } from './postgres/knowledge/word-search.ts'
import { migrate } from './postgres/schema/migrate.ts'
import { KNOWLEDGE_MIGRATIONS } from './postgres/schema/postgres-schema.ts'

/** The access that knowledge needs to a database whose tables exist. */
export interface KnowledgeDatabase extends Queries {
  /** For people, without a password. */
  readonly place: string
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** Knowledge in one schema of a PostgreSQL database, beside a store or alone. */
export class PostgresKnowledge implements KnowledgeStore {
  readonly #db: KnowledgeDatabase
  /** The schema of the extension for vectors, if it is used. */
  readonly #place: string | undefined
  readonly #vectors: CachedVectors

  private constructor(db: KnowledgeDatabase, place: string | undefined) {
    this.#db = db
    this.#place = place
    this.#vectors = new CachedVectors(db, place)
  }

  /** @throws EchelonError STORE_UNUSABLE with what to do, without the password */
  static async open(address: string): Promise<PostgresKnowledge> {
    const db = new Postgres(address)
    try {
      await db.reach()
      await migrate(db, 'knowledge', KNOWLEDGE_MIGRATIONS)
      return await PostgresKnowledge.on(db)
    } catch (error) {
      await db.close()
      throw error instanceof EchelonError ? error : unusableDatabase(db.place, error)
    }
  }

  static async on(db: KnowledgeDatabase): Promise<PostgresKnowledge> {
    return new PostgresKnowledge(db, await extensionSchema(db))
  }

  get path(): string {
    return this.#db.place
  }

  async put(
    source: Omit<KnowledgeSource, 'chunks'>,
    chunks: readonly EmbeddedChunk[],
    embedder: string,
  ): Promise<void> {
    const place = this.#place
    await this.#db.transaction(async (queries) => {
      await lockKnowledge(queries)
      const other = await otherEmbedder(queries, source.id, embedder)
      if (other !== undefined) throw foreignVectors(this.path, other, embedder)
      await removeSource(queries, source.id, place)
      await insertSource(queries, source, chunks, { embedder, place })
    })
  }

  async remove(id: string): Promise<boolean> {
    return this.#db.transaction(async (queries) => {
      await lockKnowledge(queries)
      return removeSource(queries, id, this.#place)
    })
  }

  sources(): Promise<readonly KnowledgeSource[]> {
    return allSources(this.#db)
  }

  async embedder(): Promise<string | null> {
    const row = await this.#db.get('select embedder from sources limit 1')
    return row === undefined ? null : String(row['embedder'])
  }

  search(query: KnowledgeQuery): Promise<readonly FoundChunk[]> {
    const db = this.#db
    return searchKnowledge(
      {
        holding: (words, limit, below) => chunksHolding(db, words, limit, below),
        matching: (lists) => chunksMatching(db, lists),
        below: (path) => chunksBelow(db, path),
        chunks: (numbers) => chunksAt(db, this.path, numbers),
        vectors: (dimensions) => this.#vectors.at(dimensions),
      },
      query,
    )
  }

  close(): Promise<void> {
    return this.#db.close()
  }
}
