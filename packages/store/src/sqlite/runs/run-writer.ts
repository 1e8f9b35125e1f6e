import type { EchelonError } from 'echelon'
import type { Beside, Leaving } from 'echelon/internal/journal'
import type { Entry, Clock } from 'echelon/runtime'
import { isPlain } from '../../plain-entry.ts'
import {
  begunAlready,
  behind,
  busy,
  busySession,
  hasEnded,
  notTaken,
  stale,
  turnRefusal,
  underWay,
} from '../../refusals.ts'
import { isEndedStatus } from '../../run-status.ts'
import { runChange, type RunChange } from '../../run-change.ts'
import { artifactWriter } from '../artifact-rows.ts'
import type { Database } from '../file/database.ts'
import type { Prepared } from '../file/prepared.ts'
import type { Lease, Leases } from './leases.ts'
import { RunRows } from './run-rows.ts'
import { sessionLength, sessionWriter } from '../sessions/session-rows.ts'
import { checkedIn } from '../checksum/summed-tables.ts'

/** The name of the lease of a run that is not a turn. */
export const runLease = (run: string): string => `run:${run}`

/** The name of the lease that all turns of a conversation share. */
export const sessionLease = (session: string): string => `session:${session}`

/** A run that this store writes. */
interface Held {
  readonly lease: Lease
  /** The row with which it was taken over. */
  readonly since: number
  /** Whether it has requests, which an entry may close. */
  readonly asks: boolean
}

/**
 * Writes the entries of runs. A step that changes only the journal is one prepared insert, guarded
 * by the fence; everything else is a transaction.
 */
export class RunWriter {
  readonly rows: RunRows
  readonly #db: Database
  readonly #clock: Clock
  readonly #leases: Leases
  readonly #held = new Map<string, Held>()
  readonly #insert: Prepared
  readonly #insertFree: Prepared
  readonly #count: Prepared
  readonly #last: Prepared
  readonly #news: Prepared
  readonly #unfinished: Prepared
  readonly #known: Prepared
  readonly #snapshot: Prepared
  readonly #length: ReturnType<typeof sessionLength>
  readonly #keep: ReturnType<typeof sessionWriter>
  readonly #index: ReturnType<typeof artifactWriter>

