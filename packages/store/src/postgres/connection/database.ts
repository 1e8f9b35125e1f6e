import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import { type PostgresAddress, postgresAddress } from './address.ts'
import { Outage } from './outage.ts'
import { isConflict, isConnectionLost } from './failures.ts'
import { toKept } from './kept-text.ts'
import { poolOf } from './pool.ts'
import { unusableDatabase } from './unusable.ts'

/** Time that a query waits for a server that restarts, in milliseconds. */
const PATIENCE_MS = 60_000

/** The same while a store is closed. */
const LAST_PATIENCE_MS = 3000

/** Most attempts of a transaction that others come between. */
const MOST_CONFLICTS = 20

/** One message. Its answer is the transaction's id, which tells what became of it. */
const BEGIN = 'begin; select pg_current_xact_id()::text as id'

const BEGIN_LOSSY =
  'begin; set local synchronous_commit = off; select pg_current_xact_id()::text as id'

const FIRST_PAUSE_MS = 20

const LONGEST_PAUSE_MS = 1000

type Scalar = string | number | null | Uint8Array

export type Value = Scalar | readonly Scalar[]

export type Row = Readonly<Record<string, unknown>>

/** Text of SQL, or a statement of a step, which each connection parses and plans once. */
export type Statement = string | Prepared

export interface Prepared {
  /** The same name is always the same text. */
  readonly name: string
  readonly text: string
}

/** Runs statements, in a transaction or alone. */
export interface Queries {
  all(sql: Statement, ...values: readonly Value[]): Promise<readonly Row[]>
  /** The first row. */
  get(sql: Statement, ...values: readonly Value[]): Promise<Row | undefined>
  /** @returns how many rows it changed */
  run(sql: Statement, ...values: readonly Value[]): Promise<number>
}

export interface PostgresOptions {
  /** Time that a query waits for a server that restarts, in milliseconds. Default one minute. */
  readonly patienceMs?: number
  /** Whether the database is opened for reading only. Default false. */
  readonly look?: boolean
}

/**
 * One schema of a PostgreSQL database. Its own methods repeat a query that was lost with a connection,
 * so use them only for queries that may run twice. Run all others in a transaction, which is never
 * repeated.
 */
export class Postgres implements Queries {
  readonly address: PostgresAddress
  /** The address without its password. */
  readonly place: string
  readonly #pool: Pool
  #patienceMs: number
  #isClosed = false
  readonly #outage = new Outage()

  constructor(address: string, { patienceMs = PATIENCE_MS, look = false }: PostgresOptions = {}) {
    this.address = postgresAddress(address)
    this.place = this.address.shown
    this.#patienceMs = patienceMs
    this.#pool = poolOf(this.address, look)
  }

  all(sql: Statement, ...values: readonly Value[]): Promise<readonly Row[]> {
    return this.patiently((queries) => queries.all(sql, ...values))
  }

  get(sql: Statement, ...values: readonly Value[]): Promise<Row | undefined> {
    return this.patiently((queries) => queries.get(sql, ...values))
  }

  run(sql: Statement, ...values: readonly Value[]): Promise<number> {
    return this.patiently((queries) => queries.run(sql, ...values))
  }

