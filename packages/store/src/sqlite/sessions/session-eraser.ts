import { turnUnderWay } from '../../refusals.ts'
import type { Database } from '../file/database.ts'
import { eraseBytes } from '../file/erase-bytes.ts'
import { OF_SESSION } from './of-session.ts'
import type { Prepared } from '../file/prepared.ts'
import type { Leases } from '../runs/leases.ts'
import { deleteRuns } from '../runs/run-pruning.ts'
import { runLease, sessionLease } from '../runs/run-writer.ts'
import type { Builder } from '../file/schema.ts'
import { wholeIn } from '../checksum/summed-tables.ts'

/** Limit on the names that one statement takes. */
const AT_ONCE = 1000

/** Lease held by the process that marked the session disposable. */
const markOf = (session: string): string => `disposable:${session}`

/** Deletes conversations and all that is stored of them, down to the bytes. */
export class SessionEraser {
  readonly #db: Database
  readonly #leases: Leases
  readonly #runs: Prepared
  readonly #forks: Prepared
  readonly #sessionOf: Prepared
  readonly #suspended: Prepared
  readonly #deletes: readonly Prepared[]
  readonly #empty: Prepared
  readonly #forget: Prepared
  readonly #marked: Prepared

  constructor(db: Database, leases: Leases) {
    this.#db = db
    this.#leases = leases
    this.#runs = db.prepare('select id from runs where session = ?')
    this.#sessionOf = db.prepare('select session from runs where id = ?')
    this.#forks = db.prepare('select id from runs where forked_from = ?')
    this.#suspended = db.prepare(
      `select 1 from runs where session = ? and status = 'suspended' limit 1`,
    )
    this.#deletes = OF_SESSION.map((sql) => db.prepare(sql))
    this.#empty = db.prepare(
      // Replaces the previous row, damaged or not.
      `insert or replace into sessions
         (id, states_json, continues_json, disposable, began_at, changed_at)
       values (?, '', '', 1, 0, 0)`,
    )
    this.#forget = db.prepare('delete from sessions where id = ? and agent is null')
    this.#marked = db.prepare(
      // A damaged row may not be disposable: keep it.
      `select id from sessions where disposable = 1 and ${wholeIn('sessions')}`,
    )
  }

  /** Marks a conversation as one that this process will erase, so that others leave it alone. */
  hold(session: string): void {
    this.#leases.take(markOf(session), null)
  }

  /** @throws EchelonError SESSION_BUSY while a turn of one is under way */
  async erase(sessions: readonly string[]): Promise<void> {
    if (sessions.length === 0) return
    const build = await this.#db.builder()
    this.#db.transaction(() => {
      for (const session of sessions) this.#eraseRows(session, build)
    })
    await eraseBytes(this.#db, 'the conversation is deleted')
    // Comes last, so that after a crash the next process to open the file repeats the erasure.
    this.#db.transaction(() => {
      for (const session of sessions) {
        this.#forget.run(session)
        this.#leases.drop(markOf(session))
        if (this.#leases.other(sessionLease(session)) === undefined)
          this.#leases.dropDead(sessionLease(session))
      }
    })
  }

  /**
   * Erases the disposable conversations of processes that died. One that waits for a stored reply
   * is not abandoned: the process that resumes it ends it.
   * @returns how many
   */
  async eraseAbandoned(): Promise<number> {
    const abandoned = this.#marked
      .all()
      .map(({ id }) => String(id))
      .filter((id) => this.#isAbandoned(id))
    await this.erase(abandoned)
    return abandoned.length
  }

  #isAbandoned(session: string): boolean {
    const isHeld = [markOf(session), sessionLease(session)].some(
      (name) => this.#leases.other(name) !== undefined,
    )
    return !isHeld && this.#suspended.get(session) === undefined
  }

  #eraseRows(session: string, build: Builder): void {
    // Acquired and released: a turn that was taken for dead can no longer be written.
    const turn = this.#leases.take(sessionLease(session), null)
    const runs = this.#withForks(this.#runs.all(session).map(({ id }) => String(id)))
    const fork = runs.find((run) => this.#isUnderWay(run))
    if (!('fence' in turn)) throw turnUnderWay(session, turn.run ?? 'of another')
    if (fork !== undefined) throw turnUnderWay(session, fork)
    this.#leases.release(turn)
    for (let at = 0; at < runs.length; at += AT_ONCE) {
      deleteRuns(this.#db, this.#leases, build, runs.slice(at, at + AT_ONCE))
    }
    for (const each of this.#deletes) each.run(session)
    this.#empty.run(session)
  }

  /** A fork may be a turn of another conversation. */
  #isUnderWay(run: string): boolean {
    const session = this.#sessionOf.get(run)?.['session']
    const lease = typeof session === 'string' ? sessionLease(session) : runLease(run)
    return this.#leases.other(lease)?.run === run
  }

  /** Includes forks: a run forked from a turn holds the earlier messages. */
  #withForks(runs: readonly string[]): readonly string[] {
    const all = new Set(runs)
    // The loop also visits what it adds.
    for (const run of all) for (const { id } of this.#forks.all(run)) all.add(String(id))
    return [...all]
  }
}
