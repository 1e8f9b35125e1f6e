import type { Listener } from 'echelon/internal/agent'
import type { EventStore, StoredEvent } from 'echelon/internal/store'
import type { Clock, RunEvent } from 'echelon/runtime'
import { type HeldEvent, HeldEvents } from '../held-events.ts'
import { DAMAGED_EVENT, eventOf, eventText, MOST_EVENTS, MOST_READ } from '../kept-event.ts'
import type { Postgres, Prepared, Queries } from './connection/database.ts'

/** Number of events between two checks for old ones. */
const TRIM_EVERY = 1000

/**
 * Events of runs, written in batches by connections that wait for no disk, so they never hold up a
 * run. The newest of each run are kept (`MOST_EVENTS`). A run that was deleted meanwhile stays
 * deleted.
 */
export class PostgresEvents implements EventStore {
  readonly listener: Listener
  readonly #db: Postgres
  readonly #held: HeldEvents
  /** By run: the number of the last event that was written here. */
  readonly #written = new Map<string, number>()
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Postgres, clock: Clock) {
    this.#db = db
    this.#held = new HeldEvents(clock, () => void this.flush().catch(() => undefined))
    this.listener = this.#held.listener
  }

  async read(run: string, after = 0, limit: number = MOST_READ): Promise<readonly StoredEvent[]> {
    await this.flush().catch(() => undefined)
    const rows = await this.#db.all(
      'select n, at, body_json from events where run = $1 and n > $2 order by n limit $3',
      run,
      after,
      limit,
    )
    return rows.map(({ n, at, body_json: body }) => ({
      run,
      n: Number(n),
      at: Number(at),
      event: readEvent(body),
    }))
  }

  /** Writes buffered events: one batch after another. */
  flush(): Promise<void> {
    const done = this.#writing.then(() => this.#write())
    this.#writing = done.catch(() => undefined)
    return done
  }

  /** Writes pending events as far as possible, and stops listening. */
  async close(): Promise<void> {
    await this.flush().catch(() => undefined)
    this.#held.close()
  }

  /** Drops events that cannot be written within a minute: no run waits for them. */
  async #write(): Promise<void> {
    const held = this.#held.take()
    if (held.length === 0) return
    // They may be lost when the server fails: the journal holds what must not be.
    const written = await this.#db.lossyTransaction((queries) => this.#add(queries, held))
    for (const [run, n] of written) this.#written.set(run, n)
    for (const { event, run } of held) if (event.type === 'run-end') this.#written.delete(run)
  }

  async #add(queries: Queries, held: readonly HeldEvent[]): Promise<ReadonlyMap<string, number>> {
    const rows = await queries.all(
      INSERT_EVENTS,
      held.map(({ run }) => run),
      held.map(({ at }) => at),
      held.map(({ event }) => eventText(event)),
      held.map(({ run }) => this.#written.get(run) ?? 0),
    )
    const written = new Map<string, number>()
    for (const { run, first, last } of rows) {
      written.set(String(run), Number(last))
      await trimEvents(queries, String(run), Number(first) - 1, Number(last))
    }
    return written
  }
}

/** Events that existed before mean that the run was deleted: nothing of it may come back. */
const INSERT_EVENTS: Prepared = {
  name: 'insert events',
  text: `with given as (
    select * from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[])
      with ordinality as given (run, at, body, written, place)),
  kept as (
    select run, coalesce(max(events.n), 0) as n
    from (select distinct run from given) as runs left join events using (run) group by run),
  inserted as (
    insert into events (run, n, at, body_json)
    select run, kept.n + row_number() over (partition by run order by place), given.at, body
    from given join kept using (run) where kept.n > 0 or written = 0
    returning run, n)
  select run, min(n) as first, max(n) as last from inserted group by run`,
}

async function trimEvents(
  queries: Queries,
  run: string,
  before: number,
  last: number,
): Promise<void> {
  const isDue = Math.floor(last / TRIM_EVERY) > Math.floor(before / TRIM_EVERY)
  if (last > MOST_EVENTS && isDue)
    await queries.run('delete from events where run = $1 and n <= $2', run, last - MOST_EVENTS)
}

/** A row may have been changed by hand. */
function readEvent(body: unknown): RunEvent {
  try {
    return eventOf(String(body))
  } catch {
    return DAMAGED_EVENT
  }
}
