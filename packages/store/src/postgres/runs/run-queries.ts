import type { OpenRequest, RunFilter, RunStatus, RunSummary } from 'echelon/internal/store'
import type { Json } from 'echelon/runtime'
import { EchelonError } from 'echelon/internal/value'
import { rowStatuses, statusOf } from '../../run-status.ts'
import type { Postgres, Row, Value } from '../connection/database.ts'
import { keptJson } from '../kept-json.ts'
import { LEASE_OF_RUN, type Leases } from './leases.ts'

/** Default length of a list. */
const USUAL_LIMIT = 100

/** Rows per page: whether a process lives cannot be asked in SQL. */
const PAGE = 200

const selectFrom = (runs: string): string =>
  `select runs.*, leases.holder, leases.run as held_for, leases.expires_at
   from ${runs} left join leases on leases.name = ${LEASE_OF_RUN}`

/** Newest first. */
export async function listRuns(
  db: Postgres,
  leases: Leases,
  filter: RunFilter = {},
): Promise<readonly RunSummary[]> {
  const { status, limit = USUAL_LIMIT } = filter
  const { where, values } = conditionsOf(filter)
  return paged(db, leases, {
    page: (last) => {
      const [at, id] = [`$${values.length + 1}`, `$${values.length + 2}`]
      const behind = last === undefined ? '' : ` and (began_at, id) < (${at}, ${id})`
      return {
        sql: `${selectFrom('runs')} where ${where}${behind} order by began_at desc, id desc limit ${PAGE}`,
        values: [...values, ...placeOf(last, 'began_at')],
      }
    },
    wanted: (run) => status === undefined || status.includes(run.status),
    limit,
  })
}

export async function findRun(
  db: Postgres,
  leases: Leases,
  run: string,
): Promise<RunSummary | undefined> {
  const rows = await db.all(`${selectFrom('runs')} where id = $1`, run)
  const [found] = await summaries(db, leases, rows)
  return found
}

/** Runs that any process may take over, oldest first. */
export async function dueRuns(
  db: Postgres,
  leases: Leases,
  { now, limit = USUAL_LIMIT }: { readonly now: number; readonly limit?: number },
): Promise<readonly RunSummary[]> {
  return paged(db, leases, {
    page: (last) => {
      const behind = last === undefined ? '' : ' and (changed_at, id) > ($2, $3)'
      // Each half has an index of its own: nothing that waits for longer is read.
      const half = (which: string): string =>
        `(select * from runs where ${which}${behind} order by changed_at, id limit ${PAGE})`
      const due = `(${half(`status = 'open'`)} union all ${half(DUE)}) as runs`
      return {
        sql: `${selectFrom(due)} order by changed_at, id limit ${PAGE}`,
        values: [now, ...placeOf(last, 'changed_at')],
      }
    },
    // A turn waits until its conversation is free.
    isSkipped: (row) => isHeld(leases, row),
    wanted: ({ status }) => status !== 'damaged',
    limit,
  })
}

const DUE = `status = 'suspended' and wake_at is not null and wake_at <= $1`

/** The values that say where a page ended. */
const placeOf = (last: Row | undefined, time: 'began_at' | 'changed_at'): readonly Value[] =>
  last === undefined ? [] : [Number(last[time]), String(last['id'])]

function conditionsOf({ status, agent, session, owner, before }: RunFilter): {
  readonly where: string
  readonly values: readonly Value[]
} {
  const values: Value[] = []
  const at = (value: Value): string => `$${values.push(value)}`
  const conditions = [
    ...(agent === undefined ? [] : [`agent = ${at(agent)}`]),
    ...(session === undefined ? [] : [`session = ${at(session)}`]),
    ...(owner === undefined ? [] : [`owner = ${at(owner)}`]),
    ...(before === undefined
      ? []
      : [`(began_at, id) < (select began_at, id from runs where id = ${at(before)})`]),
    // The status in a damaged row cannot be trusted.
    ...(status === undefined || status.includes('damaged') ? [] : [statusIn(rowStatuses(status))]),
  ]
  return { where: ['true', ...conditions].join(' and '), values }
}

