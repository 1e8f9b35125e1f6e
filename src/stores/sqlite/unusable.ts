import { EchelonError } from '../../core/error.ts'
import { SCHEMA_VERSION } from './schema.ts'

export const foreign = (path: string): EchelonError =>
  new EchelonError('STORE_UNUSABLE', `${path} is a database of another program; name another file`)

export const newer = (path: string, found: number, known: number = SCHEMA_VERSION): EchelonError =>
  new EchelonError(
    'STORE_UNUSABLE',
    `${path} is of version ${found} and this Echelon reads up to ${known}; update Echelon, or name another file`,
  )

/** What SQLite says of a file that is broken is a sentence of ours; all else stays as it is. */
export const told = (path: string, error: unknown): unknown =>
  isBroken(error) ? unusable(path, error) : error

/** SQLITE_CORRUPT and SQLITE_NOTADB, with their extended codes. */
function isBroken(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  const code = Number(error.errcode) & 0xff
  return code === 11 || code === 26
}

/** What is broken is never written over. */
export function unusable(path: string, cause: unknown): EchelonError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const isBroken = /malformed|not a database|corrupt/i.test(reason)
  const advice = isBroken
    ? 'nothing was changed; put back a backup, or move the file away to begin anew'
    : 'see that its folder can be written and has room, or name another file'
  return new EchelonError('STORE_UNUSABLE', `${path} cannot be used (${reason}); ${advice}`, {
    cause,
  })
}
