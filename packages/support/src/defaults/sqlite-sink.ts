import { isJson, isJsonObject } from 'echelon/internal/value'
import type { Database, Migration } from '@echelon/store/internal/sqlite'
import { STAGES, type TelemetryEvent, type TelemetrySink } from '../primitives/telemetry-sink.ts'

/** Marks a file of telemetry: "ETEL". */
const TELEMETRY_FILE = 0x4554_454c

const MIGRATIONS: readonly Migration[] = [
  () =>
    [
      `create table events (n integer primary key autoincrement, timestamp text not null,
         session_id text not null, interaction_id text not null, stage text not null,
         level text not null, payload_json text not null) strict`,
      'create index events_by_session on events (session_id, n)',
      'create index events_by_stage on events (stage, n)',
    ].map((sql) => ({ sql, parameters: [] })),
]

export interface SQLiteSinkOptions {
  /** Called once per series of failures, and again after a success; default: prints to standard error. */
  readonly onProblem?: (sentence: string) => void
  /** Events that may wait to be written; the oldest are dropped. Default 10,000. */
  readonly mostWaiting?: number
}

/**
 * Stores events in a file, one row each. Events of one tick are written together after it, so that no turn waits
 * for the disk; `flush` and `close` wait for all of them. A failed write does not affect turns.
 */
export class SQLiteSink implements TelemetrySink {
  readonly #path: string
  readonly #onProblem: (sentence: string) => void
  readonly #mostWaiting: number
  #opened: Promise<Database> | undefined
  #waiting: TelemetryEvent[] = []
  #writing: Promise<void> | undefined
  #lost = 0
  #isTold = false

  /** @param path created by the first event, readable by its owner only */
  constructor(path: string, options: SQLiteSinkOptions = {}) {
    this.#path = path
    this.#onProblem =
      options.onProblem ?? ((sentence) => void process.stderr.write(`${sentence}\n`))
    this.#mostWaiting = options.mostWaiting ?? 10_000
  }

  record(event: TelemetryEvent): void {
    // A copy, since the caller may change the original.
    this.#waiting.push(structuredClone(event))
    this.#drop()
    this.#writing ??= this.#writeSoon()
  }

  /** Writes waiting events; those that cannot be written keep waiting. */
  async flush(): Promise<void> {
    await this.#writing
    if (this.#waiting.length > 0) await (this.#writing ??= this.#writeSoon())
  }

  /**
   * The events of a session, oldest first.
   * @throws EchelonError STORE_UNUSABLE if the file cannot be read
   */
  async events(sessionId: string): Promise<readonly TelemetryEvent[]> {
    await this.flush()
    const db = await this.#db()
    const query = db.prepare('select * from events where session_id = ? order by n')
    return query.all(sessionId).flatMap(eventIn)
  }

  /** Writes waiting events and closes the file. The next event opens it again. */
  async close(): Promise<void> {
    await this.flush()
    const opened = this.#opened
    this.#opened = undefined
    const db = await opened?.catch(() => undefined)
    db?.close()
  }

  async #writeSoon(): Promise<void> {
    try {
      // Events of one tick are written together, and so are those that arrive meanwhile.
      do {
        await new Promise<void>((resolve) => setImmediate(resolve))
        const db = await this.#db()
        const batch = this.#waiting.slice()
        write(db.loose, batch)
        this.#waiting.splice(0, batch.length)
        this.#isTold = false
      } while (this.#waiting.length > 0)
    } catch (error) {
      this.#tell(error)
    } finally {
      this.#writing = undefined
    }
  }

  #drop(): void {
    const tooMany = this.#waiting.length - this.#mostWaiting
    if (tooMany <= 0) return
    this.#waiting.splice(0, tooMany)
    this.#lost += tooMany
  }

  #tell(error: unknown): void {
    if (this.#isTold) return
    this.#isTold = true
    const reason = error instanceof Error ? error.message : String(error)
    const lost = this.#lost === 0 ? '' : `; ${this.#lost} are lost`
    try {
      this.#onProblem(
        `events cannot be written to ${this.#path} (${reason}); they wait and are tried again with the next${lost}`,
      )
    } catch {
      // A failing listener must not affect a turn either.
    }
  }

  #db(): Promise<Database> {
    return (this.#opened ??= openEvents(this.#path).catch((error: unknown) => {
      this.#opened = undefined
      throw error
    }))
  }
}

/** Loads Node's database only when it is used. */
async function openEvents(path: string): Promise<Database> {
  const { Database } = await import('@echelon/store/internal/sqlite')
  return Database.open(path, MIGRATIONS, TELEMETRY_FILE)
}

function write(db: Database, batch: readonly TelemetryEvent[]): void {
  db.transaction(() => {
    const insert = db.prepare(
      `insert into events (timestamp, session_id, interaction_id, stage, level, payload_json)
       values (?, ?, ?, ?, ?, ?)`,
    )
    for (const { timestamp, session_id, interaction_id, stage, level, payload } of batch) {
      insert.run(timestamp, session_id, interaction_id, stage, level, JSON.stringify(payload))
    }
  })
}

function eventIn(row: Readonly<Record<string, unknown>>): readonly TelemetryEvent[] {
  const stage = STAGES.find((each) => each === row['stage'])
  const level = LEVELS.find((each) => each === row['level'])
  // Written by a later version: skip unknown values.
  if (stage === undefined || level === undefined) return []
  const payload: unknown = JSON.parse(String(row['payload_json']))
  return [
    {
      timestamp: String(row['timestamp']),
      session_id: String(row['session_id']),
      interaction_id: String(row['interaction_id']),
      stage,
      level,
      payload: isJson(payload) && isJsonObject(payload) ? payload : {},
    },
  ]
}

const LEVELS: readonly TelemetryEvent['level'][] = ['info', 'warning', 'error']
