import type { EchelonError } from 'echelon'
import type { Beside, Leaving } from 'echelon/internal/journal'
import type { Clock, Entry } from 'echelon/runtime'
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
import { writeArtifacts } from '../artifact-rows.ts'
import type { Postgres, Prepared, Queries } from '../connection/database.ts'
import { sessionLength, writeSession } from '../sessions/session-rows.ts'
import { insertAlone, insertFree, insertHeld, type JournalRow } from './append-rows.ts'
import { type Lease, type Leases, runLease, sessionLease } from './leases.ts'
import { applyChange, leaveRun, wakeRun } from './run-rows.ts'

/** A run that this store writes. */
interface Held {
  readonly lease: Lease
  /** The row with which it was taken over. */
  readonly since: number
  /** The last row that was written here. */
  readonly last: number
  /** Whether it has requests, which an entry may close. */
  readonly asks: boolean
}

const LOCK_RUN: Prepared = {
  name: 'lock run',
  text: 'select session, status from runs where id = $1 for update',
}

/** An append as text: it is written later, and the caller may change what it passed. */
interface Append {
  readonly row: JournalRow
  readonly session: string | undefined
  readonly isPlain: boolean
}

/** An append that changes more than the journal. */
interface Change {
  readonly held: Held | undefined
  readonly entries: readonly Entry[]
  readonly change: RunChange
  readonly session: Beside['session']
  readonly row: JournalRow
  readonly now: number
}

/**
 * Writes the entries of runs, those of one run one after another. A step that changes only the
 * journal and the snapshot is one statement, guarded by the fence; everything else is a transaction.
 */
export class RunWriter {
  readonly #db: Postgres
  readonly #clock: Clock
  readonly #leases: Leases
  readonly #held = new Map<string, Held>()
  /** By run: its last append or leave. */
  readonly #latest = new Map<string, Promise<unknown>>()

  constructor(db: Postgres, clock: Clock, leases: Leases) {
    this.#db = db
    this.#clock = clock
    this.#leases = leases
  }

  append(run: string, entries: readonly Entry[], beside: Beside | undefined): Promise<void> {
    if (entries.length === 0 && beside === undefined) return Promise.resolve()
    const given: Append = {
      row: { run, size: entries.length, entries: JSON.stringify(entries), ...snapshotRow(beside) },
      session: beside?.session && JSON.stringify(beside.session),
      isPlain: beside?.session === undefined && entries.every(isPlain),
    }
    return this.#after(run, () => this.#append(run, given))
  }

  /** Appends entries from outside, without holding the run's lease; within a transaction. */
  async appendFree(queries: Queries, run: string, entries: readonly Entry[]): Promise<void> {
    await insertFree(queries, { run, size: entries.length, entries: JSON.stringify(entries) })
    await applyChange(queries, run, runChange(entries), {
      asked: true,
      now: this.#clock.now(),
    })
  }

  /** The row with which this store took over a run that it writes. */
  sinceOf(run: string): number | undefined {
    return this.#held.get(run)?.since
  }

