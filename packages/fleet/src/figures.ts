import { Pool } from 'pg'
import { type FleetDatabase, fleetDatabase } from './database-address.ts'
import { PRIORITIES } from './leg.ts'
import { LEGS } from './limits.ts'

/** A figure for a server's `/metrics`. */
export interface FleetFigure {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  readonly read: () => Promise<readonly FleetValue[]>
}

export interface FleetValue {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The figures of a fleet, from its database. */
export interface FleetFigures {
  readonly list: readonly FleetFigure[]
  /** Number of legs of vanished workers that this process has put back. */
  recovered(count: () => number): FleetFigure
  close(): Promise<void>
}

/** A figure is read at most once in this time, however many ask. */
const FRESH_MS = 5000
const QUERY_MS = 5000

/** Counts end there: a million waiting runs are not worth a second of the database at each scrape. */
const MOST_COUNTED = 100_000

const counted = (from: string): string =>
  `(select count(*)::int from (select 1 from ${from} limit ${MOST_COUNTED}) as counted)`

/** Counts only unfinished legs and runs. Ended ones are many; each worker counts its own. */
const queriesOf = ({ runs, queues }: FleetDatabase) => {
  const waiting = `"${queues}".workflow_status where queue_name = queues.name and status = 'ENQUEUED'`
  return {
    // The index of waiting legs is by priority first.
    queues: `select name as queue, ${counted(waiting)} as legs,
        extract(epoch from now()) - (
          select min(created_at) from unnest(array[${PRIORITIES.join(', ')}]) as class (priority), lateral (
            select created_at from ${waiting} and workflow_status.priority = class.priority
            order by created_at limit 1) as first) / 1000.0 as oldest
      from "${queues}".queues`,
    workers: `select executor_id as worker, count(*)::int as legs from "${queues}".workflow_status
      where status = 'PENDING' and queue_name = '${LEGS}' group by 1`,
    runs: `select name as status, ${counted(`"${runs}".runs where runs.status = kept`)} as runs
      from (values ('waiting', 'suspended'), ('interrupted', 'left'), ('open', 'open')) as states (name, kept)`,
  }
}

type Row = Readonly<Record<string, string | number | null>>

/** Reads the figures of the fleet on a database. */
export function fleetFigures(database: string): FleetFigures {
  const at = fleetDatabase(database)
  const queries = queriesOf(at)
  const pool = new Pool({
    connectionString: at.url,
    max: 1,
    statement_timeout: QUERY_MS,
    connectionTimeoutMillis: QUERY_MS,
  })
  // A restart of the database ends its connection.
  pool.on('error', () => undefined)
  const rowsOf = (text: string): (() => Promise<readonly Row[]>) =>
    freshly(async () => (await pool.query<Row>(text)).rows)
  const queues = rowsOf(queries.queues)
  const workers = rowsOf(queries.workers)
  const runs = rowsOf(queries.runs)
  return {
    list: [
      gauge('echelon_queue_depth', 'Legs of runs that wait for a slot', {
        rows: queues,
        label: 'queue',
        value: 'legs',
      }),
      gauge('echelon_queue_oldest_seconds', 'Age of the oldest leg that waits for a slot', {
        rows: queues,
        label: 'queue',
        value: 'oldest',
      }),
      gauge('echelon_legs_working', 'Legs of runs at work, by worker', {
        rows: workers,
        label: 'worker',
        value: 'legs',
      }),
      gauge('echelon_runs_unfinished', 'Runs that have not ended, by state', {
        rows: runs,
        label: 'status',
        value: 'runs',
      }),
    ],
    recovered: (count) => ({
      name: 'echelon_recovered_legs',
      help: 'Legs of vanished workers that this worker has queued again',
      labels: [],
      read: async () => [{ labels: {}, value: count() }],
    }),
    close: () => pool.end(),
  }
}

const gauge = (name: string, help: string, { rows, label, value }: GaugeOf): FleetFigure => ({
  name,
  help,
  labels: [label],
  read: async () =>
    (await rows()).map((row) => ({
      labels: { [label]: String(row[label]) },
      value: Number(row[value]),
    })),
})

interface GaugeOf {
  readonly rows: () => Promise<readonly Row[]>
  readonly label: string
  readonly value: string
}

/** Several figures are of one query, and several scrapes of one moment. A failed one has no rows. */
function freshly(read: () => Promise<readonly Row[]>): () => Promise<readonly Row[]> {
  let last: { readonly at: number; readonly rows: Promise<readonly Row[]> } | undefined
  return () => {
    if (last === undefined || Date.now() - last.at > FRESH_MS) {
      last = { at: Date.now(), rows: read().catch(() => []) }
    }
    return last.rows
  }
}
