import { Pool } from 'pg'
import type { FleetDatabase } from './database-address.ts'

const QUERY_MS = 10_000
/** As long as a lease in the store: before that no other process may take its runs up. */
const FROZEN_MS = 30_000

/** SQL that creates the table of beats, beside the queues. */
export const createBeats = (queues: string): string =>
  `create table if not exists "${queues}".echelon_workers (
     name text, version text, beat_at timestamptz not null, primary key (name, version))`

/** The last report of a worker about itself. */
export interface Beat {
  readonly name: string
  /** The version of the legs that it takes. */
  readonly version: string
  /** Whether it said something lately, by the clock of the database. */
  readonly isAlive: boolean
}

/**
 * Signs of life of all workers. A worker whose process is stopped, or that is cut off, keeps its lock for as long as
 * its connection stands, but says nothing.
 */
export class Beats {
  readonly #pool: Pool
  readonly #table: string

  constructor({ url, queues }: FleetDatabase) {
    this.#pool = new Pool({
      connectionString: url,
      max: 1,
      connectionTimeoutMillis: QUERY_MS,
      query_timeout: QUERY_MS,
    })
    // A restart of the database ends its connection.
    this.#pool.on('error', () => undefined)
    this.#table = `"${queues}".echelon_workers`
  }

  async beat(name: string, version: string): Promise<void> {
    await this.#pool.query(
      `insert into ${this.#table} (name, version, beat_at) values ($1, $2, now())
       on conflict (name, version) do update set beat_at = excluded.beat_at`,
      [name, version],
    )
  }

  async all(): Promise<readonly Beat[]> {
    const { rows } = await this.#pool.query<{ name: string; version: string; alive: boolean }>(
      `select name, version, beat_at > now() - $1 * interval '1 millisecond' as alive
       from ${this.#table} order by 1, 2`,
      [FROZEN_MS],
    )
    return rows.map(({ name, version, alive }) => ({ name, version, isAlive: alive }))
  }

  /** A worker that stops says so: its version is known for as long as its legs are. */
  async end(name: string, version: string): Promise<void> {
    await this.#pool.query(
      `update ${this.#table} set beat_at = now() - 2 * $3 * interval '1 millisecond'
       where name = $1 and version = $2`,
      [name, version, FROZEN_MS],
    )
  }

  /** Forgets workers that have been silent for long. */
  async prune(silentMs: number): Promise<void> {
    await this.#pool.query(
      `delete from ${this.#table} where beat_at < now() - $1 * interval '1 millisecond'`,
      [silentMs],
    )
  }

  close(): Promise<void> {
    return this.#pool.end()
  }
}
