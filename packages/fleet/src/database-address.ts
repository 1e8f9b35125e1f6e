import { EchelonError } from 'echelon/runtime'

/** Where a fleet has its tables. */
export interface FleetDatabase {
  /** Address without what only the store understands. */
  readonly url: string
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
  if (url === null) return { url: address, runs: USUAL, queues: 'dbos' }
  const runs = url.searchParams.get('schema') ?? USUAL
  if (!NAME.test(runs)) {
    throw new EchelonError(
      'INVALID_CONFIG',
      'the schema of the database address may have only small letters, digits and underscores; rename it',
    )
  }
  url.searchParams.delete('schema')
  return { url: url.href, runs, queues: runs === USUAL ? 'dbos' : `${runs}_dbos` }
}
