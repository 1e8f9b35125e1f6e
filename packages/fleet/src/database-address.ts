import { EchelonError } from 'echelon/runtime'

/** Where a fleet has its tables. */
export interface FleetDatabase {
  /** Address without what only the store understands. */
  readonly url: string
  /** The same for DBOS. */
  readonly engineUrl: string
  /** The schema of the store. */
  readonly runs: string
  /** The schema of the queues. Another store in the same database has other queues. */
  readonly queues: string
}

/** The schema that a store has if its address names none. */
const USUAL = 'echelon'

/** It becomes part of statements. */
const NAME = /^[a-z_][a-z0-9_]{0,50}$/

/** Reads the address of a store, such as `postgres://user:password@host/name?schema=team`. */
export function fleetDatabase(address: string): FleetDatabase {
  const url = URL.parse(address)
  if (url === null) return { url: address, engineUrl: address, runs: USUAL, queues: 'dbos' }
  const runs = url.searchParams.get('schema') ?? USUAL
  if (!NAME.test(runs)) {
    throw new EchelonError(
      'INVALID_CONFIG',
      'the schema of the database address may have only small letters, digits and underscores; rename it',
    )
  }
  url.searchParams.delete('schema')
  const queues = runs === USUAL ? 'dbos' : `${runs}_dbos`
  return { url: url.href, engineUrl: withTimeout(url), runs, queues }
}

/** The default of DBOS, in milliseconds. */
const IDLE_IN_TRANSACTION = 'idle_in_transaction_session_timeout'
const IDLE_MS = 60_000

/**
 * Without it in the address, DBOS sets the timeout by a query on each new connection, beside the query that the
 * connection was opened for. `pg` warns of that, and its next version refuses it.
 */
function withTimeout(url: URL): string {
  const given = url.searchParams.get('options') ?? ''
  if (given.includes(IDLE_IN_TRANSACTION)) return url.href
  const both = new URL(url)
  both.searchParams.set('options', `${given} -c ${IDLE_IN_TRANSACTION}=${IDLE_MS}`.trim())
  return both.href
}
