import { ENDED } from '../../run-status.ts'
import { condensed, entriesIn, type Snapshot } from 'echelon/internal/journal'
import { EchelonError } from 'echelon/internal/value'
import type { Entry } from 'echelon/runtime'
import type { Pruned, Retention } from 'echelon/internal/store'
import type { Database } from '../file/database.ts'
import { keptJson } from '../kept-json.ts'
import type { Leases } from './leases.ts'
import { OF_SESSION } from '../sessions/of-session.ts'
import { keyLease } from '../results.ts'
import { runLease, sessionLease } from './run-writer.ts'
import type { Builder } from '../file/schema.ts'
import { checkedIn, SUMMED, wholeIn } from '../checksum/summed-tables.ts'

/** Number of runs deleted per transaction: others write in between. */
const AT_ONCE = 100

/**
 * Deletes a run and all that is stored of it.
 * @throws EchelonError RUN_BUSY while a live process works on it
 */
export async function removeRun(db: Database, leases: Leases, run: string): Promise<void> {
  const build = await db.builder()
  const find = build.selectFrom('runs').select('session').where('id', '=', run).compile()
  db.transaction(() => {
    const session = db.all(find)[0]?.session ?? null
    const lease = session === null ? runLease(run) : sessionLease(session)
    if (leases.other(lease)?.run === run) {
      throw new EchelonError(
        'RUN_BUSY',
        `a live process works on the run ${run}; cancel it first, or wait for its end`,
        { details: { run } },
      )
    }
    deleteRuns(db, leases, build, [run])
  })
}

/**
 * Revokes the lease of a stalled process, although no other took it: the process would write to a
 * deleted run.
 */
function revoke(leases: Leases, lease: string, run: string): void {
  const taken = leases.take(lease, run)
  if ('fence' in taken) leases.release(taken)
}

/** Deletes old runs that have ended. Resumable runs stay, condensed. */
export async function pruneRuns(
  db: Database,
  leases: Leases,
  now: number,
  retention: Retention,
): Promise<Pruned> {
  const { endedBeforeMs, keep, condense = false, dryRun = false } = retention
  const build = await db.builder()
  const isAsked = endedBeforeMs !== undefined || keep !== undefined
  const before = now - (endedBeforeMs ?? 0)
  const ended = build
    .selectFrom('runs')
    .select('id')
    .where('status', 'in', ENDED)
    .where('changed_at', '<=', before)
    .where('id', 'not in', (newest) =>
      newest
        .selectFrom('runs')
        .select('id')
        .where('status', 'in', ENDED)
        .orderBy('changed_at', 'desc')
        .orderBy('id', 'desc')
        .limit(keep ?? 0),
    )
  // A damaged run may not have ended, or may be newer than it says.
  const whole = db.prepare(`select 1 from runs where id = ? and ${wholeIn('runs')}`)
  const found = isAsked ? db.all(ended.compile()).map(({ id }) => id) : []
  const runs = found.filter((id) => whole.get(id) !== undefined)
  const stale = build.selectFrom('cache').select(rows(build)).where('expires_at', '<=', now)
  const cached = Number(db.all(stale.compile())[0]?.rows)
  let results = 0
  for (let at = 0; at < runs.length; at += AT_ONCE) {
    const some = runs.slice(at, at + AT_ONCE)
    const kept = build.selectFrom('results').select(rows(build)).where('run', 'in', some)
    const settled = kept.where('result_json', 'is not', null)
    results += Number(db.all(settled.compile())[0]?.rows)
    if (!dryRun) db.transaction(() => deleteRuns(db, leases, build, some))
  }
  if (!dryRun) db.run(build.deleteFrom('cache').where('expires_at', '<=', now).compile())
  const gone = dryRun ? new Set(runs) : NONE
  const isByAge = retention.conversations === true && endedBeforeMs !== undefined
  const sessions = isByAge ? dropSessions(db, leases, { before, gone, dryRun }) : 0
  const shortened = condense ? await condenseRuns(db, leases, dryRun) : 0
  return { runs: runs.length, sessions, results, cached, condensed: shortened }
}

const NONE: ReadonlySet<string> = new Set()

