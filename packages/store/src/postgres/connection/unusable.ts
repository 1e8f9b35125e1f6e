import { EchelonError } from 'echelon/internal/value'
import { codeOf, isConnectionLost } from './failures.ts'

/**
 * The error for a database that cannot be used. PostgreSQL's own message is not quoted, since it may
 * hold a user's data; only the sentence for its code is.
 * @param place the address without its password
 */
export function unusableDatabase(place: string, error: unknown): unknown {
  if (error instanceof EchelonError) return error
  const advice = adviceFor(error)
  return advice === undefined
    ? error
    : new EchelonError('STORE_UNUSABLE', `${place} cannot be used: ${advice}`, {
        details: { code: codeOf(error) },
      })
}

const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'the server refuses the user or the password; correct them in the address',
  '28000':
    'the server refuses the user, or demands another way to connect; ask who runs it, or add ?sslmode=verify-full',
  '3D000': 'there is no such database; create it (createdb NAME), or name another',
  '42501': 'the user may not do this; grant it CREATE on the database and all rights on the schema',
  '53100': 'the disk of the server is full; make room there, nothing was lost',
  '53200': 'the server is out of memory; nothing was lost',
  '53300': 'the server has too many clients; raise max_connections, or start fewer processes',
  '25006': 'it is read-only, as a standby is; name the primary server',
  '57014': 'the server canceled the query; raise statement_timeout of the user',
  '58030': 'the server cannot read or write its disk; look into its log',
  '58P01': 'the server misses a file; look into its log',
  XX001: 'the server found damaged data; restore a backup',
  XX002: 'the server found a damaged index; run reindex database, or restore a backup',
  '54000': 'an id or a key is too long for an index; use one below 2,000 characters',
  ENOTFOUND: 'there is no host of this name; correct the address',
  EAI_AGAIN: 'the name of the host cannot be looked up; check the network',
  ECONNREFUSED: 'no server listens there; start it, or correct host and port',
  ENOENT: 'no server listens at this socket; start it, or correct the address',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate of the server is not trusted; add its authority with sslrootcert',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'the certificate of the server is not trusted; add its authority with sslrootcert',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate of the server is not trusted; add its authority with sslrootcert',
}

function adviceFor(error: unknown): string | undefined {
  const known = ADVICE[codeOf(error)]
  if (known !== undefined) return known
  if (error instanceof AggregateError) return error.errors.map(adviceFor).find(Boolean)
  if (error instanceof Error && /does not support SSL/.test(error.message))
    return 'the server does not support encrypted connections; leave sslmode out of the address'
  if (isConnectionLost(error))
    return 'the server cannot be reached, or restarts; try again when it is back'
  return undefined
}

export const newerSchema = (place: string, found: number, known: number): EchelonError =>
  new EchelonError(
    'STORE_UNUSABLE',
    `${place} is of version ${found} and this Echelon reads up to ${known}; update Echelon, or name another schema in the address`,
  )

export const foreignSchema = (place: string, schema: string): EchelonError =>
  new EchelonError(
    'STORE_UNUSABLE',
    `the schema ${schema} of ${place} holds tables of another program; name another one in the address: ?schema=NAME`,
  )

export const olderStandby = (place: string, found: number): EchelonError =>
  new EchelonError(
    'STORE_UNUSABLE',
    `${place} is of version ${found} and cannot be upgraded, since it is opened for reading only; open it for writing once`,
    { details: { schema: 'older', version: found } },
  )
