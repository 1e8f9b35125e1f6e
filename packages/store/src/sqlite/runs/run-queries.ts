import type { SelectQueryBuilder, Selectable } from 'kysely'
import { EchelonError } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import type { OpenRequest, RunFilter, RunSummary } from 'echelon/internal/store'
import { rowStatuses, statusOf } from '../../run-status.ts'
import type { Database } from '../file/database.ts'
import { keptJson } from '../kept-json.ts'
import type { Leases } from './leases.ts'
import { runLease, sessionLease } from './run-writer.ts'
import { shown } from '../checksum/row-sum.ts'
import type { Schema } from '../../schema/tables.ts'
import type { Builder } from '../file/schema.ts'
import { SUMMED, wholeIn } from '../checksum/summed-tables.ts'

type RunRow = Selectable<Schema['runs']>

/** Default length of a list. */
const USUAL_LIMIT = 100

/** Rows per page: whether a process lives cannot be asked in SQL. */
const PAGE = 200

/** Newest first. */
export async function listRuns(
  db: Database,
  leases: Leases,
  { status, agent, session, owner, before, limit = USUAL_LIMIT }: RunFilter = {},
): Promise<readonly RunSummary[]> {
  const [build, { OWNER, isAfter }] = await Promise.all([
    db.builder(),
    import('./run-conditions.ts'),
  ])
  let query = build.selectFrom('runs').selectAll()
  if (agent !== undefined) query = query.where('agent', '=', agent)
  if (session !== undefined) query = query.where('session', '=', session)
  if (owner !== undefined) query = query.where(OWNER, '=', owner)
  if (before !== undefined) query = query.where(isAfter(before))
  // The status in a damaged row cannot be trusted.
  if (status !== undefined && !status.includes('damaged'))
    query = query.where('status', 'in', rowStatuses(status))
  const ordered = query.orderBy('began_at', 'desc').orderBy('id', 'desc')
  const wanted = (run: RunSummary): boolean => status === undefined || status.includes(run.status)
  return paged(db, ordered, (row) => summaryOf(db, leases, build, row), { wanted, limit })
}

export async function findRun(
  db: Database,
  leases: Leases,
  run: string,
): Promise<RunSummary | undefined> {
  const build = await db.builder()
  const query = build.selectFrom('runs').selectAll().where('id', '=', run)
  const [row] = db.allDamaged(query.compile())
  return row && summaryOf(db, leases, build, row)
}

/** Runs that any process may take over, oldest first. */
export async function dueRuns(
  db: Database,
  leases: Leases,
  { now, limit = USUAL_LIMIT }: { readonly now: number; readonly limit?: number },
): Promise<readonly RunSummary[]> {
  const build = await db.builder()
  const query = build
    .selectFrom('runs')
    .selectAll()
    .where((is) =>
      is.or([
        is('status', '=', 'open'),
        is.and([is('status', '=', 'suspended'), is('wake_at', '<=', now)]),
      ]),
    )
    .orderBy('changed_at')
    .orderBy('id')
  // A turn waits until its conversation is free.
  const wanted = ({ id, session, status }: RunSummary): boolean =>
    status !== 'damaged' && !isHeld(leases, id, session)
  return paged(db, query, (row) => summaryOf(db, leases, build, row), { wanted, limit })
}

interface Page {
  readonly wanted: (run: RunSummary) => boolean
  readonly limit: number
}

function paged(
  db: Database,
  query: SelectQueryBuilder<Schema, 'runs', RunRow>,
  read: (row: RunRow) => RunSummary,
  { wanted, limit }: Page,
): readonly RunSummary[] {
  const found: RunSummary[] = []
  for (let offset = 0; found.length < limit; offset += PAGE) {
    const rows = db.allDamaged(query.limit(PAGE).offset(offset).compile())
    for (const run of rows.map(read)) if (wanted(run) && found.length < limit) found.push(run)
    if (rows.length < PAGE) break
  }
  return found
}

const isHeld = (leases: Leases, run: string, session: string | null): boolean =>
  leases.other(session === null ? runLease(run) : sessionLease(session))?.run === run

/** A damaged run is listed by name; nothing else of its row is used. */
function summaryOf(db: Database, leases: Leases, build: Builder, row: RunRow): RunSummary {
  const look = db.recent(
    `select (select ${wholeIn('runs')} from runs where id = ?1) as run,
       (select min(${wholeIn('requests')}) from requests where run = ?1) as asks`,
  )
  const { run, asks } = look.get(row.id) ?? {}
  if (run !== 1) return damagedRun(row, 'its row is damaged')
  try {
    return wholeSummary(db, leases, { build, row, isDamaged: asks === 0 })
  } catch (error) {
    if (!(error instanceof EchelonError) || error.code !== 'STORE_DAMAGED') throw error
    return damagedRun(row, 'its row is damaged')
  }
}

const damagedRun = ({ id }: RunRow, reason: string): RunSummary => ({
  id: shown(id),
  agent: 'unknown',
  version: 0,
  status: 'damaged',
  reason,
  input: null,
  made: null,
  session: null,
  forkedFrom: null,
  beganAt: 0,
  changedAt: 0,
  wakeAt: null,
  requests: [],
  isCancelAsked: false,
})

interface WholeRow {
  readonly build: Builder
  readonly row: RunRow
  /** Whether one of its requests is damaged. */
  readonly isDamaged: boolean
}

function wholeSummary(
  db: Database,
  leases: Leases,
  { build, row, isDamaged }: WholeRow,
): RunSummary {
  const query = build
    .selectFrom('requests')
    .select(['id', 'about_json', 'at', 'until'])
    .where('run', '=', row.id)
    .where('answered', '=', 0)
    .orderBy('at')
    .orderBy('id')
  const json = (text: string): Json => keptJson(db.path, SUMMED.runs.name(row.id, ''), text)
  const asked = isDamaged ? [] : db.all(query.compile())
  const requests = asked.map((one): OpenRequest => {
    const { id, at, until } = one
    return { id, about: json(one.about_json), at, until }
  })
  const status = statusOf(row.status, requests.length > 0, isHeld(leases, row.id, row.session))
  return {
    id: row.id,
    agent: row.agent,
    version: row.version,
    status: isDamaged ? 'damaged' : status,
    reason: isDamaged ? 'what it asks is damaged' : row.reason,
    input: json(row.input_json),
    made: json(row.made_json),
    session: row.session,
    forkedFrom: row.forked_from,
    beganAt: row.began_at,
    changedAt: row.changed_at,
    wakeAt: row.wake_at,
    requests,
    isCancelAsked: row.cancel_asked === 1,
  }
}
