import { EchelonError } from 'echelon/internal/value'

/** The address of a store in PostgreSQL. */
export interface PostgresAddress {
  /** For the client. Holds the password. */
  readonly connection: string
  /** The schema that holds the tables. */
  readonly schema: string
  /** For people: without password and options. */
  readonly shown: string
}

const SCHEMES: ReadonlySet<string> = new Set(['postgres:', 'postgresql:'])

/** Tables of other programs in the same database have other schemas. */
const USUAL_SCHEMA = 'echelon'

/** Names that need no quotes, so that they are safe in the options of a connection. */
const SCHEMA = /^[a-z_][a-z0-9_]{0,47}$/

/** Whether an address names a PostgreSQL database, and not a file. */
export const isPostgresAddress = (address: string): boolean => /^postgres(?:ql)?:/i.test(address)

/**
 * Reads an address such as `postgres://user:password@host:5432/database?schema=team`.
 * @throws EchelonError INVALID_INPUT without any part of the address: it may hold a password
 */
export function postgresAddress(address: string): PostgresAddress {
  const url = URL.parse(address)
  if (url === null || !SCHEMES.has(url.protocol)) {
    throw new EchelonError(
      'INVALID_INPUT',
      'the address of the database cannot be read; write it as postgres://HOST:5432/DATABASE, with USER:PASSWORD@ before the host and special characters of the password as %XX',
    )
  }
  const schema = url.searchParams.get('schema') ?? USUAL_SCHEMA
  if (!SCHEMA.test(schema)) {
    throw new EchelonError(
      'INVALID_INPUT',
      'the schema in the address of the database must be lower-case letters, digits and underscores, at most 48; the default is echelon',
    )
  }
  url.searchParams.delete('schema')
  return { connection: url.href, schema, shown: shownAddress(url, schema) }
}

function shownAddress({ username, host, pathname }: URL, schema: string): string {
  const user = username === '' ? '' : `${username}@`
  const name = `postgres://${user}${host}${pathname}`
  return schema === USUAL_SCHEMA ? name : `${name}?schema=${schema}`
}
