import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Schema } from '../../schema/tables.ts'
import type { Builder } from './schema.ts'

/**
 * Builds queries without running them. All code shares one SQLite connection, so a transaction left
 * open over an `await` would include the writes of others; `Database` runs each query
 * synchronously. Loading the builder takes longer than opening a store, so it is loaded on first
 * use.
 */
export const queryBuilder: Builder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