/** Deletes conversations that are old and have no runs left. @returns how many */
function dropSessions(
  db: Database,
  leases: Leases,
  {
    before,
    gone,
    dryRun,
  }: { readonly before: number; readonly gone: ReadonlySet<string>; readonly dryRun: boolean },
): number {
  const old = db.prepare(
    `select id from sessions where changed_at <= ? and disposable = 0 and ${wholeIn('sessions')}`,
  )
  const turns = db.prepare('select id from runs where session = ?')
  const deletes = [...OF_SESSION, 'delete from sessions where id = ?'].map((sql) => db.prepare(sql))
  const drop = (id: string): boolean => {
    const isLeft = turns.all(id).every((turn) => gone.has(String(turn['id'])))
    if (!isLeft || leases.other(sessionLease(id)) !== undefined) return false
    if (!dryRun) for (const each of deletes) each.run(id)
    return true
  }
  const ids = old.all(before).map(({ id }) => String(id))
  return ids.filter((id) => db.transaction(() => drop(id))).length
}

/** Replaces the entries of each waiting or interrupted run by its newest snapshot. */
async function condenseRuns(db: Database, leases: Leases, dryRun: boolean): Promise<number> {
  const build = await db.builder()
  const open = build
    .selectFrom('runs')
    .innerJoin('snapshots', 'snapshots.run', 'runs.id')
    .select(['runs.id', 'runs.session', 'snapshots.body_json'])
    .where('runs.status', 'in', ['open', 'suspended', 'left'])
    .where('runs.forked_from', 'is', null)
    .where('runs.id', 'not in', (forked) =>
      forked
        .selectFrom('runs')
        .select('forked_from')
        .$narrowType<{ forked_from: string }>()
        .where('forked_from', 'is not', null),
    )
    .compile()
  const read = db.prepare(
    `select n, entries_json, ${checkedIn('journal')} from journal where run = ? order by n`,
  )
  const drop = db.prepare('delete from journal where run = ? and n < ?')
  const put = db.prepare('update journal set size = ?, entries_json = ? where run = ? and n = ?')
  const condenseOne = ({ id, session, body_json }: OpenRun): boolean => {
    const lease = session === null ? runLease(id) : sessionLease(session)
    if (leases.other(lease)?.run === id) return false
    const rows = read.all(id)
    const what = SUMMED.runs.name(id, '')
    const entries = rows.flatMap((row): readonly Entry[] =>
      keptJson(db.path, what, row['entries_json']),
    )
    const snapshot: Snapshot = keptJson(db.path, what, body_json)
    const short = condensed(entries, snapshot)
    if (short.length >= entries.length) return false
    if (dryRun) return true
    revoke(leases, lease, id)
    // Kept in the last row: the next append counts from there.
    const last = Number(rows.at(-1)?.['n'])
    drop.run(id, last)
    put.run(entriesIn(short), JSON.stringify(short), id, last)
    return true
  }
  return db.all(open).filter((run) => db.transaction(() => condenseOne(run))).length
}

interface OpenRun {
  readonly id: string
  readonly session: string | null
  readonly body_json: string
}

const rows = (build: Builder) => build.fn.countAll<number>().as('rows')

/**
 * Deletes runs within a transaction. A process that was taken for dead can no longer write them.
 */
export function deleteRuns(
  db: Database,
  leases: Leases,
  build: Builder,
  runs: readonly string[],
): void {
  if (runs.length === 0) return
  for (const table of ['journal', 'requests', 'snapshots', 'events', 'artifacts'] as const) {
    db.run(build.deleteFrom(table).where('run', 'in', runs).compile())
  }
  deleteResults(db, leases, build, runs)
  // The key of a memory's write begins with its run and a colon; a semicolon is the next character.
  for (const table of ['memory_writes', 'note_writes'] as const) {
    const written = db.prepare(`delete from ${table} where key >= ? and key < ?`)
    for (const run of runs) written.run(`${run}:`, `${run};`)
  }
  db.run(build.deleteFrom('runs').where('id', 'in', runs).compile())
  db.run(build.deleteFrom('leases').where('name', 'in', runs.map(runLease)).compile())
  const turn = db.prepare(
    `update leases set fence = fence + 1, holder = null, run = null
     where holder is not null and run = ? and name like 'session:%'`,
  )
  for (const run of runs) turn.run(run)
}

/** A key that a live process holds stays: it is about to be settled or released. */
function deleteResults(
  db: Database,
  leases: Leases,
  build: Builder,
  runs: readonly string[],
): void {
  const found = build.selectFrom('results').select('key').where('run', 'in', runs)
  const remove = db.prepare('delete from results where key = ?')
  for (const { key } of db.all(found.compile())) {
    if (leases.other(keyLease(key)) !== undefined) continue
    remove.run(key)
    leases.dropDead(keyLease(key))
  }
}
