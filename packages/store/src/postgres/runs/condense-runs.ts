import { condensed, entriesIn, type Snapshot } from 'echelon/internal/journal'
import type { Entry } from 'echelon/runtime'
import type { Postgres, Queries } from '../connection/database.ts'
import { keptJson } from '../kept-json.ts'
import { type Leases, runLease, sessionLease } from './leases.ts'

/**
 * Replaces the entries of each waiting or interrupted run by its newest snapshot.
 * @returns how many
 */
export async function condenseRuns(db: Postgres, leases: Leases, dryRun: boolean): Promise<number> {
  const open = await db.all(
    `select runs.id from runs join snapshots on snapshots.run = runs.id
     where status in ('open', 'suspended', 'left') and forked_from is null
       and not exists (select 1 from runs as fork where fork.forked_from = runs.id)`,
  )
  let count = 0
  for (const { id } of open) {
    const isShorter = await db.transaction((queries) =>
      condenseOne(queries, { leases, place: db.place, run: String(id), dryRun }),
    )
    if (isShorter) count++
  }
  return count
}

interface Condensing {
  readonly leases: Leases
  readonly place: string
  readonly run: string
  readonly dryRun: boolean
}

async function condenseOne(
  queries: Queries,
  { leases, place, run, dryRun }: Condensing,
): Promise<boolean> {
  const row = await queries.get(
    `select session, body_json from runs join snapshots on snapshots.run = runs.id
     where id = $1 and status in ('open', 'suspended', 'left') for update of runs`,
    run,
  )
  if (row === undefined) return false
  const session = row['session']
  const lease = typeof session === 'string' ? sessionLease(session) : runLease(run)
  const holder = await leases.lock(queries, lease)
  if (holder?.run === run) return false
  const rows = await queries.all(
    'select n, entries_json from journal where run = $1 order by n',
    run,
  )
  const what = `the run ${run}`
  const entries = rows.flatMap((one): readonly Entry[] =>
    keptJson(place, what, one['entries_json']),
  )
  const snapshot: Snapshot = keptJson(place, what, row['body_json'])
  const short = condensed(entries, snapshot)
  if (short.length >= entries.length) return false
  if (dryRun) return true
  // A process that was taken for dead would write after entries that are gone.
  if (holder === undefined) {
    await leases.release(queries, await leases.takeLocked(queries, lease, run))
  }
  // Kept in the last row: the next append counts from there.
  const last = Number(rows.at(-1)?.['n'])
  await queries.run('delete from journal where run = $1 and n < $2', run, last)
  await queries.run(
    'update journal set size = $1, entries_json = $2 where run = $3 and n = $4',
    entriesIn(short),
    JSON.stringify(short),
    run,
    last,
  )
  return true
}
