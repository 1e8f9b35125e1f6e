import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'

/** Opens a store file for tests to write to, with the row checksums of the store. */
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
