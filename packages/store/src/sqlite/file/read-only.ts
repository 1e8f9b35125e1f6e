import { closeSync, existsSync, readSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { EchelonError } from 'echelon/internal/value'
import { openGivenFileSync, refuseLinkedFolder } from 'echelon/internal/platform'
import { APPLICATION_ID, BUSY_TIMEOUT_MS } from './file-facts.ts'
import { foreign, hasNoRoom, newer, unusable } from './unusable.ts'
import { addSums, type SummedTable } from '../checksum/row-sum.ts'
import { SCHEMA_VERSION } from './schema.ts'
import { SUMMED } from '../checksum/summed-tables.ts'

/** Identifies one kind of file and its content. */
export interface FileKind {
  /** `PRAGMA application_id` */
  readonly mark: number
  /** The newest version that this code knows. */
  readonly version: number
  readonly tables: Readonly<Record<string, SummedTable>>
}

const STORE: FileKind = { mark: APPLICATION_ID, version: SCHEMA_VERSION, tables: SUMMED }

/** One of our files, opened without changes. */
export interface OpenedFile {
  readonly db: DatabaseSync
  /** The version of the file; 0 if nothing was ever stored in it. */
  readonly version: number
}

/**
 * Opens a file without changing a byte of it or beside it: nothing is created, upgraded or
 * recovered.
 * @param options.kind default: a store
 * @throws EchelonError STORE_UNUSABLE for a file that does not exist, is corrupt, or is not ours;
 * also for one of a newer version, unless `anyVersion`
 */
export function openReadOnly(
  path: string,
  {
    anyVersion = false,
    kind = STORE,
  }: { readonly anyVersion?: boolean; readonly kind?: FileKind } = {},
): OpenedFile {
  if (!existsSync(path)) {
    throw new EchelonError('STORE_UNUSABLE', `there is no file ${path}; name an existing one`)
  }
  // SQLite would wait for a writer if this is a pipe.
  if (!statSync(path).isFile()) throw unusable(path, new Error('it is not a file'))
  let db: DatabaseSync | undefined
  try {
    refuseLinkedFolder(dirname(resolve(path)))
    db = connect(path)
    addSums(db, path, kind.tables)
    const version = versionOf(db, path, kind)
    if (version > kind.version && !anyVersion) throw newer(path, version, kind.version)
    return { db, version }
  } catch (error) {
    db?.close()
    throw error instanceof EchelonError ? error : unusable(path, error)
  }
}

/**
 * A log beside the file (`-wal`) means that a process uses the file or died: then the log is read
 * too. Otherwise SQLite is told that nothing changes: it would leave a log of its own behind, and
 * could not read from a read-only folder. On a full disk SQLite creates a log that it cannot use,
 * so an empty log does not count.
 */
function connect(path: string): DatabaseSync {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (log !== undefined) {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
    try {
      db.prepare('pragma user_version').get()
      return db
    } catch (error) {
      db.close()
      if (log.size > 0 || !hasNoRoom(error)) throw error
    }
  }
  const unchanging = pathToFileURL(path)
  unchanging.searchParams.set('immutable', '1')
  return new DatabaseSync(unchanging, { readOnly: true })
}

function versionOf(db: DatabaseSync, path: string, { mark }: FileKind): number {
  const pragma = (name: 'user_version' | 'application_id' | 'page_count'): number =>
    Number(db.prepare(`pragma ${name}`).get()?.[name] ?? 0)
  const version = pragma('user_version')
  const isEmpty = version === 0 && pragma('page_count') <= 1
  if (pragma('application_id') !== mark && !isEmpty) throw foreign(path)
  return version
}

const HEADER = 'SQLite format 3\0'

/** Whether a file starts like a database. False if it cannot be read. */
export function isDatabaseFile(path: string): boolean {
  let file: number | undefined
  try {
    file = openGivenFileSync(path)
    const found = Buffer.alloc(HEADER.length)
    readSync(file, found, 0, HEADER.length, 0)
    return found.toString('latin1') === HEADER
  } catch {
    return false
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
