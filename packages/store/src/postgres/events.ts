import type { Listener } from 'echelon/internal/agent'
import type { EventStore, StoredEvent } from 'echelon/internal/store'
import type { Clock, RunEvent } from 'echelon/runtime'
import {
  DAMAGED_EVENT,
  eventOf,
  eventText,
  keepingListener,
  MOST_EVENTS,
  MOST_READ,
} from '../kept-event.ts'
import type { Postgres, Queries } from './connection/database.ts'

/** How long events are held back to be written in one batch, in milliseconds. */
const HELD_MS = 50

/** A batch of this size is written at once. */
const BATCH = 100

/** Limit on events that wait for a server that is away. The oldest are dropped. */
const MOST_HELD = 10_000

/** How many events between two checks for old ones. */
const TRIM_EVERY = 1000

interface Heard {
  readonly run: string
  readonly at: number
  readonly event: RunEvent
}

/**
 * Events of runs, written in batches by connections that wait for no disk, so they never hold up a
 * run. The newest of each run are kept (`MOST_EVENTS`). A run that was deleted meanwhile stays
 * deleted.
 */
export class PostgresEvents implements EventStore {
  readonly listener: Listener = keepingListener((event: RunEvent, run: string): void => {
    this.#hear(event, run)
  })
  readonly #db: Postgres
  readonly #clock: Clock
  /** By run: the number of the last event that was written here. */
  readonly #written = new Map<string, number>()
  #held: Heard[] = []
  #later: (() => void) | undefined
  #isSoon = false
  #isClosed = false
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Postgres, clock: Clock) {
    this.#db = db
    this.#clock = clock
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
    this.#isClosed = true
    await this.flush().catch(() => undefined)
    this.#held = []
    this.#later?.()
  }

  #hear(event: RunEvent, run: string): void {
    if (this.#isClosed) return
    this.#held.push({ run, at: this.#clock.now(), event: structuredClone(event) })
    if (this.#held.length > MOST_HELD) this.#held.shift()
    if (this.#held.length >= BATCH || event.type === 'run-end') this.#writeSoon()
    else this.#writeLater()
  }

  /** Writes after the emitter of the event is done. */
  #writeSoon(): void {
    if (this.#isSoon) return
    this.#isSoon = true
    setImmediate(() => void this.flush().catch(() => undefined))
  }

  #writeLater(): void {
    this.#later ??= this.#clock.after(HELD_MS, () => {
      this.#later = undefined
      this.flush().catch(() => undefined)
    })
  }

  /** What cannot be written in a minute is dropped: no run waits for it. */
  async #write(): Promise<void> {
    this.#isSoon = false
    const held = this.#held
    if (held.length === 0) return
    this.#held = []
    this.#later?.()
    this.#later = undefined
    const written = await this.#db.transaction((queries) => this.#add(queries, held))
    for (const [run, n] of written) this.#written.set(run, n)
    for (const { event, run } of held) if (event.type === 'run-end') this.#written.delete(run)
  }

  async #add(queries: Queries, held: readonly Heard[]): Promise<ReadonlyMap<string, number>> {
    // Such data may be lost when the server fails: the journal holds what must not be.
    await queries.run('set local synchronous_commit = off')
    const byRun = Map.groupBy(held, ({ run }) => run)
    const written = new Map<string, number>()
    for (const [run, heard] of byRun) {
      const row = await queries.get('select max(n) as n from events where run = $1', run)
      const last = Number(row?.['n'] ?? 0)
      // They existed before, so the run was deleted: nothing of it may come back.
      if (last === 0 && (this.#written.get(run) ?? 0) > 0) continue
      await insertEvents(queries, run, last, heard)
      written.set(run, last + heard.length)
    }
    return written
  }
}

async function insertEvents(
  queries: Queries,
  run: string,
  last: number,
  heard: readonly Heard[],
): Promise<void> {
  const end = last + heard.length
  await queries.run(
    `insert into events (run, n, at, body_json)
     select $1, n, at, body from unnest($2::bigint[], $3::bigint[], $4::text[]) as given (n, at, body)`,
    run,
    heard.map((_, index) => last + 1 + index),
    heard.map(({ at }) => at),
    heard.map(({ event }) => eventText(event)),
  )
  const isDue = Math.floor(end / TRIM_EVERY) > Math.floor(last / TRIM_EVERY)
  if (end > MOST_EVENTS && isDue)
    await queries.run('delete from events where run = $1 and n <= $2', run, end - MOST_EVENTS)
}

/** A row may have been changed by hand. */
function readEvent(body: unknown): RunEvent {
  try {
    return eventOf(String(body))
  } catch {
    return DAMAGED_EVENT
  }
}
