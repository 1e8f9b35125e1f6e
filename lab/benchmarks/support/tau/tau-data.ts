import { dumps, parsePython } from '../python/json.ts'
import { deepCopy, type Dict, isDict } from '../python/value.ts'

/** The records of a database as its files have them; shared by all runs, and never changed. */
export type BaseTables = ReadonlyMap<string, ReadonlyMap<string, Dict>>

/** A record that differs from the files: its table, its id, and how it is now as JSON. */
export interface ChangedRecord {
  readonly table: string
  readonly id: string
  readonly json: string
}

/** The database of one run: the files, and what this run changed. */
export class TauData {
  readonly #base: BaseTables
  readonly #tables = new Map<string, TauTable>()

  constructor(base: BaseTables, changed: readonly ChangedRecord[] = []) {
    this.#base = base
    for (const { table, id, json } of changed) {
      const record = parsePython(json)
      if (isDict(record)) this.table(table).set(id, record)
    }
  }

  get names(): readonly string[] {
    return [...this.#base.keys()]
  }

  table(name: string): TauTable {
    const known = this.#tables.get(name)
    if (known !== undefined) return known
    const table = new TauTable(this.#base.get(name) ?? new Map())
    this.#tables.set(name, table)
    return table
  }

  /** The records that were opened for changes, in their present state. */
  changed(): readonly ChangedRecord[] {
    return [...this.#tables].flatMap(([table, { own }]) =>
      [...own].map(([id, record]) => ({ table, id, json: dumps(record) })),
    )
  }
}

/** One table; a record is copied when it is first asked for to be changed. */
class TauTable {
  /** As the file has it. */
  readonly base: ReadonlyMap<string, Dict>
  readonly own: Map<string, Dict> = new Map()

  constructor(base: ReadonlyMap<string, Dict>) {
    this.base = base
  }

  /** To be read only. */
  find(id: unknown): Dict | undefined {
    return typeof id === 'string' ? (this.own.get(id) ?? this.base.get(id)) : undefined
  }

  /** To be changed in place. */
  edit(id: unknown): Dict | undefined {
    const found = this.find(id)
    if (found === undefined || typeof id !== 'string' || this.own.has(id)) return found
    const copy = deepCopy(found)
    this.own.set(id, copy)
    return copy
  }

  set(id: string, record: Dict): void {
    this.own.set(id, record)
  }

  /** In the order of the file, then those that were added. To be read only. */
  entries(): readonly (readonly [string, Dict])[] {
    const known = [...this.base].map(([id, record]) => [id, this.own.get(id) ?? record] as const)
    return [...known, ...[...this.own].filter(([id]) => !this.base.has(id))]
  }
}
