import { ENDED_SQL } from '../../run-status.ts'
import { EchelonError } from 'echelon/internal/value'
import type { Pruned, Retention } from 'echelon/internal/store'
import type { Postgres, Queries } from '../connection/database.ts'
import { deleteOfSession } from '../sessions/of-session.ts'
import { condenseRuns } from './condense-runs.ts'
import { deleteRuns } from './delete-runs.ts'
import { type Leases, runLease, sessionLease } from './leases.ts'

/** Number of runs deleted per transaction: others write in between. */
const AT_ONCE = 100

/**
 * Deletes a run and all that is stored of it.
 * @throws EchelonError RUN_BUSY while a live process works on it
 */
export async function removeRun(db: Postgres, leases: Leases, run: string): Promise<void> {
  await db.transaction(async (queries) => {
    const row = await queries.get('select session from runs where id = $1 for update', run)
    const session = row?.['session']
    const lease = typeof session === 'string' ? sessionLease(session) : runLease(run)
    if ((await leases.other(queries, lease))?.run === run) {
      throw new EchelonError(
        'RUN_BUSY',
        `a live process works on the run ${run}; cancel it first, or wait for its end`,
        { details: { run } },
      )
    }
    await deleteRuns(queries, leases, [run])
  })
}

/** Deletes old runs that have ended. Resumable runs stay, condensed. */
export async function pruneRuns(
  db: Postgres,
  leases: Leases,
  now: number,
  retention: Retention,
): Promise<Pruned> {
  const { endedBeforeMs, keep, condense = false, dryRun = false } = retention
  const before = now - (endedBeforeMs ?? 0)
  const isAsked = endedBeforeMs !== undefined || keep !== undefined
  const runs = isAsked ? await oldRuns(db, before, keep ?? 0) : []
  const stale = await db.get('select count(*) as rows from cache where expires_at <= $1', now)
  let results = 0
  for (let at = 0; at < runs.length; at += AT_ONCE) {
    const some = runs.slice(at, at + AT_ONCE)
    results += await settledOf(db, some)
    if (!dryRun) await db.transaction((queries) => deleteRuns(queries, leases, some))
  }
  if (!dryRun) await db.run('delete from cache where expires_at <= $1', now)
  const gone = dryRun ? new Set(runs) : NONE
  const isByAge = retention.conversations === true && endedBeforeMs !== undefined
  const sessions = isByAge ? await dropSessions(db, leases, { before, gone, dryRun }) : 0
  const condensed = condense ? await condenseRuns(db, leases, dryRun) : 0
  return { runs: runs.length, sessions, results, cached: Number(stale?.['rows']), condensed }
}

const NONE: ReadonlySet<string> = new Set()

async function oldRuns(db: Postgres, before: number, keep: number): Promise<readonly string[]> {
  const rows = await db.all(
    `select id from (
       select id, changed_at, row_number() over (order by changed_at desc, id desc) as place
       from runs where status in ${ENDED_SQL}) as ended
     where changed_at <= $1 and place > $2 order by changed_at, id`,
    before,
    keep,
  )
  return rows.map(({ id }) => String(id))
}

async function settledOf(db: Postgres, runs: readonly string[]): Promise<number> {
  const row = await db.get(
    `select count(*) as rows from results
     where run = any($1::text[]) and result_json is not null`,
    runs,
  )
  return Number(row?.['rows'])
}

interface Dropping {
  readonly before: number
  /** Runs that count as deleted. */
  readonly gone: ReadonlySet<string>
  readonly dryRun: boolean
}

/** Deletes conversations that are old and have no runs left. @returns how many */
async function dropSessions(
  db: Postgres,
  leases: Leases,
  { before, gone, dryRun }: Dropping,
): Promise<number> {
  const drop = async (queries: Queries, id: string): Promise<boolean> => {
    const turn = await leases.lock(queries, sessionLease(id))
    const runs = await queries.all('select id from runs where session = $1', id)
    if (turn !== undefined || !runs.every((run) => gone.has(String(run['id'])))) return false
    // A turn of it may be about to begin in a worker.
    const ordered = await queries.get('select 1 from orders where session = $1 limit 1', id)
    if (ordered !== undefined) return false
    // A turn that ended meanwhile has made it young again.
    const isOld = await queries.get(
      'select 1 from sessions where id = $1 and changed_at <= $2 and disposable = 0',
      id,
      before,
    )
    if (isOld === undefined) return false
    if (!dryRun) {
      await deleteOfSession(queries, id)
      await queries.run('delete from sessions where id = $1', id)
      await queries.run('delete from leases where name = $1', sessionLease(id))
    }
    return true
  }
  const old = await db.all(
    'select id from sessions where changed_at <= $1 and disposable = 0',
    before,
  )
  let dropped = 0
  for (const { id } of old) {
    if (await db.transaction((queries) => drop(queries, String(id)))) dropped++
  }
  return dropped
}
