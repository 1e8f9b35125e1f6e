import { type CustomTypesConfig, Pool, types } from 'pg'
import type { PostgresAddress } from './address.ts'
import { fromKept } from './kept-text.ts'

/** Most connections of a process. The rest wait for one. */
const MOST = 10

/** A server that does not answer counts as lost. */
const CONNECT_MS = 10_000

/**
 * The server ends the transaction of a process that freezes inside it, so that its locks block no other
 * process for longer. The process repeats the work.
 */
const IDLE_IN_TRANSACTION_MS = 10_000

/** The plans of a connection are made for tables as large as they were. A new one plans anew. */
const LIFETIME_S = 300

const LOCK_WAIT_MS = 10_000

/** Numbers of types, as PostgreSQL gives them. */
const INT8: number = types.builtins.INT8
const TEXT: number = types.builtins.TEXT

/** Only for our own pool: other users of the client see their own types. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    // No number of ours is out of range: they count, or are milliseconds since the epoch.
    if (oid === INT8) return Number
    if (oid === TEXT) return fromKept
    return types.getTypeParser(oid, format)
  },
}

const ignored = (): void => undefined

/** Connections to one schema of one database. */
export function poolOf({ connection, schema }: PostgresAddress, isReadOnly: boolean): Pool {
  const pool = new Pool({
    connectionString: connection,
    max: MOST,
    connectionTimeoutMillis: CONNECT_MS,
    maxLifetimeSeconds: LIFETIME_S,
    keepAlive: true,
    types: TYPES,
    application_name: 'echelon',
    lock_timeout: LOCK_WAIT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    options: `-c search_path=${schema}${isReadOnly ? ' -c default_transaction_read_only=on' : ''}`,
    // A process whose work is done may end although connections are open.
    allowExitOnIdle: true,
  })
  // An idle connection is lost when the server restarts. The next query opens a new one.
  pool.on('error', ignored)
  // One in use may be lost between two queries of a transaction: the next query fails then.
  pool.on('connect', (client) => client.on('error', ignored))
  return pool
}
