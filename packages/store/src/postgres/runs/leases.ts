import type { Clock } from 'echelon/runtime'
import type { Postgres, Prepared, Queries, Row } from '../connection/database.ts'
import { isGone, newHolder } from './holder.ts'

/** Time that a silent process counts as alive, in milliseconds. */
const LEASE_MS = 30_000

/** A lease that another process holds. */
export interface HeldByOther {
  /** The run that it is held for. */
  readonly run: string | null
}

/** A lease of this process. */
export interface Lease {
  readonly name: string
  /** Unique to each acquisition: another fence in the row means that the lease is lost. */
  readonly fence: number
}

/** The name of the lease of a run that is not a turn. */
export const runLease = (run: string): string => `run:${run}`

/** The name of the lease that all turns of a conversation share. */
export const sessionLease = (session: string): string => `session:${session}`

/** The name of a key's lease. */
export const keyLease = (key: string): string => `key:${key}`

/** Lease held by the process that marked a conversation disposable. */
export const markLease = (session: string): string => `disposable:${session}`

/** An update that changes nothing locks a row, and tells what is in it. */
const LOCK: Prepared = {
  name: 'lock lease',
  text: `insert into leases (name, fence, expires_at) values ($1, nextval('fences'), 0)
    on conflict (name) do update set fence = leases.fence returning holder, run, expires_at`,
}

const TAKE: Prepared = {
  name: 'take lease',
  text: `update leases set fence = nextval('fences'), holder = $2, run = $3, expires_at = $4
    where name = $1 returning fence`,
}

const RELEASE: Prepared = {
  name: 'release lease',
  text: 'update leases set holder = null, run = null where name = $1 and holder = $2 and fence = $3',
}

/** SQL: the lease of a row of `runs`. */
export const LEASE_OF_RUN = `case when runs.session is null then 'run:' || runs.id else 'session:' || runs.session end`

/**
 * Decides which process may write what, among all that share a database. A lease is renewed while its
 * process lives. When it expires or its process is gone, any process may take it, and the previous
 * fence becomes invalid.
 *
 * Statements within a transaction change nothing that the process remembers: call `keep` and `forget`
 * after the commit.
 */
export class Leases {
  readonly holder: string = newHolder()
  readonly leaseMs: number
  readonly #db: Postgres
  readonly #clock: Clock
  /** By name: the fence with which it was acquired. */
  readonly #held = new Map<string, number>()
  #timer: ReturnType<typeof setInterval> | undefined
  #renewing: Promise<void> = Promise.resolve()

  constructor(db: Postgres, clock: Clock, leaseMs: number = LEASE_MS) {
    this.#db = db
    this.#clock = clock
    this.leaseMs = leaseMs
  }

  /**
   * Locks the row of a lease until the transaction ends, and creates it if it does not exist.
   * @returns its current holder, including this store, if the lease is valid
   */
  async lock(queries: Queries, name: string): Promise<HeldByOther | undefined> {
    const row = await queries.get(LOCK, name)
    return row && this.heldBy(row)
  }

  /**
   * Acquires a lease.
   * @returns its current holder if the lease is still valid
   */
  async take(queries: Queries, name: string, run: string | null): Promise<Lease | HeldByOther> {
    return (await this.lock(queries, name)) ?? (await this.takeLocked(queries, name, run))
  }

  /** Acquires a lease that `lock` found free. */
  async takeLocked(queries: Queries, name: string, run: string | null): Promise<Lease> {
    const row = await queries.get(TAKE, name, this.holder, run, this.#clock.now() + this.leaseMs)
    return { name, fence: Number(row?.['fence']) }
  }

  /** Remembers an acquired lease, and renews it from here on. */
  keep({ name, fence }: Lease): void {
    this.#held.set(name, fence)
    this.#timer ??= setInterval(() => this.#renewSoon(), this.leaseMs / 3).unref()
  }

  /** The current holder of a lease, including this store; undefined if it is free. */
  async other(queries: Queries, name: string): Promise<HeldByOther | undefined> {
    const row = await queries.get(
      'select holder, run, expires_at from leases where name = $1',
      name,
    )
    return row && this.heldBy(row)
  }

  /** The live holder in a row with the columns `holder`, `run` and `expires_at`. */
  heldBy({ holder, run, expires_at: expiresAt }: Row): HeldByOther | undefined {
    // A server that was away could not be told that the holder lives. It gets time to say so.
    const until = Number(expiresAt) + this.#db.awayMs(this.leaseMs)
    if (typeof holder !== 'string' || until <= this.#clock.now()) return undefined
    if (holder !== this.holder && isGone(holder)) return undefined
    return { run: typeof run === 'string' ? run : null }
  }

  /**
   * Whether this process still holds it, and nobody takes it before the transaction ends. An expired
   * lease counts until another process takes it.
   */
  async holds(queries: Queries, { name, fence }: Lease): Promise<boolean> {
    const row = await queries.get(
      'select 1 from leases where name = $1 and fence = $2 and holder = $3 for update',
      name,
      fence,
      this.holder,
    )
    return row !== undefined
  }

  /** Frees a lease for others. One that was lost stays with its new holder. */
  async release(queries: Queries, { name, fence }: Lease): Promise<void> {
    await queries.run(RELEASE, name, this.holder, fence)
  }

  /** Like `release`, for a lease that will hardly be used again: deletes its row. */
  async drop(queries: Queries, { name, fence }: Lease): Promise<void> {
    await queries.run(
      'delete from leases where name = $1 and holder = $2 and fence = $3',
      name,
      this.holder,
      fence,
    )
  }

  /** Stops renewing a lease, so that it expires even if it cannot be released. */
  forget({ name, fence }: Lease): void {
    if (this.#held.get(name) === fence) this.#held.delete(name)
    if (this.#held.size === 0) this.#stopTimer()
  }

  /** The lease of a name that this process holds. */
  held(name: string): Lease | undefined {
    const fence = this.#held.get(name)
    return fence === undefined ? undefined : { name, fence }
  }

  async close(): Promise<void> {
    this.#stopTimer()
    await this.#renewing
    if (this.#held.size === 0) return
    this.#held.clear()
    await this.#db.run('update leases set holder = null, run = null where holder = $1', this.holder)
  }

  /** One renewal at a time: a server that restarts may hold up one for long. */
  #renewSoon(): void {
    this.#renewing = this.#renewing.then(() => this.#renewAll()).catch(() => undefined)
  }

  async #renewAll(): Promise<void> {
    const asked = [...this.#held]
    if (asked.length === 0) return
    // The time of the attempt that succeeds counts.
    const renew = (queries: Queries): Promise<readonly Row[]> => this.#renewNow(queries, asked)
    const renewed = await this.#db.patiently(renew)
    const left = new Set(renewed.map(({ name }) => String(name)))
    // It was lost.
    for (const [name, fence] of asked) if (!left.has(name)) this.forget({ name, fence })
  }

  #renewNow(
    queries: Queries,
    asked: readonly (readonly [name: string, fence: number])[],
  ): Promise<readonly Row[]> {
    return queries.all(
      `update leases set expires_at = $1
       from unnest($2::text[], $3::bigint[]) as mine (name, fence)
       where leases.name = mine.name and leases.fence = mine.fence and leases.holder = $4
       returning leases.name`,
      this.#clock.now() + this.leaseMs,
      asked.map(([name]) => name),
      asked.map(([, fence]) => fence),
      this.holder,
    )
  }

  #stopTimer(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
