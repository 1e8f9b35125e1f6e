import type { AuditLines, RunRecord } from 'echelon/internal/observability'
import type { AuditStore } from 'echelon/internal/store'
import type { Postgres, Queries } from './connection/database.ts'

/** Maximum number of records that wait for an unreachable server. The next record says how many are missing. */
const MOST_WAITING = 10_000

/** Records of one transaction. */
const AT_ONCE = 100

/** Lines that are read from the end of the log at first. Nearly always the last one is enough. */
const FIRST_READ = 20

/**
 * The audit log of all processes that share the database: one chain, since each appends to it under
 * one lock. The database rejects changed or deleted lines. A record is on its way when `record`
 * returns, and written when `flush` or the store's `close` does.
 */
export class PostgresAudit implements AuditStore {
  readonly #db: Postgres
  readonly #lines: AuditLines
  #waiting: RunRecord[] = []
  #writing: Promise<void> | undefined
  #lost = 0

  constructor(db: Postgres, lines: AuditLines) {
    this.#db = db
    this.#lines = lines
  }

  record(record: RunRecord): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#lost++
      return
    }
    this.#waiting.push(structuredClone(record))
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
  }

  async read(): Promise<readonly string[]> {
    await this.flush()
    const rows = await this.#db.all('select line from audit order by n')
    return rows.map(({ line }) => String(line))
  }

  /** Waits until the records that were made before are written, or given up. */
  async flush(): Promise<void> {
    await this.#writing
  }

  /**
   * A run does not fail because its records cannot be written: the next record says how many are
   * missing.
   */
  async #writeAll(): Promise<void> {
    // The records of one turn of the event loop share a transaction.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, AT_ONCE)
      const lost = this.#lost
      try {
        await this.#db.transaction((queries) => this.#append(queries, some, lost))
        this.#lost -= lost
      } catch {
        this.#lost += some.length
      }
    }
  }

  async #append(queries: Queries, records: readonly RunRecord[], lost: number): Promise<void> {
    await queries.all(
      `select pg_advisory_xact_lock(hashtextextended('audit:' || current_schema(), 0))`,
    )
    for (const [nth, record] of records.entries()) {
      const lines = await this.#linesOf(queries, record, nth === 0 ? lost : 0)
      for (const line of lines) await queries.run('insert into audit (line) values ($1)', line)
    }
  }

  /** Builds the record's lines. Reads the end of the log, and more of it while the lines need more. */
  async #linesOf(queries: Queries, record: RunRecord, lost: number): Promise<readonly string[]> {
    for (let count = FIRST_READ; ; count *= 10) {
      const rows = await queries.all('select line from audit order by n desc limit $1', count)
      const read = rows.map(({ line }) => String(line))
      let isTooShort = false
      const fromLast = linesUpTo(read, () => {
        isTooShort = rows.length === count
      })
      const lines = this.#lines(record, { fromLast, lost })
      if (!isTooShort) return lines
    }
  }
}

/** @param onEnd called where more lines than these were asked for */
function* linesUpTo(lines: readonly string[], onEnd: () => void): Generator<string> {
  yield* lines
  onEnd()
}
