import type { StatementSync } from 'node:sqlite'
import type { Clock } from '../../core/ports.ts'
import type { Database } from './database.ts'
import { isGone, newHolder } from './holder.ts'

/** How long a process that says nothing is taken for alive, in milliseconds. */
const LEASE_MS = 30_000

/** What somebody else holds. */
export interface HeldByOther {
  /** The run that it is held for. */
  readonly run: string | null
}

/** A lease of this process. */
export interface Lease {
  readonly name: string
  /** Rises each time somebody takes it: who has an older one has lost it. */
  readonly fence: number
}

/**
 * Who may write what, among all processes that share a file. A lease is renewed while its process
 * lives; when it runs out, or its process is gone, anybody may take it, and the number of whoever
 * had it before is worth nothing from then on.
 */
export class Leases {
  readonly holder: string = newHolder()
  readonly leaseMs: number
  readonly #clock: Clock
  readonly #find: StatementSync
  readonly #holds: StatementSync
  readonly #take: StatementSync
  readonly #release: StatementSync
  readonly #releaseAll: StatementSync
  readonly #renew: StatementSync
  /** By name: the newest fence. */
  readonly #held = new Map<string, number>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(db: Database, clock: Clock, leaseMs: number = LEASE_MS) {
    this.#clock = clock
    this.leaseMs = leaseMs
    this.#find = db.prepare('select holder, run, expires_at from leases where name = ?')
    this.#holds = db.prepare('select 1 from leases where name = ? and fence = ? and holder = ?')
    this.#take = db.prepare(
      `insert into leases (name, fence, holder, run, expires_at) values (?, 1, ?, ?, ?)
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
    this.#renew = db.prepare('update leases set expires_at = ? where holder = ?')
  }

  /**
   * Takes a lease, within a transaction.
   * @returns the one who has it, where that is not over
   */
  take(name: string, run: string | null): Lease | HeldByOther {
    const other = this.other(name)
    if (other !== undefined) return other
    const row = this.#take.get(name, this.holder, run, this.#clock.now() + this.leaseMs)
    const fence = Number(row?.['fence'])
    this.#held.set(name, fence)
    this.#timer ??= setInterval(() => this.#renewAll(), this.leaseMs / 3).unref()
    return { name, fence }
  }

  /** Whoever has a lease now, this store included; nothing where it is free. */
  other(name: string): HeldByOther | undefined {
    const row = this.#find.get(name)
    if (row === undefined || !this.isLive(row['holder'], row['expires_at'])) return undefined
    return { run: typeof row['run'] === 'string' ? row['run'] : null }
  }

  /** Whether what stands in a row is held by somebody who lives. */
  isLive(holder: unknown, expiresAt: unknown): boolean {
    if (typeof holder !== 'string' || Number(expiresAt) <= this.#clock.now()) return false
    return holder === this.holder || !isGone(holder)
  }

  /** Whether this process has it still: that its time has run out alone does no harm. */
  holds({ name, fence }: Lease): boolean {
    return this.#holds.get(name, fence, this.holder) !== undefined
  }

  /**
   * Others may take it at once. One that was lost already stays with whoever has it, which may be
   * another run of this very store.
   */
  release({ name, fence }: Lease): void {
    if (this.#held.get(name) === fence) this.#held.delete(name)
    if (this.#held.size === 0) this.#stopTimer()
    this.#release.run(name, this.holder, fence)
  }

  /** Gives back what this store has under a name, if anything. */
  giveBack(name: string): void {
    const fence = this.#held.get(name)
    if (fence !== undefined) this.release({ name, fence })
  }

  close(): void {
    this.#stopTimer()
    if (this.#held.size > 0) this.#releaseAll.run(this.holder)
    this.#held.clear()
  }

  #renewAll(): void {
    try {
      this.#renew.run(this.#clock.now() + this.leaseMs, this.holder)
    } catch {
      // A file that is busy for so long, or full: the next time may do, and the fence protects.
    }
  }

  #stopTimer(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
