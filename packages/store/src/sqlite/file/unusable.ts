import { EchelonError } from 'echelon/internal/value'
import { damaged } from '../checksum/row-sum.ts'
import { SCHEMA_VERSION } from './schema.ts'

export const foreign = (path: string): EchelonError =>
  new EchelonError('STORE_UNUSABLE', `${path} is a database of another program; name another file`)

export const newer = (path: string, found: number, known: number = SCHEMA_VERSION): EchelonError =>
  new EchelonError(
    'STORE_UNUSABLE',
    `${path} is of version ${found} and this Echelon reads up to ${known}; update Echelon, or name another file`,
  )

export const olderReadOnly = (path: string, found: number): EchelonError =>
  new EchelonError(
    'STORE_UNUSABLE',
    `${path} is of version ${found} and cannot be upgraded, since it is read-only; copy it with echelon backup, and name the copy`,
  )

/** Turns SQLite's errors about a file into ours. Programming errors stay as they are. */
export function asStoreError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  // We write no number that large.
  if (error.code === 'ERR_OUT_OF_RANGE') return damaged(path, 'a number')
  return isOfFile(error) ? unusable(path, error) : error
}

/** SQLITE_ERROR (the text of a schema that is damaged), _BUSY, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN and _NOTADB, with their extended codes. */
const OF_FILE: ReadonlySet<number> = new Set([1, 5, 8, 10, 11, 13, 14, 26])

const isOfFile = (error: Error): boolean =>
  'errcode' in error && OF_FILE.has(Number(error.errcode) & 0xff)

const SQLITE_ERROR = 1

/**
 * The reason of a failure. SQLite's own message may quote the content of the file; its error codes
 * do not.
 */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (!('errcode' in cause && 'errstr' in cause)) return cause.message
  return (Number(cause.errcode) & 0xff) === SQLITE_ERROR
    ? 'its schema is damaged'
    : String(cause.errstr)
}

/** SQLITE_IOERR and _FULL: there may be no room even for the file that the processes share. */
const NO_ROOM: ReadonlySet<number> = new Set([10, 13])

/** Whether the file is fine but nothing can be written next to it. */
export const hasNoRoom = (error: unknown): boolean =>
  error instanceof Error &&
  (('errcode' in error && NO_ROOM.has(Number(error.errcode) & 0xff)) || hasNoRoom(error.cause))

/** A corrupt file is never overwritten. */
export function unusable(path: string, cause: unknown): EchelonError {
  const reason = reasonOf(cause)
  return new EchelonError(
    'STORE_UNUSABLE',
    `${path} cannot be used (${reason}); ${advice(reason)}`,
    {
      cause,
    },
  )
}

function advice(reason: string): string {
  if (/malformed|not a database|corrupt|schema is damaged/i.test(reason)) {
    return 'nothing was changed; restore a backup, or move the file away to start with a new one'
  }
  if (/locked/i.test(reason)) return 'another process writes to it; try again when it is done'
  return 'check that its folder is writable and has room, or name another file'
}
