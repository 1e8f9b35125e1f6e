import type { Queries } from '../connection/database.ts'

const OF_SESSION: readonly string[] = [
  'delete from messages where session = $1',
  'delete from cache where session = $1',
  'delete from orders where session = $1',
  `delete from notes where scope_kind = 'session' and scope_id = $1`,
  `delete from note_writes where scope_kind = 'session' and scope_id = $1`,
]

/** Deletes what is stored of a conversation besides its runs and its own row. */
export async function deleteOfSession(queries: Queries, session: string): Promise<void> {
  for (const sql of OF_SESSION) await queries.run(sql, session)
}
