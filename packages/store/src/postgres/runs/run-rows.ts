import type { Ended } from 'echelon/internal/journal'
import type { Json, Started } from 'echelon/runtime'
import { isOver, type RunChange } from '../../run-change.ts'
import type { Prepared, Queries } from '../connection/database.ts'

const INSERT_RUN: Prepared = {
  name: 'insert run',
  text: `insert into runs (id, agent, version, status, reason, input_json, made_json, session,
      forked_from, began_at, changed_at, owner)
    values ($1, $2, $3, 'open', null, $4, $5, $6, $7, $8, $8, $9)`,
}

const END_RUN: Prepared = {
  name: 'end run',
  text: `update runs set status = $1, reason = $2, changed_at = $3, wake_at = null,
      cancel_asked = 0
    where id = $4`,
}

interface Applying {
  /** Whether the run may have requests already. */
  readonly asked: boolean
  readonly now: number
}

/**
 * Applies an append to the row of a run, within its transaction.
 * @returns whether the run now has requests
 */
export async function applyChange(
  queries: Queries,
  run: string,
  change: RunChange,
  { asked: hasAsked, now }: Applying,
): Promise<boolean> {
  const { started, isTakenUp, over, asked, answered, isCancelAsked, ended } = change
  if (started !== undefined) await insertRun(queries, run, started)
  else if (isTakenUp) await reopen(queries, run, now)
  const left = hasAsked ? await dropOver(queries, run, over) : 0
  for (const { entry, place } of asked) {
    const { request, about, at, until = null } = entry
    await queries.run(
      `insert into requests (run, id, place, about_json, at, until) values ($1, $2, $3, $4, $5, $6)
       on conflict (run, id) do nothing`,
      run,
      request,
      place,
      JSON.stringify(about),
      at,
      until,
    )
  }
  for (const request of answered)
    await queries.run('update requests set answered = 1 where run = $1 and id = $2', run, request)
  if (isCancelAsked) await queries.run('update runs set cancel_asked = 1 where id = $1', run)
  if (ended !== undefined) await close(queries, run, ended, now)
  if (ended !== undefined && (hasAsked || asked.length > 0))
    await queries.run('delete from requests where run = $1', run)
  return ended === undefined && left + asked.length > 0
}

/** Marks a waiting run as due: an entry from outside has arrived. */
export const wakeRun = (queries: Queries, run: string, now: number): Promise<number> =>
  queries.run(
    `update runs set wake_at = $1, status = 'suspended'
     where id = $2 and status in ('suspended', 'left')`,
    now,
    run,
  )

export const leaveRun = (
  queries: Queries,
  run: string,
  { status, wakeAt, now }: { status: 'left' | 'suspended'; wakeAt: number | null; now: number },
): Promise<number> =>
  queries.run(
    `update runs set status = $1, wake_at = $2, changed_at = $3 where id = $4 and status = 'open'`,
    status,
    wakeAt,
    now,
    run,
  )

/** The owner of a served run (`RunFilter.owner`), from its origin or the id of its session. */
export function ownerOf(made: Json, session: string | null): string | null {
  const served: unknown = Object(made)['served']
  const by: unknown = Object(served)['by']
  if (typeof by === 'string') return by
  const slash = session?.indexOf('/') ?? -1
  return slash < 0 ? null : (session?.slice(0, slash) ?? null)
}

async function insertRun(queries: Queries, run: string, started: Started): Promise<void> {
  const { agent, version, input, made = null, session, forkedFrom, at } = started
  const beganAt = forkedFrom?.forkedAt ?? at
  const owner = ownerOf(made, session?.id ?? null)
  await queries.run(
    INSERT_RUN,
    run,
    agent,
    version,
    JSON.stringify(input),
    JSON.stringify(made),
    session?.id ?? null,
    forkedFrom?.run ?? null,
    beganAt,
    owner,
  )
}

const reopen = (queries: Queries, run: string, now: number): Promise<number> =>
  queries.run(
    `update runs set status = 'open', wake_at = null, changed_at = $1
     where id = $2 and status in ('open', 'suspended', 'left')`,
    now,
    run,
  )

async function close(
  queries: Queries,
  run: string,
  { status, reason }: Ended,
  now: number,
): Promise<void> {
  await queries.run(END_RUN, status, reason, now, run)
}

/** @returns how many are left */
async function dropOver(queries: Queries, run: string, over: readonly string[]): Promise<number> {
  const rows = await queries.all('select id, place from requests where run = $1', run)
  const gone = rows.filter(({ place }) => isOver(String(place), over)).map(({ id }) => String(id))
  if (gone.length > 0)
    await queries.run('delete from requests where run = $1 and id = any($2::text[])', run, gone)
  return rows.length - gone.length
}
