import type { Postgres, Prepared, Queries } from '../connection/database.ts'
import { isConflict, isConnectionLost } from '../connection/failures.ts'
import type { Lease } from './leases.ts'

/** One append to the journal, as text: the caller may change its entries afterwards. */
export interface JournalRow {
  readonly run: string
  readonly size: number
  readonly entries: string
  /** Replaces the run's snapshot in the same statement. */
  readonly snapshot?: SnapshotRow
}

interface SnapshotRow {
  readonly after: number
  readonly body: string
}

/** The next row of a run. Two that are inserted at once conflict, and one is done again. */
const NEXT = '(select coalesce(max(n), 0) + 1 from journal where run = $1)'

/** The lease is locked, so that no other process takes it before this row is visible. */
const INSERT_HELD = `with mine as (
    select fence from leases where name = $4 and fence = $5 and holder = $6 for share)
  insert into journal (run, n, fence, size, entries_json)
  select $1, ${NEXT}, mine.fence, $2, $3 from mine returning n`

const APPEND: Prepared = { name: 'append to journal', text: INSERT_HELD }

const APPEND_WITH_SNAPSHOT: Prepared = {
  name: 'append to journal with snapshot',
  text: `with added as (${INSERT_HELD}),
  kept as (
    insert into snapshots (run, after, body_json) select $1, $7, $8 from added
    on conflict (run) do update set after = excluded.after, body_json = excluded.body_json)
  select n from added`,
}

/** @returns the number of the row; undefined if the lease is lost */
export async function insertHeld(
  queries: Queries,
  { run, size, entries, snapshot }: JournalRow,
  { name, fence }: Lease,
  holder: string,
): Promise<number | undefined> {
  const values = [run, size, entries, name, fence, holder] as const
  const row = await (snapshot === undefined
    ? queries.get(APPEND, ...values)
    : queries.get(APPEND_WITH_SNAPSHOT, ...values, snapshot.after, snapshot.body))
  return row && Number(row['n'])
}

/** Inserts entries from outside, which need no lease. */
export async function insertFree(
  queries: Queries,
  { run, size, entries }: JournalRow,
): Promise<void> {
  await queries.run(
    `insert into journal (run, n, fence, size, entries_json) values ($1, ${NEXT}, null, $2, $3)`,
    run,
    size,
    entries,
  )
}

/**
 * Inserts a row as a statement of its own, the usual step of a run. If the connection is lost, the
 * row is looked for before it is inserted again: a run appends one after another.
 * @param last the last row that this holder inserted
 */
export async function insertAlone(
  db: Postgres,
  row: JournalRow,
  {
    lease,
    holder,
    last,
  }: { readonly lease: Lease; readonly holder: string; readonly last: number },
): Promise<number | undefined> {
  let isUncertain = false
  return db.repeating(
    (error) => isConnectionLost(error) || isConflict(error),
    async (queries) => {
      try {
        const done = isUncertain ? await written(queries, row, { lease, last }) : undefined
        return done ?? (await insertHeld(queries, row, lease, holder))
      } catch (error) {
        isUncertain ||= isConnectionLost(error)
        throw error
      }
    },
  )
}

async function written(
  queries: Queries,
  { run, entries }: JournalRow,
  { lease, last }: { readonly lease: Lease; readonly last: number },
): Promise<number | undefined> {
  const row = await queries.get(
    'select n from journal where run = $1 and n > $2 and fence = $3 and entries_json = $4',
    run,
    last,
    lease.fence,
    entries,
  )
  return row && Number(row['n'])
}