  /** Does work on a connection that may be done again from its beginning. */
  patiently<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.repeating(isConnectionLost, work)
  }

  /** Does work on a connection, again after each error of a kind, for as long as it makes sense. */
  repeating<Result>(
    isWorthIt: (error: unknown) => boolean,
    work: (queries: Queries) => Promise<Result>,
  ): Promise<Result> {
    return this.#trying(isWorthIt, () => this.once(work))
  }

  /** Does work on a connection, and nothing again. */
  async once<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect()
    let failure: unknown
    try {
      return await work(queriesOn(client))
    } catch (error) {
      failure = error
      throw error
    } finally {
      // A broken connection is not used again.
      client.release(isConnectionLost(failure))
    }
  }

  /**
   * Asks the server once, before a first query: somebody waits, so an absent server is reported at once.
   * @throws EchelonError STORE_UNUSABLE
   */
  async reach(): Promise<void> {
    try {
      await this.once((queries) => queries.get('select 1'))
    } catch (error) {
      throw unusableDatabase(this.place, error)
    }
  }

  /** A connection of the caller, who releases it. A transaction on it is not done again. */
  async reserve(): Promise<{ readonly queries: Queries; readonly release: () => void }> {
    try {
      const client = await this.#pool.connect()
      return { queries: queriesOn(client, this.place), release: () => client.release() }
    } catch (error) {
      throw unusableDatabase(this.place, error)
    }
  }

  /**
   * Runs `work` as one transaction, and again if others came between or the server went away. It may
   * change nothing but the database: what the process remembers is changed by the result.
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#committed(BEGIN, work)
  }

  /** A transaction that waits for no disk: the server may lose it when it fails. */
  lossyTransaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#committed(BEGIN_LOSSY, work)
  }

  /**
   * Returns how long the server was away, in milliseconds, if it came back just now. No process could write
   * meanwhile, so leases of others are extended by this time.
   * @param forMs how long ago counts as just now
   */
  awayMs(forMs: number): number {
    return this.#outage.ms(forMs)
  }

  /** From here on a server that is away is not waited for: the process ends. */
  hurry(): void {
    this.#patienceMs = Math.min(this.#patienceMs, LAST_PATIENCE_MS)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#pool.end()
  }

  #committed<Result>(begin: string, work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#trying(isRepeatable, () =>
      this.once((queries) => this.#commit(queries, begin, work)),
    )
  }

  async #commit<Result>(
    queries: Queries,
    begin: string,
    work: (queries: Queries) => Promise<Result>,
  ): Promise<Result> {
    let result: Result
    let id: string
    try {
      id = String((await queries.get(begin))?.['id'])
      result = await work(queries)
    } catch (error) {
      if (!isConnectionLost(error)) await queries.run('rollback').catch(() => undefined)
      throw error
    }
    try {
      await queries.run('commit')
    } catch (error) {
      if (!isConnectionLost(error) || !(await this.#isCommitted(id))) throw error
    }
    return result
  }

  /** Whether a transaction was committed before the server's answer got lost. */
  #isCommitted(id: string): Promise<boolean> {
    return this.#trying(
      (error) => isConnectionLost(error) || error instanceof StillRunning,
      async () => {
        const row = await this.once((queries) =>
          queries.get('select pg_xact_status($1::text::xid8) as status', id),
        )
        // The server has not noticed yet that the connection is gone.
        if (row?.['status'] === 'in progress') throw new StillRunning()
        return row?.['status'] === 'committed'
      },
    )
  }

  async #trying<Result>(
    isWorthIt: (error: unknown) => boolean,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const since = performance.now()
    for (let attempt = 0; ; attempt++) {
      try {
        const result = await work()
        this.#outage.end()
        return result
      } catch (error) {
        if (isConnectionLost(error)) this.#outage.begin()
        const isLate =
          performance.now() - since > this.#patienceMs ||
          (isConflict(error) && attempt >= MOST_CONFLICTS)
        if (this.#isClosed || isLate || !isWorthIt(error)) throw unusableDatabase(this.place, error)
      }
      await sleep(pauseMs(attempt))
    }
  }
}

class StillRunning extends Error {}

const isRepeatable = (error: unknown): boolean => isConnectionLost(error) || isConflict(error)

/** Doubles, and differs between processes, so that they do not meet again. */
const pauseMs = (attempt: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random() / 2)

/** @param place if given, errors of the server become ours, which nothing tries again */
function queriesOn(client: PoolClient, place?: string): Queries {
  const query = async (
    sql: Statement,
    values: readonly Value[],
  ): Promise<QueryResult<Row> | undefined> => {
    try {
      // Several statements in one message have a list of results. The last one counts.
      return [await client.query<Row>(queryOf(sql, values))].flat().at(-1)
    } catch (error) {
      throw place === undefined ? error : unusableDatabase(place, error)
    }
  }
  return {
    all: async (sql, ...values) => (await query(sql, values))?.rows ?? [],
    get: async (sql, ...values) => (await query(sql, values))?.rows[0],
    run: async (sql, ...values) => (await query(sql, values))?.rowCount ?? 0,
  }
}

const queryOf = (sql: Statement, values: readonly Value[]): QueryConfig => ({
  ...(typeof sql === 'string' ? { text: sql } : sql),
  values: values.map(kept),
})

function kept(value: Value): unknown {
  if (typeof value === 'string') return toKept(value)
  return Array.isArray(value)
    ? value.map((one: unknown) => (typeof one === 'string' ? toKept(one) : one))
    : value
}
