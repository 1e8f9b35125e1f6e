import { EchelonError } from 'echelon/internal/value'
import type { Database } from './database.ts'

/**
 * Rewrites a file so that no byte of the deleted data is left.
 *
 * `secure_delete` alone is not enough. It zeroes what a deletion frees, but not what stays on a
 * page when its rows move to another page as the tree is balanced: of 30 files with random rows of
 * 10 B to 100 KB, 22 still held pieces of deleted texts after a checkpoint. `VACUUM` rewrites each
 * page; none of the 30 held any after it.
 *
 * It takes about 10 ms per MB. Meanwhile others can read but not write; above a gigabyte they time
 * out (`BUSY_TIMEOUT_MS`). The remaining data is copied to an unlinked file in the system's
 * temporary folder (`SQLITE_TMPDIR`) that only its owner can read; deleted data never goes there.
 * Copying in memory would need as much memory as the whole file. The log beside the file holds
 * older pages until a checkpoint empties it.
 * @param done what was deleted, as the first half of a sentence
 * @throws EchelonError STORE_UNUSABLE if bytes may be left
 */
export async function eraseBytes(db: Database, done: string): Promise<void> {
  try {
    db.exec('vacuum')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'STORE_UNUSABLE',
      `${done}, but ${db.path} may still hold bytes of it, since it could not be rewritten (${reason}); make room for twice its size there and once in the system's temporary folder, and try again`,
      { cause },
    )
  }
  const checkpoint = db.prepare('pragma wal_checkpoint(truncate)')
  for (let tries = 0; tries < 5; tries++) {
    if (Number(checkpoint.get()?.['busy']) === 0) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new EchelonError(
    'STORE_UNUSABLE',
    `${done}, but ${db.path}-wal may still hold parts of it, since another process does not stop reading; try again`,
  )
}
