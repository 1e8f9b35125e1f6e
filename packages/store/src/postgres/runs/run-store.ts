import { replyProblem } from 'echelon/internal/agent'
import {
  GIVE_UP_AFTER,
  type Beside,
  type FromOutside,
  type Leaving,
  type Snapshot,
} from 'echelon/internal/journal'
import type { Pruned, Retention, RunFilter, RunStore, RunSummary } from 'echelon/internal/store'
import { EchelonError } from 'echelon/internal/value'
import type { Clock, Entry, Json } from 'echelon/runtime'
import { notWaiting, unknownRun } from '../../refusals.ts'
import { isEndedStatus } from '../../run-status.ts'
import type { Postgres, Queries, Row } from '../connection/database.ts'
import { damagedRow, keptJson } from '../kept-json.ts'
import type { Leases } from './leases.ts'
import { Outside } from './outside.ts'
import { pruneRuns, removeRun } from './run-pruning.ts'
import { dueRuns, findRun, listRuns } from './run-queries.ts'
import { wakeRun } from './run-rows.ts'
import { RunWriter } from './run-writer.ts'

/** The runs of all processes that share one database. */
export class PostgresRuns implements RunStore {
  readonly giveUpAfter: number
  readonly #db: Postgres
  readonly #clock: Clock
  readonly #leases: Leases
  readonly #writer: RunWriter
  readonly #outside: Outside

  constructor(db: Postgres, clock: Clock, leases: Leases, giveUpAfter: number = GIVE_UP_AFTER) {
    this.giveUpAfter = giveUpAfter
    this.#db = db
    this.#clock = clock
    this.#leases = leases
    this.#writer = new RunWriter(db, clock, leases)
    this.#outside = new Outside(db)
  }

  append(runId: string, entries: readonly Entry[], beside?: Beside): Promise<void> {
    return this.#writer.append(runId, entries, beside)
  }

  async read(runId: string): Promise<readonly Entry[]> {
    await this.#writer.settled(runId)
    const rows = await this.#db.all(
      'select n, entries_json from journal where run = $1 order by n',
      runId,
    )
    // A condensed journal begins later, but has no gap either.
    const first = Number(rows[0]?.['n'])
    const what = `the journal of the run ${runId}`
    return rows.flatMap((row, index): readonly Entry[] => {
      if (Number(row['n']) !== first + index) throw damagedRow(this.#db.place, what)
      return keptJson(this.#db.place, what, row['entries_json'])
    })
  }

  async snapshot(runId: string): Promise<Snapshot | undefined> {
    await this.#writer.settled(runId)
    const row = await this.#db.get('select body_json from snapshots where run = $1', runId)
    if (row === undefined) return undefined
    const what = `the snapshot of the run ${runId}`
    const snapshot: Snapshot = keptJson(this.#db.place, what, row['body_json'])
    return snapshot
  }

  async isCutOff(runId: string): Promise<boolean> {
    await this.#writer.settled(runId)
    const row = await this.#db.get('select status from runs where id = $1', runId)
    return row?.['status'] === 'open'
  }

  follow(runId: string, hear: (entry: FromOutside) => void): () => void {
    return this.#outside.follow(runId, hear, this.#writer.sinceOf(runId))
  }

  leave(runId: string, how: Leaving): void {
    this.#writer.leave(runId, how, () => this.#outside.lastDelivered(runId))
  }

  async list(filter?: RunFilter): Promise<readonly RunSummary[]> {
    await this.#writer.settled()
    return listRuns(this.#db, this.#leases, filter)
  }

  async find(runId: string): Promise<RunSummary | undefined> {
    await this.#writer.settled(runId)
    return findRun(this.#db, this.#leases, runId)
  }

  async due(limit?: number): Promise<readonly RunSummary[]> {
    await this.#writer.settled()
    return dueRuns(this.#db, this.#leases, { now: this.#clock.now(), ...(limit && { limit }) })
  }

  async reply(runId: string, request: string, reply: Json, by?: string): Promise<void> {
    await this.#writer.settled(runId)
    const at = this.#clock.now()
    await this.#db.transaction(async (queries) => {
      await this.#checkReply(queries, runId, request, reply)
      const entry: Entry = { type: 'replied', request, reply, at, ...(by !== undefined && { by }) }
      await this.#writer.appendFree(queries, runId, [entry])
      await wakeRun(queries, runId, at)
    })
    await this.#outside.look(runId)
  }

  async askToCancel(runId: string, by: 'user' | 'shutdown' = 'user'): Promise<boolean> {
    await this.#writer.settled(runId)
    const at = this.#clock.now()
    const isOpen = await this.#db.transaction(async (queries) => {
      const row = await this.#lock(queries, runId)
      if (isEnded(row)) return false
      if (row['cancel_asked'] !== 1) {
        await this.#writer.appendFree(queries, runId, [{ type: 'cancel-asked', by, at }])
      }
      await wakeRun(queries, runId, at)
      return true
    })
    await this.#outside.look(runId)
    return isOpen
  }

  async remove(runId: string): Promise<void> {
    await this.#writer.settled(runId)
    await removeRun(this.#db, this.#leases, runId)
  }

  async prune(retention: Retention): Promise<Pruned> {
    await this.#writer.settled()
    return pruneRuns(this.#db, this.#leases, this.#clock.now(), retention)
  }

  /** Waits for what was given before. */
  async close(): Promise<void> {
    await this.#writer.settled()
    await this.#outside.close()
  }

  async #checkReply(queries: Queries, run: string, request: string, reply: Json): Promise<void> {
    const run_ = await this.#lock(queries, run)
    const row = await queries.get(
      'select about_json, until, answered from requests where run = $1 and id = $2',
      run,
      request,
    )
    const until = row?.['until'] ?? null
    const isOver = typeof until === 'number' && until <= this.#clock.now()
    if (row === undefined || row['answered'] === 1 || isOver || isEnded(run_)) {
      throw notWaiting(run, request, 'it was never asked, is answered, or has expired')
    }
    const about: Json = keptJson(this.#db.place, `what the run ${run} asks`, row['about_json'])
    const problem = replyProblem(about, reply)
    if (problem !== undefined) throw new EchelonError('INVALID_INPUT', problem)
  }

  /** Locks the row of a run, so that it ends before this transaction or after it. */
  async #lock(queries: Queries, run: string): Promise<Row> {
    const row = await queries.get(
      'select status, cancel_asked from runs where id = $1 for update',
      run,
    )
    if (row === undefined) throw unknownRun(run)
    return row
  }
}

const isEnded = ({ status }: Row): boolean => isEndedStatus(status)
