import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'

/** A store's file, to be written to by a test as the store itself would: with the checksum of each row. */
export function openByHand(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  db.function('row_sum', { deterministic: true }, (bytes) =>
    bytes instanceof Uint8Array ? crc32(bytes) : null,
  )
  db.function('damaged_row', { varargs: true }, (table, row) => {
    throw new Error(`${String(table)} ${String(row)} is damaged`)
  })
  return db
}

/** Changes a table as a failing disk would: what guards it says nothing, and stands there afterwards. */
export function withoutTriggers(db: DatabaseSync, table: string, change: () => unknown): void {
  const triggers = db
    .prepare(`select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ?`)
    .all(table)
  for (const { name } of triggers) db.exec(`drop trigger ${String(name)}`)
  change()
  for (const { sql } of triggers) db.exec(String(sql))
}
