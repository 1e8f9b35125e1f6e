import type { AuditLines, RunRecord } from 'echelon/internal/observability'
import type { AuditStore } from 'echelon/internal/store'
import type { Database } from './file/database.ts'
import type { Prepared } from './file/prepared.ts'

interface Statements {
  readonly fromLast: Prepared
  readonly add: Prepared
}

/**
 * The audit log of all processes that share the file: one chain, since each appends to it under the
 * file's lock. The database rejects changed or deleted lines. The end of a run is on disk before it
 * is reported; earlier lines reach the disk with any other write.
 */
export class SqliteAudit implements AuditStore {
  readonly #db: Database
  readonly #lines: AuditLines
  readonly #statements = new Map<Database, Statements>()
  #lost = 0

  constructor(db: Database, lines: AuditLines) {
    this.#db = db
    this.#lines = lines
  }

  record(record: RunRecord): void {
    const isLast = record.type === 'run-ended' || record.type === 'run-refused'
    // If the fast connection gives up, the patient one may succeed.
    const isKept = (!isLast && this.#try(this.#db.loose, record)) || this.#try(this.#db, record)
    this.#lost = isKept ? 0 : this.#lost + 1
  }

  async read(): Promise<readonly string[]> {
    return this.#db
      .prepare('select line from audit order by n')
      .all()
      .map(({ line }) => String(line))
  }

  /**
   * A run does not fail because its records cannot be written: the next record says how many are
   * missing.
   */
  #try(db: Database, record: RunRecord): boolean {
    try {
      this.#append(db, record)
      return true
    } catch {
      return false
    }
  }

  #append(db: Database, record: RunRecord): void {
    const { fromLast, add } = this.#prepared(db)
    db.transaction(() => {
      const lines = this.#lines(record, { fromLast: linesOf(fromLast), lost: this.#lost })
      for (const line of lines) add.run(line)
    })
  }

  #prepared(db: Database): Statements {
    const had = this.#statements.get(db)
    if (had !== undefined) return had
    const made = {
      fromLast: db.prepare('select line from audit order by n desc'),
      add: db.prepare('insert into audit (line) values (?)'),
    }
    this.#statements.set(db, made)
    return made
  }
}

function* linesOf(statement: Prepared): Generator<string> {
  for (const { line } of statement.iterate()) yield String(line)
}