  /**
   * Comes after the appends that were made before, and never fails: a lease that cannot be released
   * expires.
   * @param lastDelivered the last row that was delivered to the run here
   */
  leave(run: string, how: Leaving, lastDelivered: () => number): void {
    const left = this.#after(run, () => this.#leave(run, how, lastDelivered())).catch(
      () => undefined,
    )
    this.#latest.set(run, left)
  }

  /** Waits until what was given before is written: of one run, or of all. */
  async settled(run?: string): Promise<void> {
    const one = run === undefined ? undefined : this.#latest.get(run)
    const all = run === undefined ? [...this.#latest.values()] : []
    await Promise.allSettled(one === undefined ? all : [one])
  }

  #after<Result>(run: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#latest.get(run)
    const done = before === undefined ? work() : before.then(work, work)
    this.#latest.set(run, done)
    const forget = (): void => {
      if (this.#latest.get(run) === done) this.#latest.delete(run)
    }
    done.then(forget, forget)
    return done
  }

  async #append(run: string, given: Append): Promise<void> {
    const held = this.#held.get(run)
    if (held !== undefined && !held.asks && given.isPlain) return this.#step(run, held, given.row)
    const entries: readonly Entry[] = JSON.parse(given.row.entries)
    const session: Beside['session'] = given.session && JSON.parse(given.session)
    const change = runChange(entries)
    const all = { held, entries, change, session, row: given.row, now: this.#clock.now() }
    try {
      const taken = await this.#db.transaction((queries) => this.#write(queries, run, all))
      if (change.ended === undefined) {
        this.#held.set(run, taken)
        this.#leases.keep(taken.lease)
      } else {
        this.#held.delete(run)
        this.#leases.forget(taken.lease)
      }
    } catch (error) {
      if (error instanceof Lost) this.#held.delete(run)
      throw error instanceof Lost ? stale(run) : error
    }
  }

  async #step(run: string, held: Held, row: JournalRow): Promise<void> {
    const { lease, last } = held
    const n = await insertAlone(this.#db, row, { lease, holder: this.#leases.holder, last })
    if (n === undefined) {
      this.#held.delete(run)
      throw stale(run)
    }
    this.#held.set(run, { ...held, last: n })
  }

  async #write(
    queries: Queries,
    run: string,
    { held, entries, change, session, row, now }: Change,
  ): Promise<Held> {
    if (held !== undefined && change.isTakenUp)
      throw await this.#refusal(queries, run, held, change)
    // First: all who change a run lock its row before anything else, so that none waits in a circle.
    const known = await queries.get(LOCK_RUN, run)
    const lease = held?.lease ?? (await this.#take(queries, { run, known, change, entries }))
    const last = await insertHeld(queries, row, lease, this.#leases.holder)
    if (last === undefined) throw new Lost()
    const asked = held?.asks ?? change.started === undefined
    const asks = await applyChange(queries, run, change, { asked, now })
    await writeArtifacts(queries, run, entries, now)
    if (session !== undefined) await writeSession(queries, session)
    if (change.ended !== undefined) await this.#leases.release(queries, lease)
    return { lease, since: held?.since ?? last, last, asks }
  }

  async #leave(run: string, how: Leaving, lastDelivered: number): Promise<void> {
    const held = this.#held.get(run)
    if (held === undefined) return
    this.#held.delete(run)
    // Done first: a lease that cannot be released expires.
    this.#leases.forget(held.lease)
    const isSuspended = how.type === 'suspended'
    const wakeAt = isSuspended ? (how.wakeAt ?? null) : null
    const now = this.#clock.now()
    await this.#db.transaction(async (queries) => {
      await queries.get('select 1 from runs where id = $1 for update', run)
      if (await this.#leases.holds(queries, held.lease)) {
        const status = isSuspended ? 'suspended' : 'left'
        await leaveRun(queries, run, { status, wakeAt, now })
        // Entries that came during the release were not delivered.
        const news = await queries.get(
          'select 1 from journal where run = $1 and n > $2 and fence is null limit 1',
          run,
          Math.max(held.since, lastDelivered),
        )
        if (isSuspended && news !== undefined) await wakeRun(queries, run, now)
      }
      await this.#leases.release(queries, held.lease)
    })
  }

  /** The error for beginning or resuming a run that this store writes or wrote. */
  async #refusal(
    queries: Queries,
    run: string,
    { lease }: Held,
    change: RunChange,
  ): Promise<EchelonError | Lost> {
    return (await this.#leases.holds(queries, lease)) ? underWay(run, change) : new Lost()
  }

  /** Acquires the right to write a run that begins or resumes. */
  async #take(queries: Queries, { run, known, change, entries }: Taking): Promise<Lease> {
    const { started, isTakenUp } = change
    if (!isTakenUp) throw notTaken(run)
    if (started !== undefined && known !== undefined) throw begunAlready(run)
    if (started === undefined && known === undefined) throw notTaken(run)
    if (isEndedStatus(known?.['status'])) throw hasEnded(run)
    // A fork begins with all entries it copies, and a resume was recorded with the original.
    if (started === undefined) await checkAfter(queries, run, entries)
    const session = started?.session?.id ?? known?.['session']
    const name = typeof session === 'string' ? sessionLease(session) : runLease(run)
    const other = await this.#leases.lock(queries, name)
    if (typeof session === 'string') await refuseSecondTurn(queries, session, run)
    if (other !== undefined) throw busy(run)
    if (typeof session === 'string' && started !== undefined) {
      const refusal = turnRefusal(started, await sessionLength(queries, session))
      if (refusal !== undefined) throw refusal
    }
    return this.#leases.takeLocked(queries, name, run)
  }
}

interface Taking {
  readonly run: string
  /** Its row, locked; undefined before it begins. */
  readonly known: Readonly<Record<string, unknown>> | undefined
  readonly change: RunChange
  readonly entries: readonly Entry[]
}

function snapshotRow(beside: Beside | undefined): Pick<JournalRow, 'snapshot'> {
  const snapshot = beside?.snapshot
  return snapshot === undefined
    ? {}
    : { snapshot: { after: snapshot.after, body: JSON.stringify(snapshot) } }
}

/** Another process has taken the lease. */
class Lost extends Error {}

/** The lease of the conversation is locked, so no turn begins or ends meanwhile. */
async function refuseSecondTurn(queries: Queries, session: string, run: string): Promise<void> {
  const other = await queries.get(
    `select id from runs where session = $1 and id <> $2 and status in ('open', 'suspended')
     order by began_at desc limit 1`,
    session,
    run,
  )
  if (other !== undefined) throw busySession(session, String(other['id']))
}

/** Checks that the caller has read the whole journal. */
async function checkAfter(queries: Queries, run: string, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) {
    if (entry.type !== 'resumed' || entry.path !== undefined || entry.after === undefined) continue
    const row = await queries.get(
      'select coalesce(sum(size), 0)::bigint as size from journal where run = $1',
      run,
    )
    if (row?.['size'] !== entry.after) throw behind(run)
  }
}
