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
    `${path} is of version ${found} and cannot be upgraded, since it cannot be written; copy it with echelon backup, and name the copy`,
  )

/** What SQLite says of a file is a sentence of ours. A mistake in a program stays what it is. */
export function told(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  // No number that is written is as large.
  if (error.code === 'ERR_OUT_OF_RANGE') return damaged(path, 'a number')
  return isOfFile(error) ? unusable(path, error) : error
}

/** SQLITE_ERROR (the text of a schema that is damaged), _BUSY, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN and _NOTADB, with their extended codes. */
const OF_FILE: ReadonlySet<number> = new Set([1, 5, 8, 10, 11, 13, 14, 26])

const isOfFile = (error: Error): boolean =>
  'errcode' in error && OF_FILE.has(Number(error.errcode) & 0xff)

const SQLITE_ERROR = 1

/** Why something failed. SQLite's own text quotes what stands in a file; what its codes mean does not. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if (!('errcode' in cause && 'errstr' in cause)) return cause.message
  return (Number(cause.errcode) & 0xff) === SQLITE_ERROR
    ? 'its schema is damaged'
    : String(cause.errstr)
}

/** SQLITE_IOERR and _FULL: not even a file for the processes that share the store may have room. */
const NO_ROOM: ReadonlySet<number> = new Set([10, 13])

/** Whether nothing could be written beside a file that is else as it should be. */
export const hasNoRoom = (error: unknown): boolean =>
  error instanceof Error &&
  (('errcode' in error && NO_ROOM.has(Number(error.errcode) & 0xff)) || hasNoRoom(error.cause))

/** What is broken is never written over. */
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
    return 'nothing was changed; put back a backup, or move the file away to begin anew'
  }
  if (/locked/i.test(reason)) return 'another process writes to it; try again when it is done'
  return 'see that its folder can be written and has room, or name another file'
}