/** As text, by which the planner sees that an index of some statuses is enough. */
const statusIn = (statuses: readonly string[]): string =>
  statuses.length === 0
    ? 'false'
    : `status in (${statuses.map((status) => `'${status}'`).join(', ')})`

interface Paging {
  /** @param last the last row of the page before */
  readonly page: (last: Row | undefined) => {
    readonly sql: string
    readonly values: readonly Value[]
  }
  readonly isSkipped?: (row: Row) => boolean
  readonly wanted: (run: RunSummary) => boolean
  readonly limit: number
}

async function paged(
  db: Postgres,
  leases: Leases,
  { page, isSkipped = () => false, wanted, limit }: Paging,
): Promise<readonly RunSummary[]> {
  const found: RunSummary[] = []
  let last: Row | undefined
  while (found.length < limit) {
    const { sql, values } = page(last)
    const rows = await db.all(sql, ...values)
    const some = await summaries(
      db,
      leases,
      rows.filter((row) => !isSkipped(row)),
    )
    for (const run of some) if (wanted(run) && found.length < limit) found.push(run)
    if (rows.length < PAGE) break
    last = rows.at(-1)
  }
  return found
}

const isHeld = (leases: Leases, row: Row): boolean =>
  leases.heldBy({ ...row, run: row['held_for'] })?.run === row['id']

async function summaries(
  db: Postgres,
  leases: Leases,
  rows: readonly Row[],
): Promise<readonly RunSummary[]> {
  if (rows.length === 0) return []
  const asked = await db.all(
    `select run, id, about_json, at, until from requests
     where run = any($1::text[]) and answered = 0 order by at, id`,
    rows.map(({ id }) => String(id)),
  )
  const byRun = Map.groupBy(asked, ({ run }) => run)
  return rows.map((row) =>
    summaryOf(db.place, row, byRun.get(row['id']) ?? [], isHeld(leases, row)),
  )
}

/** A damaged run is listed by name; nothing else of its row is used. */
function summaryOf(place: string, row: Row, asked: readonly Row[], isLive: boolean): RunSummary {
  try {
    return wholeSummary(place, row, asked, isLive)
  } catch (error) {
    if (!(error instanceof EchelonError) || error.code !== 'STORE_DAMAGED') throw error
    return { ...NOTHING, id: String(row['id']), status: 'damaged', reason: 'its row is damaged' }
  }
}

const NOTHING = {
  agent: 'unknown',
  version: 0,
  input: null,
  made: null,
  session: null,
  forkedFrom: null,
  beganAt: 0,
  changedAt: 0,
  wakeAt: null,
  requests: [],
  isCancelAsked: false,
} as const

function wholeSummary(place: string, row: Row, asked: readonly Row[], isLive: boolean): RunSummary {
  const id = String(row['id'])
  const json = (text: unknown): Json => keptJson(place, `the run ${id}`, text)
  const requests = asked.map((one): OpenRequest => ({
    id: String(one['id']),
    about: json(one['about_json']),
    at: Number(one['at']),
    until: numberOrNull(one['until']),
  }))
  const status: RunStatus = statusOf(String(row['status']), requests.length > 0, isLive)
  return {
    id,
    agent: String(row['agent']),
    version: Number(row['version']),
    status,
    reason: textOrNull(row['reason']),
    input: json(row['input_json']),
    made: json(row['made_json']),
    session: textOrNull(row['session']),
    forkedFrom: textOrNull(row['forked_from']),
    beganAt: Number(row['began_at']),
    changedAt: Number(row['changed_at']),
    wakeAt: numberOrNull(row['wake_at']),
    requests,
    isCancelAsked: row['cancel_asked'] === 1,
  }
}

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value))

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
