import type { StatementSync } from 'node:sqlite'
import { EchelonError } from '../../core/error.ts'
import type { Beside, Entry, Leaving } from '../../core/journal.ts'
import type { Clock } from '../../core/ports.ts'
import { artifactsOfEntries } from '../artifacts-of-entries.ts'
import { runChange, type RunChange } from '../run-change.ts'
import { artifactWriter } from './artifact-rows.ts'
import type { Database } from './database.ts'
import type { Lease, Leases } from './leases.ts'
import { RunRows } from './run-rows.ts'
import { sessionWriter } from './session-rows.ts'

/** What the lease of a run is called that is no turn. */
export const runLease = (run: string): string => `run:${run}`

/** What the lease of all turns of a conversation is called. */
export const sessionLease = (session: string): string => `session:${session}`

/** A run that this store writes. */
interface Held {
  readonly lease: Lease
  /** Whether it has requests, which an entry may close. */
  asks: boolean
}

/**
 * Writes the entries of runs. A step that changes nothing but the journal is one prepared insert,
 * which the fence guards; all else is a transaction with it.
 */
export class RunWriter {
  readonly rows: RunRows
  readonly #db: Database
  readonly #clock: Clock
  readonly #leases: Leases
  readonly #held = new Map<string, Held>()
  readonly #insert: StatementSync
  readonly #insertFree: StatementSync
  readonly #count: StatementSync
  readonly #unfinished: StatementSync
  readonly #sessionOf: StatementSync
  readonly #snapshot: StatementSync
  readonly #unheard: StatementSync
  readonly #keep: ReturnType<typeof sessionWriter>
  readonly #index: ReturnType<typeof artifactWriter>

  constructor(db: Database, clock: Clock, leases: Leases) {
    this.#db = db
    this.#clock = clock
    this.#leases = leases
    this.rows = new RunRows(db)
    this.#keep = sessionWriter(db)
    this.#index = artifactWriter(db)
    const row = `insert into journal (run, n, fence, size, entries_json)
      select ?1, (select coalesce(max(n), 0) + 1 from journal where run = ?1), ?2, ?3, ?4`
    this.#insert = db.prepare(
      `${row} where exists (select 1 from leases where name = ?5 and fence = ?2)`,
    )
    this.#insertFree = db.prepare(row)
    this.#count = db.prepare('select coalesce(sum(size), 0) as size from journal where run = ?')
    this.#unfinished = db.prepare(
      `select id from runs where session = ? and id <> ? and status in ('open', 'suspended')
       order by began_at desc limit 1`,
    )
    this.#sessionOf = db.prepare('select session from runs where id = ?')
    this.#unheard = db.prepare(
      `select 1 from journal where run = ?1 and fence is null and n >
         (select max(n) from journal where run = ?1 and fence is not null)`,
    )
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
      const lease = held?.lease ?? this.#take(run, change, entries)
      if (held !== undefined) this.#checkAfter(run, entries)
      this.#write(run, lease, entries)
      const asks = this.rows.apply(run, change, now)
      this.#index(run, entries, now)
      if (beside?.session !== undefined) this.#keep(beside.session)
      const { snapshot } = beside ?? {}
      if (snapshot !== undefined) {
        this.#snapshot.run(run, snapshot.after, JSON.stringify(snapshot))
      }
      if (change.ended !== undefined) this.#leases.release(lease.name)
      return { lease, asks }
    })
    if (change.ended === undefined) this.#held.set(run, taken)
    else this.#held.delete(run)
  }

  /** What comes from outside, whoever writes the run; within a transaction. */
  appendFree(run: string, entries: readonly Entry[]): void {
    this.#insertFree.run(run, null, entries.length, JSON.stringify(entries))
    this.rows.apply(run, runChange(entries), this.#clock.now())
  }

  leave(run: string, how: Leaving): void {
    const held = this.#held.get(run)
    if (held === undefined) return
    this.#held.delete(run)
    this.#db.transaction(() => {
      const isSuspended = how.type === 'suspended'
      // What came from outside since this run last wrote, it has not heard.
      const isAnswered = isSuspended && this.#unheard.get(run) !== undefined
      const awaited = isSuspended ? (how.wakeAt ?? null) : null
      const wakeAt = isAnswered ? this.#clock.now() : awaited
      if (this.#holds(held.lease)) {
        this.rows.leave(run, isSuspended ? 'suspended' : 'left', wakeAt, this.#clock.now())
      }
      this.#leases.release(held.lease.name)
    })
  }

  #write(run: string, { name, fence }: Lease, entries: readonly Entry[]): void {
    const text = JSON.stringify(entries)
    if (this.#insert.run(run, fence, entries.length, text, name).changes === 0) throw stale(run)
  }

  #holds({ name, fence }: Lease): boolean {
    return this.#leases.fenceOf(name) === fence
  }

  /** The right to write a run, for whoever begins it or goes on with it. */
  #take(run: string, change: RunChange, entries: readonly Entry[]): Lease {
    const { started, isTakenUp } = change
    if (!isTakenUp) throw notTaken(run)
    if (started !== undefined && this.#isKnown(run)) throw begunAlready(run)
    this.#checkAfter(run, entries)
    const session = started?.session?.id ?? this.#sessionOf.get(run)?.['session']
    if (typeof session !== 'string') return this.#leaseOf(runLease(run), run)
    const other = this.#unfinished.get(session, run)?.['id']
    if (typeof other === 'string') throw busySession(session, other)
    return this.#leaseOf(sessionLease(session), run)
  }

  #leaseOf(name: string, run: string): Lease {
    const taken = this.#leases.take(name, run)
    if ('fence' in taken) return taken
    throw busy(run)
  }

  #isKnown(run: string): boolean {
    return this.#sessionOf.get(run) !== undefined
  }

  /** Whoever goes on must have read all that is on record. */
  #checkAfter(run: string, entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.type !== 'resumed' || entry.path !== undefined || entry.after === undefined)
        continue
      if (this.#held.has(run)) throw busy(run)
      if (Number(this.#count.get(run)?.['size']) !== entry.after) throw behind(run)
    }
  }
}

/** Whether an entry changes nothing that is known of the run but its journal. */
function isPlain(entry: Entry): boolean {
  switch (entry.type) {
    case 'opened':
    case 'intended':
    case 'bound':
      return true
    case 'closed':
    case 'settled':
      return artifactsOfEntries([entry]).length === 0
    case 'started':
    case 'ended':
      return entry.path !== ''
    case 'resumed':
      return entry.path !== undefined
    case 'requested':
    case 'replied':
    case 'cancel-asked':
    case 'dropped':
      return false
  }
}

const stale = (run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `another process has taken up the run ${run}, since this one did not answer for long; nothing more is done here`,
    { details: { run } },
  )

const busy = (run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `a live process works on the run ${run}; wait for it, or cancel the run`,
    { details: { run } },
  )

const busySession = (session: string, run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `the conversation ${session} has a turn that has not ended, the run ${run}; answer it, resume it or cancel it first`,
    { details: { session, run } },
  )

const behind = (run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `the run ${run} has gone on since its journal was read; read it again and resume it from there`,
    { details: { run } },
  )

const notTaken = (run: string): EchelonError =>
  new EchelonError(
    'RUN_BUSY',
    `this process does not work on the run ${run}; begin it, or resume it, before anything is appended`,
    { details: { run } },
  )

const begunAlready = (run: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `there is a run ${run} already; give each run an id of its own, or resume that one`,
    { details: { run } },
  )
