import type { EventStore, StoredEvent } from 'echelon/internal/store'
import type { Listener } from 'echelon/internal/agent'
import type { RunEvent, Clock } from 'echelon/runtime'
import {
  DAMAGED_EVENT,
  eventOf,
  eventText,
  keepingListener,
  MOST_EVENTS,
  MOST_READ,
} from '../kept-event.ts'
import type { Database } from './file/database.ts'
import type { Prepared } from './file/prepared.ts'
import { wholeIn } from './checksum/summed-tables.ts'

/** How long events are held back to be written in one batch, in milliseconds. */
const HELD_MS = 50

/** A batch of this size is written at once. */
const BATCH = 100

/** Limit on events that wait for a file that cannot be written. The oldest are dropped. */
const MOST_HELD = 10_000

/** Consecutive attempts of a write, with doubling delays: close to a minute. */
const MOST_TRIES = 10

/** How many events between two checks for old ones. */
const TRIM_EVERY = 1000

interface Heard {
  readonly run: string
  readonly at: number
  readonly event: RunEvent
}

/**
 * Events of runs, written in batches by a connection that waits for no disk, so they never hold up
 * a run. The newest of each run are kept (`MOST_EVENTS`). A run that was deleted meanwhile stays
 * deleted.
 */
export class SqliteEvents implements EventStore {
  readonly listener: Listener = keepingListener((event: RunEvent, run: string): void => {
    this.#hear(event, run)
  })
  readonly #db: Database
  readonly #clock: Clock
  /** By run: the number of the last event that was written here. */
  readonly #written = new Map<string, number>()
  #statements: Statements | undefined
  #held: Heard[] = []
  #forget: (() => void) | undefined
  #isSoon = false
  #isClosed = false
  /** Consecutive failures. */
  #failures = 0

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
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
    this.#write()
  }

  /** Writes pending events as far as possible, and stops listening. */
  close(): void {
    this.#try()
    this.#isClosed = true
    this.#held = []
    this.#forget?.()
  }

  #hear(event: RunEvent, run: string): void {
    if (this.#isClosed) return
    this.#held.push({ run, at: this.#clock.now(), event })
    if (this.#held.length > MOST_HELD) this.#held.shift()
    if (this.#held.length >= BATCH || event.type === 'run-end') this.#writeSoon()
    else this.#writeLater()
  }

  /** Writes after the emitter of the event is done. */
  #writeSoon(): void {
    if (this.#isSoon) return
    this.#isSoon = true
    setImmediate(() => this.#try())
  }

  #try(): void {
    try {
      this.#write()
    } catch {
      // The file is busy or full: the events are held for a while, and no run waits.
      this.#failures++
      if (this.#failures < MOST_TRIES) return this.#writeLater()
      this.#failures = 0
      this.#held = []
    }
  }

  #writeLater(): void {
    this.#forget ??= this.#clock.after(HELD_MS * 2 ** this.#failures, () => {
      this.#forget = undefined
      this.#try()
    })
  }

  #write(): void {
    this.#isSoon = false
    const held = this.#held
    if (held.length === 0) return
    const statements = this.#prepared()
    const written = new Map<string, number>()
    this.#db.loose.transaction(() => {
      for (const heard of held) this.#add(heard, { statements, written })
    })
    this.#held = []
    this.#failures = 0
    this.#forget?.()
    this.#forget = undefined
    for (const [run, n] of written) this.#written.set(run, n)
    for (const { event, run } of held) if (event.type === 'run-end') this.#written.delete(run)
  }

  #add(
    { run, at, event }: Heard,
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
