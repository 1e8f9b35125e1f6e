import type { EventStore, StoredEvent } from 'echelon/internal/store'
import type { Listener } from 'echelon/internal/agent'
import type { RunEvent, Clock } from 'echelon/runtime'
import { type HeldEvent, HeldEvents } from '../held-events.ts'
import { DAMAGED_EVENT, eventOf, eventText, MOST_EVENTS, MOST_READ } from '../kept-event.ts'
import type { Database } from './file/database.ts'
import type { Prepared } from './file/prepared.ts'
import { wholeIn } from './checksum/summed-tables.ts'

/** Consecutive attempts of a write, with doubling delays: close to a minute. */
const MOST_TRIES = 10

/** Number of events between two checks for old ones. */
const TRIM_EVERY = 1000

/**
 * Events of runs, written in batches by a connection that waits for no disk, so they never hold up
 * a run. The newest of each run are kept (`MOST_EVENTS`). A run that was deleted meanwhile stays
 * deleted.
 */
export class SqliteEvents implements EventStore {
  readonly listener: Listener
  readonly #db: Database
  readonly #held: HeldEvents
  /** By run: the number of the last event that was written here. */
  readonly #written = new Map<string, number>()
  #statements: Statements | undefined
  /** Consecutive failures. */
  #failures = 0

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#held = new HeldEvents(clock, () => this.#try())
    this.listener = this.#held.listener
  }

  async read(run: string, after = 0, limit: number = MOST_READ): Promise<readonly StoredEvent[]> {
    this.#try()
    return this.#prepared()
      .read.all(run, after, limit)
      .map(({ n, at, body_json: body, whole }) => ({
        run,
        n: Number(n),
        at: Number(at),
        event: whole === 1 ? readEvent(body) : DAMAGED_EVENT,
      }))
  }

  async flush(): Promise<void> {
    const held = this.#held.take()
    try {
      this.#write(held)
    } catch (error) {
      this.#held.putBack(held)
      throw error
    }
  }

  /** Writes pending events as far as possible, and stops listening. */
  close(): void {
    this.#try()
    this.#held.close()
  }

  #try(): void {
    const held = this.#held.take()
    try {
      this.#write(held)
    } catch {
      // The file is busy or full: the events are held for a while, and no run waits.
      this.#failures++
      if (this.#failures < MOST_TRIES) return this.#held.putBack(held, this.#failures)
      this.#failures = 0
    }
  }

  #write(held: readonly HeldEvent[]): void {
    if (held.length === 0) return
    const statements = this.#prepared()
    const written = new Map<string, number>()
    this.#db.loose.transaction(() => {
      for (const heard of held) this.#add(heard, { statements, written })
    })
    this.#failures = 0
    for (const [run, n] of written) this.#written.set(run, n)
    for (const { event, run } of held) if (event.type === 'run-end') this.#written.delete(run)
  }

  #add(
    { run, at, event }: HeldEvent,
    { statements, written }: { statements: Statements; written: Map<string, number> },
  ): void {
    const last = Number(statements.last.get(run)?.['n'] ?? 0)
    // They existed before, so the run was deleted: nothing of it may come back.
    if (last === 0 && (written.get(run) ?? this.#written.get(run) ?? 0) > 0) return
    const n = last + 1
    statements.add.run(run, n, at, eventText(event))
    if (n > MOST_EVENTS && n % TRIM_EVERY === 0) statements.trim.run(run, n - MOST_EVENTS)
    written.set(run, n)
  }

  #prepared(): Statements {
    return (this.#statements ??= prepare(this.#db.loose))
  }
}

/** A row may have been damaged before it had a checksum. */
function readEvent(body: unknown): RunEvent {
  try {
    return eventOf(String(body))
  } catch {
    return DAMAGED_EVENT
  }
}

type Statements = Readonly<Record<'last' | 'add' | 'trim' | 'read', Prepared>>

const prepare = (db: Database): Statements => ({
  last: db.prepare('select max(n) as n from events where run = ?'),
  add: db.prepare('insert into events (run, n, at, body_json) values (?, ?, ?, ?)'),
  trim: db.prepare('delete from events where run = ? and n <= ?'),
  read: db.prepare(
    `select n, iif(${wholeIn('events')}, at, 0) as at, body_json, ${wholeIn('events')} as whole
     from events where run = ? and n > ? order by n limit ?`,
  ),
})