  constructor(db: Database, clock: Clock, leases: Leases) {
    this.#db = db
    this.#clock = clock
    this.#leases = leases
    this.rows = new RunRows(db)
    this.#length = sessionLength(db)
    this.#keep = sessionWriter(db)
    this.#index = artifactWriter(db)
    const row = `insert into journal (run, n, fence, size, entries_json)
      select ?1, (select coalesce(max(n), 0) + 1 from journal where run = ?1), ?2, ?3, ?4`
    this.#insert = db.prepare(
      `${row} where exists (select 1 from leases where name = ?5 and fence = ?2 and holder = ?6)`,
    )
    this.#insertFree = db.prepare(row)
    this.#count = db.prepare('select coalesce(sum(size), 0) as size from journal where run = ?')
    this.#last = db.prepare('select max(n) as n from journal where run = ?')
    this.#news = db.prepare(
      'select 1 from journal where run = ? and n > ? and fence is null limit 1',
    )
    this.#unfinished = db.prepare(
      `select id, ${checkedIn('runs')} from runs
       where session = ? and id <> ? and status in ('open', 'suspended')
       order by began_at desc limit 1`,
    )
    this.#known = db.prepare(`select session, status, ${checkedIn('runs')} from runs where id = ?`)
    this.#snapshot = db.prepare(
      `insert into snapshots (run, after, body_json) values (?, ?, ?)
       on conflict (run) do update set after = excluded.after, body_json = excluded.body_json`,
    )
  }

  append(run: string, entries: readonly Entry[], beside: Beside | undefined): void {
    if (entries.length === 0 && beside === undefined) return
    const held = this.#held.get(run)
    if (held !== undefined && !held.asks && beside === undefined && entries.every(isPlain)) {
      return this.#write(run, held.lease, entries)
    }
    const now = this.#clock.now()
    const change = runChange(entries)
    const taken = this.#db.transaction(() => {
      if (held !== undefined && change.isTakenUp) throw this.#refusal(run, held, change)
      const lease = held?.lease ?? this.#take(run, change, entries)
      this.#write(run, lease, entries)
      const since = held?.since ?? Number(this.#last.get(run)?.['n'])
      const asks = this.rows.apply(run, change, now)
      this.#index(run, entries, now)
      if (beside?.session !== undefined) this.#keep(beside.session)
      const { snapshot } = beside ?? {}
      if (snapshot !== undefined) {
        this.#snapshot.run(run, snapshot.after, JSON.stringify(snapshot))
      }
      if (change.ended !== undefined) this.#leases.release(lease)
      return { lease, since, asks }
    })
    if (change.ended === undefined) this.#held.set(run, taken)
    else this.#held.delete(run)
  }

  /** Appends entries from outside, without holding the run's lease; within a transaction. */
  appendFree(run: string, entries: readonly Entry[]): void {
    this.#insertFree.run(run, null, entries.length, JSON.stringify(entries))
    this.rows.apply(run, runChange(entries), this.#clock.now())
  }

  /** The row with which this store took over a run that it writes. */
  sinceOf(run: string): number | undefined {
    return this.#held.get(run)?.since
  }

  /** @param lastDelivered the last row that was delivered to the run here */
  leave(run: string, how: Leaving, lastDelivered: number): void {
    const held = this.#held.get(run)
    if (held === undefined) return
    this.#held.delete(run)
    // Done first: a lease that cannot be released expires.
    this.#leases.forget(held.lease)
    this.#db.transaction(() => {
      const now = this.#clock.now()
      const isSuspended = how.type === 'suspended'
      const wakeAt = isSuspended ? (how.wakeAt ?? null) : null
      if (this.#leases.holds(held.lease)) {
        this.rows.leave(run, isSuspended ? 'suspended' : 'left', wakeAt, now)
        // Entries that came during the release were not delivered.
        const hasNews = this.#news.get(run, Math.max(held.since, lastDelivered)) !== undefined
        if (isSuspended && hasNews) this.rows.wake(run, now)
      }
      this.#leases.release(held.lease)
    })
  }

  #write(run: string, { name, fence }: Lease, entries: readonly Entry[]): void {
    const text = JSON.stringify(entries)
    const { holder } = this.#leases
    if (this.#insert.run(run, fence, entries.length, text, name, holder).changes > 0) return
    this.#held.delete(run)
    throw stale(run)
  }

  /** The error for beginning or resuming a run that this store writes or wrote. */
  #refusal(run: string, { lease }: Held, change: RunChange): EchelonError {
    if (this.#leases.holds(lease)) return underWay(run, change)
    this.#held.delete(run)
    return stale(run)
  }

  /** Acquires the right to write a run that begins or resumes. */
  #take(run: string, change: RunChange, entries: readonly Entry[]): Lease {
    const { started, isTakenUp } = change
    if (!isTakenUp) throw notTaken(run)
    const known = this.#known.get(run)
    if (started !== undefined && known !== undefined) throw begunAlready(run)
    if (started === undefined && known === undefined) throw notTaken(run)
    if (isEndedStatus(known?.['status'])) throw hasEnded(run)
    // A fork begins with all entries it copies, and a resume was recorded with the original.
    if (started === undefined) this.#checkAfter(run, entries)
    const session = started?.session?.id ?? known?.['session']
    if (typeof session !== 'string') return this.#leaseOf(runLease(run), run)
    const other = this.#unfinished.get(session, run)?.['id']
    if (typeof other === 'string') throw busySession(session, other)
    const lease = this.#leaseOf(sessionLease(session), run)
    const refusal = started && turnRefusal(started, this.#length(session))
    if (refusal !== undefined) throw refusal
    return lease
  }

  #leaseOf(name: string, run: string): Lease {
    const taken = this.#leases.take(name, run)
    if ('fence' in taken) return taken
    throw busy(run)
  }

  /** Checks that the caller has read the whole journal. */
  #checkAfter(run: string, entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.type !== 'resumed' || entry.path !== undefined || entry.after === undefined)
        continue
      if (Number(this.#count.get(run)?.['size']) !== entry.after) throw behind(run)
    }
  }
}
