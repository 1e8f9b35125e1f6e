import { Pool } from 'pg'
import type { FleetDatabase } from '../database-address.ts'
import { admissionId, asleepId, type LegRequest, runOfResume } from '../leg.ts'
import { admissionOf, LEGS } from '../limits.ts'

/** SQL that creates the table of workers' deaths while they began a run, beside the queues. */
export const createDeaths = (queues: string): string =>
  `create table if not exists "${queues}".echelon_deaths (
     run text primary key, deaths bigint not null, at timestamptz not null)`

const QUERY_MS = 10_000

/** A run that continues by itself. */
export interface Sleeper {
  readonly run: string
  /** In milliseconds since the epoch. */
  readonly until: number
}

/** Queries of other rows of the queues that a leg needs. DBOS offers none that uses an index. */
export class QueueRows {
  readonly #pool: Pool
  readonly #table: string
  readonly #deaths: string

  constructor({ url, queues }: FleetDatabase) {
    this.#pool = new Pool({ connectionString: url, max: 2, connectionTimeoutMillis: QUERY_MS })
    // A restart of the database ends its connections.
    this.#pool.on('error', () => undefined)
    this.#table = `"${queues}".workflow_status`
    this.#deaths = `"${queues}".echelon_deaths`
  }

  /** The runs of a leg's session that sleep, or have slept and are queued. A run that was canceled may be among them. */
  async sleepers({ partition, principal }: LegRequest): Promise<readonly Sleeper[]> {
    const queues = principal === undefined ? [LEGS] : [LEGS, admissionOf(principal)]
    const { rows } = await this.#pool.query<{ id: string; at: string | null }>(
      `select workflow_uuid as id, delay_until_epoch_ms as at from ${this.#table}
        where queue_name = any($1) and deduplication_id = any($2) and status in ('DELAYED', 'ENQUEUED')`,
      [queues, [asleepId(partition, 'even'), asleepId(partition, 'odd')]],
    )
    return rows.map(({ id, at }) => ({ run: runOfResume(id), until: Number(at ?? 0) }))
  }

  /** Whether a leg was canceled while it was admitted. */
  async isCanceled({ id, isAdmitted = false }: LegRequest): Promise<boolean> {
    if (!isAdmitted) return false
    const { rows } = await this.#pool.query(
      `select 1 from ${this.#table} where workflow_uuid = $1 and status = 'CANCELLED'`,
      [admissionId(id)],
    )
    return rows.length > 0
  }

  /**
   * Whether an earlier turn of a leg's session is queued for workers of another release, or one of them has just taken
   * it: it may not have begun yet.
   */
  async isOvertaking({ id, partition, version }: LegRequest): Promise<boolean> {
    const { rows } = await this.#pool.query(
      `select 1 from ${this.#table} where queue_name = $1 and queue_partition_key = $2
         and status in ('ENQUEUED', 'PENDING') and application_version <> $3
         and created_at < (select created_at from ${this.#table} where workflow_uuid = $4) limit 1`,
      [LEGS, partition, version, id],
    )
    return rows.length > 0
  }

  /**
   * Gives a queued leg to another version in place, so it keeps its turn, and with it its run, whose later legs are
   * of the version of its first one. DBOS has no call for that.
   */
  async adopt({ id, run }: { id: string; run: string }, from: string, to: string): Promise<void> {
    await this.#pool.query(
      `update ${this.#table} set application_version = $3
        where application_version = $2 and (
          workflow_uuid = $1 and status in ('ENQUEUED', 'DELAYED')
          or workflow_uuid = any($4) and status in ('SUCCESS', 'ERROR'))`,
      [id, from, to, [run, admissionId(run)]],
    )
  }

  /** How often a leg was claimed by a worker; more than once if workers died before it was over. */
  async claims({ id }: LegRequest): Promise<number> {
    const { rows } = await this.#pool.query<{ claims: string }>(
      `select recovery_attempts as claims from ${this.#table} where workflow_uuid = $1`,
      [id],
    )
    return Number(rows[0]?.claims ?? 0)
  }

  /** Adds to the claims of legs that were put back: DBOS sets them to zero. */
  async addClaims(
    legs: readonly { readonly id: string; readonly claims: number }[],
  ): Promise<void> {
    await this.#pool.query(
      `update ${this.#table} set recovery_attempts = recovery_attempts + mine.claims
         from unnest($1::text[], $2::bigint[]) as mine (id, claims) where workflow_uuid = mine.id`,
      [legs.map(({ id }) => id), legs.map(({ claims }) => claims)],
    )
  }

  /** Counts a begin of a run whose worker died in the one before. @returns the deaths with that one */
  async countDeath(run: string): Promise<number> {
    const { rows } = await this.#pool.query<{ deaths: string }>(
      `insert into ${this.#deaths} as known (run, deaths, at) values ($1, 1, now())
       on conflict (run) do update set deaths = known.deaths + 1, at = now() returning deaths`,
      [run],
    )
    return Number(rows[0]?.deaths)
  }

  /** Forgets the deaths of a run that did not end its worker this time. */
  async forgetDeaths(run: string): Promise<void> {
    await this.#pool.query(`delete from ${this.#deaths} where run = $1`, [run])
  }

  /** Forgets the deaths of runs that were not begun for long. */
  async pruneDeaths(silentMs: number): Promise<void> {
    await this.#pool.query(
      `delete from ${this.#deaths} where at < now() - $1 * interval '1 millisecond'`,
      [silentMs],
    )
  }

  /** The names of all workers that have legs. */
  async workers(): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ name: string }>(
      `select distinct executor_id as name from ${this.#table}
        where status = 'PENDING' and executor_id <> ''`,
    )
    return rows.map(({ name }) => name)
  }

  close(): Promise<void> {
    return this.#pool.end()
  }
}
