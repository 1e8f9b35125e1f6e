/** Deletes what is stored of a conversation besides its runs and its own row. */
export const OF_SESSION: readonly string[] = [
  'delete from messages where session = ?',
  'delete from cache where session = ?',
  `delete from notes where scope_kind = 'session' and scope_id = ?`,
  `delete from note_writes where scope_kind = 'session' and scope_id = ?`,
]
