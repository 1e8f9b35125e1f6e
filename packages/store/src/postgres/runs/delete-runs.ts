import type { Queries } from '../connection/database.ts'
import { keyLease, type Leases, runLease } from './leases.ts'

/**
 * Deletes runs within a transaction. A process that was taken for dead can no longer write them: its
 * fence is gone.
 */
export async function deleteRuns(
  queries: Queries,
  leases: Leases,
  runs: readonly string[],
): Promise<void> {
  if (runs.length === 0) return
  // First, as every writer does.
  await queries.all('select 1 from runs where id = any($1::text[]) order by id for update', runs)
  await queries.run('delete from leases where name = any($1::text[])', runs.map(runLease))
  await queries.run(
    `update leases set fence = nextval('fences'), holder = null, run = null
     where holder is not null and run = any($1::text[]) and name like 'session:%'`,
    runs,
  )
  for (const table of ['journal', 'requests', 'snapshots', 'events', 'artifacts', 'orders'])
    await queries.run(`delete from ${table} where run = any($1::text[])`, runs)
  await deleteResults(queries, leases, runs)
  // The key of a memory's write begins with its run and a colon; a semicolon is the next character.
  for (const table of ['memory_writes', 'note_writes']) {
    await queries.run(
      `delete from ${table} using unnest($1::text[], $2::text[]) as of_run (first, after)
       where key >= of_run.first and key < of_run.after`,
      runs.map((run) => `${run}:`),
      runs.map((run) => `${run};`),
    )
  }
  await queries.run('delete from runs where id = any($1::text[])', runs)
}

/** A key that a live process holds stays: it is about to be settled or released. */
async function deleteResults(
  queries: Queries,
  leases: Leases,
  runs: readonly string[],
): Promise<void> {
  const found = await queries.all('select key from results where run = any($1::text[])', runs)
  for (const { key } of found) {
    const name = keyLease(String(key))
    if ((await leases.other(queries, name)) !== undefined) continue
    await queries.run('delete from results where key = $1', String(key))
    await queries.run('delete from leases where name = $1', name)
  }
}
