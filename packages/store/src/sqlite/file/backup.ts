import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { EchelonError } from 'echelon/internal/value'
import { BUSY_TIMEOUT_MS } from './file-facts.ts'
import { hasNoRoom, reasonOf, unusable } from './unusable.ts'
import { newPart, partsIn, removePart } from './backup-parts.ts'
import { canBeWritten } from './private-place.ts'
import { openReadOnly } from './read-only.ts'
import { SCHEMA_VERSION } from './schema.ts'

/** Progress of a copy, in pages of the file. */
export interface BackupProgress {
  readonly done: number
  readonly total: number
}

export interface BackupOptions {
  /** Called repeatedly while the copy runs. */
  readonly onProgress?: (progress: BackupProgress) => void
  /** Cancels the copy; nothing is left of it. */
  readonly signal?: AbortSignal
}

/** The result of a backup. */
export interface BackedUp {
  /** Size of the new file. */
  readonly bytes: number
  /** Version of the store and of the copy. */
  readonly version: number
  /** Whether that version is newer than this Echelon reads: only a newer one can use the copy. */
  readonly isNewer: boolean
}

/** Pages between two reports: 4 MB. */
const PAGES_AT_ONCE = 1000

/**
 * Copies a store's file as it is at this moment. Writers do not wait, and later writes are not in
 * the copy. The copy is a store file of the same version. It appears under its name when it is
 * complete and on disk, readable by its owner alone.
 * @throws EchelonError STORE_UNUSABLE for a file that is not a store, INVALID_INPUT if the new name
 * is taken or cannot be written; nothing is left then
 */
export async function backUp(
  path: string,
  target: string,
  options: BackupOptions = {},
): Promise<BackedUp> {
  const { db, version } = openReadOnly(path, { anyVersion: true })
  db.close()
  if (existsSync(target)) throw taken(target)
  for (const left of partsIn(dirname(target))) removePart(left)
  const draft = newPart(target)
  try {
    closeSync(openSync(draft, 'wx', 0o600))
    const pages = await copy(path, draft, options)
    publish(draft, target)
    return { bytes: pages.count * pages.size, version, isNewer: version > SCHEMA_VERSION }
  } catch (error) {
    if (error instanceof EchelonError || options.signal?.aborted === true) throw error
    throw notWritten(target, error)
  } finally {
    removePart(draft)
  }
}

/**
 * Uses its own connection with an open read transaction. Otherwise SQLite would restart the copy
 * after each write and never end while others keep writing.
 */
async function copy(
  path: string,
  draft: string,
  { onProgress, signal }: BackupOptions,
): Promise<{ readonly count: number; readonly size: number }> {
  signal?.throwIfAborted()
  const db = hold(path)
  try {
    const count = await backup(db, draft, {
      rate: PAGES_AT_ONCE,
      progress({ totalPages: total, remainingPages }) {
        signal?.throwIfAborted()
        onProgress?.({ done: total - remainingPages, total })
      },
    })
    signal?.throwIfAborted()
    return { count, size: Number(db.prepare('pragma page_size').get()?.['page_size'] ?? 0) }
  } finally {
    db.close()
  }
}

function hold(path: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    if (canBeWritten(path)) {
      db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
      return reading(db)
    }
  } catch (error) {
    db?.close()
    if (!hasNoRoom(error)) throw unusable(path, error)
  }
  // A full disk may hold a store that is copied elsewhere.
  try {
    db = openReadOnly(path, { anyVersion: true }).db
    return reading(db)
  } catch (error) {
    db?.close()
    throw unusable(path, error)
  }
}

/** The first read fixes the snapshot until the end. */
function reading(db: DatabaseSync): DatabaseSync {
  db.exec('begin')
  db.prepare('select count(*) from sqlite_schema').get()
  return db
}

/** Never replaces a file, not even one created meanwhile. */
function publish(draft: string, target: string): void {
  try {
    linkSync(draft, target)
  } catch {
    if (existsSync(target)) throw taken(target)
    // Some file systems, such as those of memory sticks, have no links.
    renameSync(draft, target)
  }
  // Windows cannot open a folder.
  if (process.platform === 'win32') return
  const folder = openSync(dirname(target), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

const taken = (target: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `${target} already exists; name a new file for the backup`)

function notWritten(target: string, cause: unknown): EchelonError {
  const reason = reasonOf(cause)
  return new EchelonError(
    'INVALID_INPUT',
    `the backup ${target} cannot be written (${reason}); nothing of it was kept; check that its folder exists and has room`,
    { cause },
  )
}
