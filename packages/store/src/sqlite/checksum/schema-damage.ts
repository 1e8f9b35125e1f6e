import type { DatabaseSync } from 'node:sqlite'
import { Database } from '../file/database.ts'
import type { Migration } from '../file/schema.ts'

/** The statements that create files of one kind. */
export interface Made {
  readonly migrations: readonly Migration[]
  /** `PRAGMA application_id` */
  readonly mark: number
}

const OF_ALL = `select type, name, tbl_name as "table", sql from sqlite_schema
  where name not glob 'sqlite_*' order by rowid`

/**
 * Tables, indexes and triggers that differ from those of a new file of this version. SQLite parses
 * some of their text only on use, so a file may look intact to it although no command can write to
 * it. The file's content is not quoted: it may hold anything.
 */
export async function schemaDamage(
  db: DatabaseSync,
  version: number,
  { migrations, mark }: Made,
): Promise<readonly string[]> {
  const fresh = await Database.open(':memory:', migrations.slice(0, Math.max(0, version)), mark)
  try {
    const made = rowsOf(fresh.connection)
    const found = new Map(rowsOf(db).map((row) => [row.name, row.text]))
    const damage = made
      .filter(({ name, text }) => found.get(name) !== text)
      .map(({ type, name }) => `the ${type} ${name}, which differs from the schema`)
    const known = new Set(made.map(({ name }) => name))
    const others = [...found.keys()].filter((name) => !known.has(name)).length
    if (others === 0) return damage
    return [...damage, `its schema, which holds ${others} more than Echelon made`]
  } finally {
    fresh.close()
  }
}

const rowsOf = (db: DatabaseSync): { type: string; name: string; text: string }[] =>
  db
    .prepare(OF_ALL)
    .all()
    .map((row) => ({
      type: String(row['type']),
      name: String(row['name']),
      text: JSON.stringify(row),
    }))
