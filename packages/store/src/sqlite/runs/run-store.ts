import { EchelonError } from 'echelon/internal/value'
import {
  GIVE_UP_AFTER,
  type Beside,
  type FromOutside,
  type Leaving,
  type Snapshot,
} from 'echelon/internal/journal'
import type { Entry, Json, Clock } from 'echelon/runtime'
import { replyProblem } from 'echelon/internal/agent'
import type { Pruned, Retention, RunFilter, RunStore, RunSummary } from 'echelon/internal/store'
import { isEndedStatus } from '../../run-status.ts'
import { notWaiting, unknownRun } from '../../refusals.ts'
import type { Database } from '../file/database.ts'
import type { Prepared } from '../file/prepared.ts'
import { keptJson } from '../kept-json.ts'
import type { Leases } from './leases.ts'
import { Outside } from '../file/outside.ts'
import { damaged } from '../checksum/row-sum.ts'
import { pruneRuns, removeRun } from './run-pruning.ts'
import { dueRuns, findRun, listRuns } from './run-queries.ts'
import { RunWriter } from './run-writer.ts'
import { checkedIn, SUMMED } from '../checksum/summed-tables.ts'

/** The runs of all processes that share one file. */
export class SqliteRuns implements RunStore {
  readonly giveUpAfter: number
  readonly #db: Database
  readonly #clock: Clock
  readonly #leases: Leases
  readonly #writer: RunWriter
  readonly #outside: Outside
  readonly #read: Prepared
  readonly #snapshot: Prepared
  readonly #known: Prepared
  readonly #request: Prepared

  constructor(db: Database, clock: Clock, leases: Leases, giveUpAfter: number = GIVE_UP_AFTER) {
    this.giveUpAfter = giveUpAfter
    this.#db = db
    this.#clock = clock
    this.#leases = leases
    this.#writer = new RunWriter(db, clock, leases)
    this.#outside = new Outside(db)
    this.#read = db.prepare(
      `select n, entries_json, ${checkedIn('journal')} from journal where run = ? order by n`,
    )
    this.#snapshot = db.prepare(
      `select body_json, ${checkedIn('snapshots')} from snapshots where run = ?`,
    )
    this.#known = db.prepare(
      `select status, cancel_asked, ${checkedIn('runs')} from runs where id = ?`,
    )
    this.#request = db.prepare(
      `select about_json, until, answered, ${checkedIn('requests')}
       from requests where run = ? and id = ?`,
    )
  }

  append(runId: string, entries: readonly Entry[], beside?: Beside): void {
    this.#writer.append(runId, entries, beside)
  }

  read(runId: string): readonly Entry[] {
    const rows = this.#read.all(runId)
    // A condensed journal begins later, but has no gap either.
    const first = Number(rows[0]?.['n'])
    const what = `the journal of the run ${runId}`
    const entries = rows.flatMap((row, index): readonly Entry[] => {
      if (Number(row['n']) !== first + index) throw damaged(this.#db.path, what)
      return keptJson(this.#db.path, what, row['entries_json'])
    })
    // An index leads to the rows: if it is damaged, the first or the last ones are not found.
    const hasBegin = entries.length === 0 || entries[0]?.type === 'started'
    const hasEnd = !this.#hasEnded(runId) || entries.some(({ type }) => type === 'ended')
    if (!hasBegin || !hasEnd) throw damaged(this.#db.path, what)
    return entries
  }

  #hasEnded(runId: string): boolean {
    return isEndedStatus(this.#known.get(runId)?.['status'])
  }

  snapshot(runId: string): Snapshot | undefined {
    const row = this.#snapshot.get(runId)
    if (row === undefined) return undefined
    const what = SUMMED.snapshots.name(runId, '')
    const snapshot: Snapshot = keptJson(this.#db.path, what, row['body_json'])
    return snapshot
  }

  isCutOff(runId: string): boolean {
    return this.#known.get(runId)?.['status'] === 'open'
  }

  follow(runId: string, hear: (entry: FromOutside) => void): () => void {
    return this.#outside.follow(runId, hear, this.#writer.sinceOf(runId))
  }

  leave(runId: string, how: Leaving): void {
    try {
      this.#writer.leave(runId, how, this.#outside.lastDelivered(runId))
    } catch {
      // The lease expires by itself; then any process may go on.
    }
  }

  list(filter?: RunFilter): Promise<readonly RunSummary[]> {
    return listRuns(this.#db, this.#leases, filter)
  }

  find(runId: string): Promise<RunSummary | undefined> {
    return findRun(this.#db, this.#leases, runId)
  }

  due(limit?: number): Promise<readonly RunSummary[]> {
    return dueRuns(this.#db, this.#leases, { now: this.#clock.now(), ...(limit && { limit }) })
  }

  async reply(runId: string, request: string, reply: Json, by?: string): Promise<void> {
    const at = this.#clock.now()
    this.#db.transaction(() => {
      this.#checkReply(runId, request, reply)
      const entry: Entry = { type: 'replied', request, reply, at, ...(by !== undefined && { by }) }
      this.#writer.appendFree(runId, [entry])
      this.#writer.rows.wake(runId, at)
    })
    this.#outside.look(runId)
  }

  async askToCancel(runId: string, by: 'user' | 'shutdown' = 'user'): Promise<boolean> {
    const at = this.#clock.now()
    const isOpen = this.#db.transaction(() => {
      if (isEndedStatus(this.#statusOf(runId))) return false
      if (!this.#isCancelAsked(runId)) {
        this.#writer.appendFree(runId, [{ type: 'cancel-asked', by, at }])
      }
      this.#writer.rows.wake(runId, at)
      return true
    })
    this.#outside.look(runId)
    return isOpen
  }

  async remove(runId: string): Promise<void> {
    await removeRun(this.#db, this.#leases, runId)
  }

  prune(retention: Retention): Promise<Pruned> {
    return pruneRuns(this.#db, this.#leases, this.#clock.now(), retention)
  }

  close(): void {
    this.#outside.close()
  }

  #checkReply(run: string, request: string, reply: Json): void {
    const status = this.#statusOf(run)
    const row = this.#request.get(run, request)
    const until = row?.['until'] ?? null
    const isOver = typeof until === 'number' && until <= this.#clock.now()
    if (row === undefined || row['answered'] === 1 || isOver || isEndedStatus(status)) {
      throw notWaiting(run, request, 'it was never asked, is answered, or has expired')
    }
    const about: Json = keptJson(this.#db.path, SUMMED.requests.name(run, ''), row['about_json'])
    const problem = replyProblem(about, reply)
    if (problem !== undefined) throw new EchelonError('INVALID_INPUT', problem)
  }

  #isCancelAsked(run: string): boolean {
    return this.#known.get(run)?.['cancel_asked'] === 1
  }

  #statusOf(run: string): string {
    const status = this.#known.get(run)?.['status']
    if (typeof status === 'string') return status
    throw unknownRun(run)
  }
}
