import { DatabaseSync } from 'node:sqlite'
import { type BaseTables, type ChangedRecord, TauData } from './tau-data.ts'
import { invokeByName, type NamedCall, type TauTool } from './tau-tool.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS records
    (tab TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (tab, id)) STRICT;
  CREATE TABLE IF NOT EXISTS answers
    (place INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, tool TEXT NOT NULL, output TEXT NOT NULL) STRICT;`

/** A tool call with its answer. */
export interface Answer {
  readonly tool: string
  readonly output: string
}

/**
 * The database of one run, which outlives the process: what the run changed, and the answer to each
 * call under its key, written together. Under the same key a tool acts once.
 */
export class TauDatabase implements Disposable {
  readonly #db: DatabaseSync
  readonly #tools: readonly TauTool[]
  readonly data: TauData

  /** @param path a file that is made if it is not there, or `:memory:` */
  constructor(base: BaseTables, tools: readonly TauTool[], path: string) {
    this.#tools = tools
    this.#db = new DatabaseSync(path)
    // The tests cover crashes of the process, not power failures.
    this.#db.exec(`PRAGMA synchronous = OFF; ${SCHEMA}`)
    this.data = new TauData(base, this.#changed())
  }

  /** Calls a tool, or answers what it answered under this key before. */
  call(key: string, call: NamedCall): string {
    const [before] = this.#rows('SELECT output FROM answers WHERE key = ?', key)
    if (before !== undefined) return before['output'] ?? ''
    const output = invokeByName(this.#tools, this.data, call)
    this.#db.exec('BEGIN IMMEDIATE')
    const isActing = this.#tools.some(({ name, acts }) => name === call.name && acts === true)
    for (const record of isActing ? this.data.changed() : []) this.#keep(record)
    this.#db
      .prepare('INSERT INTO answers (key, tool, output) VALUES (?, ?, ?)')
      .run(key, call.name, output)
    this.#db.exec('COMMIT')
    return output
  }

  /** All answers, in the order in which they were given. */
  answers(): readonly Answer[] {
    return this.#rows('SELECT tool, output FROM answers ORDER BY place').map(
      ({ tool = '', output = '' }) => ({ tool, output }),
    )
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }

  #changed(): readonly ChangedRecord[] {
    return this.#rows('SELECT tab, id, json FROM records ORDER BY rowid').map(
      ({ tab = '', id = '', json = '' }) => ({ table: tab, id, json }),
    )
  }

  #keep({ table, id, json }: ChangedRecord): void {
    this.#db
      .prepare(
        `INSERT INTO records (tab, id, json) VALUES (?, ?, ?)
           ON CONFLICT (tab, id) DO UPDATE SET json = excluded.json`,
      )
      .run(table, id, json)
  }

  #rows(sql: string, ...values: readonly string[]): readonly Readonly<Record<string, string>>[] {
    return this.#db
      .prepare(sql)
      .all(...values)
      .map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)])),
      )
  }
}
