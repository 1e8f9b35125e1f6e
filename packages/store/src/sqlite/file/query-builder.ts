import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Builder, Schema } from './schema.ts'

/**
 * Writes queries and runs none: a connection of SQLite is one for all, and a transaction that is
 * left open over an `await` would take in what others write meanwhile. `Database` runs them, each at
 * once. Loading the builder takes longer than opening a store, so it is loaded when it is needed.
 */
export const queryBuilder: Builder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})
