import { Database } from '../sqlite/file/database.ts'
import { KNOWLEDGE_ID, KNOWLEDGE_MIGRATIONS } from '../sqlite/knowledge/knowledge-schema.ts'
import type { KnowledgeStore } from '../sqlite-knowledge.ts'

/**
 * Opens knowledge in one SQLite file. The processes of one machine may share it; the file and its
 * folder are readable by the user alone.
 * Words are looked up by SQLite (FTS5, ignoring case and accents). Vectors are compared exactly, in
 * memory, where all of them are held from the first search on: about 3 KB per chunk with the
 * embedded embedder, 4 bytes per dimension with a model. They are read again after any process
 * changes the file.
 *
 * Removed text is no longer found, but its words may stay in the bytes of the file. If they must
 * not, delete the file and add the remaining documents to a new one.
 * @param path `:memory:` keeps the knowledge in this process only, without a file
 * @throws EchelonError STORE_UNUSABLE with what to do
 */
export async function openKnowledge(path: string): Promise<KnowledgeStore> {
  const { SqliteKnowledge } = await import('../sqlite-knowledge.ts')
  return new SqliteKnowledge(await Database.open(path, KNOWLEDGE_MIGRATIONS, KNOWLEDGE_ID))
}
