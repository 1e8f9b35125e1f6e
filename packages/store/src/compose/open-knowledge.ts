import type { KnowledgeStore } from '../knowledge/knowledge-store.ts'
import { isPostgresAddress } from '../postgres/connection/address.ts'
import { withClient } from '../postgres/connection/with-client.ts'

/**
 * Opens knowledge, and creates it if it does not exist.
 *
 * A path names a SQLite file. The processes of one machine may share it; the file and its folder are
 * readable by the user alone. `:memory:` keeps the knowledge in this process only, without a file.
 *
 * `postgres://user:password@host:5432/database` names a PostgreSQL database, which the processes of
 * many machines may share. Its tables are in the schema `echelon`, beside those of a store, or in
 * another one: `?schema=team`. Needs the package `pg`.
 *
 * Words are looked up by the database, ignoring case and accents, and ranked alike by both. Vectors are
 * compared exactly, in memory, where all of them are held from the first search on: about 3 KB per
 * chunk with the embedded embedder, 4 bytes per dimension with a model. They are read again after any
 * process changes the file; of a database only what is new. A PostgreSQL database that has the
 * extension `vector` compares vectors of meaning itself.
 *
 * Removed text is no longer found, but its words may stay in the bytes of the file. If they must
 * not, delete the file and add the remaining documents to a new one.
 * @throws EchelonError STORE_UNUSABLE with what to do; MISSING_PACKAGE for a PostgreSQL address without
 * `pg`. The password is in no message
 */
export async function openKnowledge(address: string): Promise<KnowledgeStore> {
  if (isPostgresAddress(address)) {
    const { PostgresKnowledge } = await withClient(() => import('../postgres-knowledge.ts'))
    return PostgresKnowledge.open(address)
  }
  const [{ SqliteKnowledge }, { Database }, schema] = await Promise.all([
    import('../sqlite-knowledge.ts'),
    import('../sqlite/file/database.ts'),
    import('../sqlite/knowledge/knowledge-schema.ts'),
  ])
  const { KNOWLEDGE_ID, KNOWLEDGE_MIGRATIONS } = schema
  return new SqliteKnowledge(await Database.open(address, KNOWLEDGE_MIGRATIONS, KNOWLEDGE_ID))
}
