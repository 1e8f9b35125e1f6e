import { ENDED_SQL, isEndedStatus } from '../../run-status.ts'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { EchelonError } from 'echelon/internal/value'
import type { RunStatus } from 'echelon/internal/store'
import { APPLICATION_ID } from './file-facts.ts'
import { partsIn } from './backup-parts.ts'
import type { StoreFacts } from './facts.ts'
import { isGone } from '../runs/holder.ts'
import { namesOfDamaged, wholeAt } from '../checksum/damaged-rows.ts'
import { MIGRATIONS, SCHEMA_VERSION } from './schema.ts'
import { type Made, schemaDamage } from '../checksum/schema-damage.ts'
import { reasonOf } from './unusable.ts'

/** A file in which nothing was ever stored has no tables to query. */
export async function storeFacts(
  path: string,
  { db, version }: { readonly db: DatabaseSync; readonly version: number },
  now: number,
): Promise<StoreFacts> {
  const damage = await damageOf(db, version, { migrations: MIGRATIONS, mark: APPLICATION_ID })
  const leftBackups = partsIn(dirname(path))
  const file = {
    version,
    currentVersion: SCHEMA_VERSION,
    bytes: bytesOf(path),
    damage,
    leftBackups,
  }
  // Numbers read from a damaged file mean nothing.
  if (version === 0 || damage.length > 0) return { ...file, ...NOTHING }
  const damagedRows = namesOfDamaged(db, version)
  const count = (rows: string, ...values: SQLInputValue[]): number =>
    Number(db.prepare(`select count(*) as found from ${rows}`).get(...values)?.['found'])
  const { live, dead } = leasesOf(db, version, now)
  return {
    ...file,
    damagedRows,
    runs: runsOf(db, version, live),
    openRequests: count('requests where answered = 0'),
    sessions: {
      all: count('sessions'),
      disposable: count('sessions where disposable = 1'),
      messages: count('messages'),
    },
    cached: { all: count('cache'), expired: count('cache where expires_at <= ?', now) },
    results: { all: count('results'), underWay: count('results where result_json is null') },
    memories: count('memories'),
    notes: count('notes'),
    events: count('events'),
    artifacts: count('artifacts'),
    auditLines: count('audit'),
    leases: { live: live.size, dead },
    prunable: prunableOf(db),
  }
}

const NOTHING = {
  damagedRows: [],
  runs: { running: 0, waiting: 0, interrupted: 0, finished: 0, canceled: 0, failed: 0, damaged: 0 },
  openRequests: 0,
  sessions: { all: 0, disposable: 0, messages: 0 },
  cached: { all: 0, expired: 0 },
  results: { all: 0, underWay: 0 },
  memories: 0,
  notes: 0,
  events: 0,
  artifacts: 0,
  auditLines: 0,
  leases: { live: 0, dead: 0 },
  prunable: { runs: 0, bytes: 0 },
} as const

const MOST_DAMAGE = 10

/**
 * The damage of the file itself. SQLite names tables and indexes, which are known to be ours by
 * then.
 */
export async function damageOf(
  db: DatabaseSync,
  version: number,
  made: Made,
): Promise<readonly string[]> {
  try {
    const schema = await schemaDamage(db, version, made)
    if (schema.length > 0) return schema.slice(0, MOST_DAMAGE)
  } catch (error) {
    if (error instanceof EchelonError) throw error
    return [reasonOf(error)]
  }
  return pageDamage(db)
}

function pageDamage(db: DatabaseSync): readonly string[] {
  const lines: string[] = []
  try {
    const check = db.prepare(`pragma integrity_check(${MOST_DAMAGE})`)
    for (const { integrity_check: line } of check.iterate()) lines.push(String(line))
  } catch (error) {
    // The file is so corrupt that the check itself fails.
    lines.push(reasonOf(error))
  }
  return lines.length === 1 && lines[0] === 'ok' ? [] : lines.slice(0, MOST_DAMAGE)
}

/** Including the log beside it. */
export function bytesOf(path: string): number {
  const size = (name: string): number => statSync(name, { throwIfNoEntry: false })?.size ?? 0
  return size(path) + size(`${path}-wal`)
}

/** Leases that are held. Live ones are keyed by the run they are held for, or else by name. */
function leasesOf(
  db: DatabaseSync,
  version: number,
  now: number,
): { readonly live: ReadonlySet<string>; readonly dead: number } {
  const live = new Set<string>()
  let dead = 0
  const rows = db.prepare(
    `select name, run, holder, expires_at from leases
     where holder is not null and ${wholeAt(version, 'leases')}`,
  )
  for (const { name, run, holder, expires_at: expiresAt } of rows.iterate()) {
    if (Number(expiresAt) <= now || isGone(String(holder))) dead++
    else live.add(String(run ?? name))
  }
  return { live, dead }
}

/** Statuses as the store reports them: an open run is running if a live process holds it. */
function runsOf(db: DatabaseSync, version: number, live: ReadonlySet<string>): StoreFacts['runs'] {
  const runs: Record<RunStatus, number> = { ...NOTHING.runs }
  const rows = db.prepare(
    `select iif(${wholeRun(version)}, status, 'damaged') as status, count(*) as found
     from runs group by 1`,
  )
  for (const { status, found } of rows.iterate()) runs[statusOf(status)] += Number(found)
  const open = db.prepare(`select id from runs where status = 'open' and ${wholeRun(version)}`)
  for (const { id } of open.iterate()) {
    if (!live.has(String(id))) continue
    runs.interrupted--
    runs.running++
  }
  return runs
}

/** SQL: whether the rows of a run and its requests have their checksums. */
const wholeRun = (version: number): string =>
  `(${wholeAt(version, 'runs')} and not exists
     (select 1 from requests where run = runs.id and not ${wholeAt(version, 'requests')}))`

function statusOf(status: unknown): RunStatus {
  if (status === 'suspended') return 'waiting'
  if (status === 'damaged') return status
  return isEndedStatus(status) ? status : 'interrupted'
}

function prunableOf(db: DatabaseSync): StoreFacts['prunable'] {
  const ended = `select id from runs where status in ${ENDED_SQL}`
  const row = db
    .prepare(
      `select (select count(*) from (${ended})) as runs,
        (select coalesce(sum(length(entries_json)), 0) from journal where run in (${ended})) as bytes`,
    )
    .get()
  return { runs: Number(row?.['runs']), bytes: Number(row?.['bytes']) }
}
