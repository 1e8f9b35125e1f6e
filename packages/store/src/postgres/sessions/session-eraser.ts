import { turnUnderWay } from '../../refusals.ts'
import type { Postgres, Queries } from '../connection/database.ts'
import { deleteRuns } from '../runs/delete-runs.ts'
import { type Leases, markLease, runLease, sessionLease } from '../runs/leases.ts'
import { deleteOfSession } from './of-session.ts'

/** Limit on the names that one statement takes. */
const AT_ONCE = 1000

/**
 * Deletes conversations and all that is stored of them, each in one transaction. Their bytes leave
 * the files of the server when it vacuums, and its log when that is recycled.
 */
export class SessionEraser {
  readonly #db: Postgres
  readonly #leases: Leases

  constructor(db: Postgres, leases: Leases) {
    this.#db = db
    this.#leases = leases
  }

  /** @throws EchelonError SESSION_BUSY while a turn of it is under way */
  async erase(session: string): Promise<void> {
    const mark = this.#leases.held(markLease(session))
    await this.#db.transaction((queries) => this.#erase(queries, session))
    if (mark !== undefined) this.#leases.forget(mark)
  }

  /**
   * Erases the disposable conversations of processes that died. One that waits for a stored reply is
   * not abandoned: the process that resumes it ends it.
   * @returns how many
   */
  async eraseAbandoned(): Promise<number> {
    const marked = await this.#db.all(
      `select id from sessions where disposable = 1 and not exists
         (select 1 from runs where session = sessions.id and status = 'suspended')`,
    )
    let erased = 0
    for (const { id } of marked) {
      const isGone = await this.#db.transaction((queries) =>
        this.#eraseAbandonedOne(queries, String(id)),
      )
      if (isGone) erased++
    }
    return erased
  }

  async #eraseAbandonedOne(queries: Queries, session: string): Promise<boolean> {
    for (const name of [markLease(session), sessionLease(session)])
      if ((await this.#leases.other(queries, name)) !== undefined) return false
    await this.#erase(queries, session)
    return true
  }

  async #erase(queries: Queries, session: string): Promise<void> {
    // Locked until the end: no turn of it begins meanwhile, and one that was taken for dead can no
    // longer be written.
    const turn = await this.#leases.lock(queries, sessionLease(session))
    const runs = await withForks(queries, session)
    const fork = await this.#underWay(queries, runs)
    if (turn !== undefined) throw turnUnderWay(session, turn.run ?? 'of another')
    if (fork !== undefined) throw turnUnderWay(session, fork)
    for (let at = 0; at < runs.length; at += AT_ONCE)
      await deleteRuns(queries, this.#leases, runs.slice(at, at + AT_ONCE))
    await deleteOfSession(queries, session)
    await queries.run('delete from sessions where id = $1', session)
    await queries.run('delete from leases where name = any($1::text[])', [
      sessionLease(session),
      markLease(session),
    ])
  }

  /** A fork may be a turn of another conversation. @returns one that a live process works on */
  async #underWay(queries: Queries, runs: readonly string[]): Promise<string | undefined> {
    const rows = await queries.all('select id, session from runs where id = any($1::text[])', runs)
    for (const { id, session } of rows) {
      const run = String(id)
      const lease = typeof session === 'string' ? sessionLease(session) : runLease(run)
      if ((await this.#leases.other(queries, lease))?.run === run) return run
    }
    return undefined
  }
}

/** Includes forks, and theirs: a run forked from a turn holds the earlier messages. */
async function withForks(queries: Queries, session: string): Promise<readonly string[]> {
  const rows = await queries.all(
    `with recursive all_runs as (
       select id from runs where session = $1
       union
       select runs.id from runs join all_runs on runs.forked_from = all_runs.id)
     select id from all_runs order by id`,
    session,
  )
  return rows.map(({ id }) => String(id))
}
