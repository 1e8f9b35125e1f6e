import type { Clock } from 'echelon/runtime'
import type { Database } from '../file/database.ts'
import type { Prepared } from '../file/prepared.ts'
import { wholeIn } from '../checksum/summed-tables.ts'
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
  /** Rises with each acquisition: an older fence has lost the lease. */
  readonly fence: number
}

/**
 * Decides which process may write what, among all that share a file. A lease is renewed while its
 * process lives. When it expires or its process is gone, any process may take it, and the previous
 * fence becomes invalid.
 */
export class Leases {
  readonly holder: string = newHolder()
  readonly leaseMs: number
  readonly #clock: Clock
  readonly #find: Prepared
  readonly #holds: Prepared
  readonly #take: Prepared
  readonly #release: Prepared
  readonly #drop: Prepared
  readonly #releaseAll: Prepared
  readonly #dropDead: Prepared
  readonly #dropDamaged: Prepared
  readonly #renew: Prepared
  /** By name: the fence with which it was acquired. */
  readonly #held = new Map<string, number>()
  readonly #db: Database
  /** A row may be deleted and recreated; no fence given here is reused. */
  #highest = 0
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(db: Database, clock: Clock, leaseMs: number = LEASE_MS) {
    this.#db = db
    this.#clock = clock
    this.leaseMs = leaseMs
    this.#find = db.prepare(
      `select holder, run, expires_at from leases where name = ? and ${wholeIn('leases')}`,
    )
    this.#holds = db.prepare('select 1 from leases where name = ? and fence = ? and holder = ?')
    this.#take = db.prepare(
      `insert into leases (name, fence, holder, run, expires_at) values (?, ?, ?, ?, ?)
       on conflict (name) do update set fence = fence + 1, holder = excluded.holder,
         run = excluded.run, expires_at = excluded.expires_at
       returning fence`,
    )
    this.#release = db.prepare(
      'update leases set holder = null, run = null where name = ? and holder = ? and fence = ?',
    )
    this.#releaseAll = db.prepare(
      'update leases set holder = null, run = null where holder = ? and holder is not null',
    )
    this.#drop = db.prepare('delete from leases where name = ? and holder = ?')
    this.#dropDead = db.prepare('delete from leases where name = ?')
    this.#dropDamaged = db.prepare(`delete from leases where name = ? and not ${wholeIn('leases')}`)
    this.#renew = db.prepare(
      `update leases set expires_at = ?
       where name = ? and fence = ? and holder = ? and ${wholeIn('leases')}`,
    )
  }

  /**
   * Acquires a lease, within a transaction.
   * @returns its current holder if the lease is still valid
   */
  take(name: string, run: string | null): Lease | HeldByOther {
    const other = this.other(name)
    if (other !== undefined) return other
    const until = this.#clock.now() + this.leaseMs
    // A damaged fence is not counted on from.
    this.#dropDamaged.run(name)
    const row = this.#take.get(name, this.#highest + 1, this.holder, run, until)
    const fence = Number(row?.['fence'])
    this.#highest = Math.max(this.#highest, fence)
    this.#held.set(name, fence)
    this.#timer ??= setInterval(() => this.#renewAll(), this.leaseMs / 3).unref()
    return { name, fence }
  }

  /** The current holder of a lease, including this store; undefined if it is free or damaged. */
  other(name: string): HeldByOther | undefined {
    const row = this.#find.get(name)
    if (row === undefined || !this.isLive(row['holder'], row['expires_at'])) return undefined
    return { run: typeof row['run'] === 'string' ? row['run'] : null }
  }

  /** Whether a live process holds a row. */
  isLive(holder: unknown, expiresAt: unknown): boolean {
    if (typeof holder !== 'string' || Number(expiresAt) <= this.#clock.now()) return false
    return holder === this.holder || !isGone(holder)
  }

  /** Whether this process still holds it. An expired lease counts until another process takes it. */
  holds({ name, fence }: Lease): boolean {
    return this.#holds.get(name, fence, this.holder) !== undefined
  }

  /**
   * Frees a lease for others. One that was lost stays with its new holder, which may be another run
   * of this same store.
   */
  release(lease: Lease): void {
    this.forget(lease)
    this.#release.run(lease.name, this.holder, lease.fence)
  }

  /** Like `release`, for a lease that will hardly be used again: deletes its row. */
  drop(name: string): void {
    this.forget({ name, fence: this.#held.get(name) ?? 0 })
    this.#drop.run(name, this.holder)
  }

  /** Deletes the row that a dead process left. */
  dropDead(name: string): void {
    this.#dropDead.run(name)
  }

  /** Stops renewing a lease, so that it expires even if it cannot be released. */
  forget({ name, fence }: Lease): void {
    if (this.#held.get(name) === fence) this.#held.delete(name)
    if (this.#held.size === 0) this.#stopTimer()
  }

  close(): void {
    this.#stopTimer()
    if (this.#held.size > 0) this.#releaseAll.run(this.holder)
    this.#held.clear()
  }

  #renewAll(): void {
    try {
      const until = this.#clock.now() + this.leaseMs
      this.#db.transaction(() => {
        for (const [name, fence] of this.#held) {
          // It was lost, or its acquisition was rolled back.
          if (this.#renew.run(until, name, fence, this.holder).changes === 0)
            this.forget({ name, fence })
        }
      })
    } catch {
      // The file is busy or full: the next renewal may succeed, and the fence protects meanwhile.
    }
  }

  #stopTimer(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
