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

/** How far a copy has come, in pages of the file. */
export interface BackupProgress {
  readonly done: number
  readonly total: number
}

export interface BackupOptions {
  /** Called again and again while it goes on. */
  readonly onProgress?: (progress: BackupProgress) => void
  /** Ends the copy; nothing is left of it. */
  readonly signal?: AbortSignal
}

/** What was copied. */
export interface BackedUp {
  /** Of the new file. */
  readonly bytes: number
  /** Of the store, and of the copy. */
  readonly version: number
  /** Whether that is newer than what this Echelon reads: the copy is good for a newer one alone. */
  readonly isNewer: boolean
}

/** Pages between two reports: 4 MB. */
const PAGES_AT_ONCE = 1000

/**
 * Copies a store's file as it stands at this moment, whoever writes to it meanwhile: nobody waits,
 * and what comes later is not in the copy. The copy is a store's file too, of the same version. It
 * appears under its name when it is complete and on the disk, readable by its owner alone.
 * @throws EchelonError STORE_UNUSABLE for a file that is no store, INVALID_INPUT where the new name
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
    appear(draft, target)
    return { bytes: pages.count * pages.size, version, isNewer: version > SCHEMA_VERSION }
  } catch (error) {
    if (error instanceof EchelonError || options.signal?.aborted === true) throw error
    throw notWritten(target, error)
  } finally {
    removePart(draft)
  }
}

/**
 * On a connection of its own that holds on to what it read first: else SQLite would begin anew
 * whenever somebody writes, and never end where somebody always does.
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
  // What is full is copied elsewhere, too.
  try {
    db = openReadOnly(path, { anyVersion: true }).db
    return reading(db)
  } catch (error) {
    db?.close()
    throw unusable(path, error)
  }
}

/** The first read decides what is seen until the end. */
function reading(db: DatabaseSync): DatabaseSync {
  db.exec('begin')
  db.prepare('select count(*) from sqlite_schema').get()
  return db
}

/** Never in place of another file, also of one that came meanwhile. */
function appear(draft: string, target: string): void {
  try {
    linkSync(draft, target)
  } catch {
    if (existsSync(target)) throw taken(target)
    // Some file systems, as those of memory sticks, know no links.
    renameSync(draft, target)
  }
  // There a folder cannot be opened.
  if (process.platform === 'win32') return
  const folder = openSync(dirname(target), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

const taken = (target: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `${target} is there already; name a new file for the backup`)

function notWritten(target: string, cause: unknown): EchelonError {
  const reason = reasonOf(cause)
  return new EchelonError(
    'INVALID_INPUT',
    `the backup ${target} cannot be written (${reason}); nothing of it was kept, see that its folder is there and has room`,
    { cause },
  )
}
