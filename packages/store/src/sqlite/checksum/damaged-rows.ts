import type { DatabaseSync } from 'node:sqlite'
import { isWhole, shown, type SummedTable } from './row-sum.ts'
import type { Schema } from '../../schema/tables.ts'
import { SUMMED, wholeIn } from './summed-tables.ts'

/** The first version whose rows hold checksums. */
const FIRST_SUMMED = 2

/** SQL: whether a row is intact, as far as a file of that version can tell. */
export const wholeAt = (version: number, table: keyof Schema): string =>
  version < FIRST_SUMMED ? '1' : wholeIn(table)

/** Rows named for each table. */
const MOST_NAMED = 100

type Tables = Readonly<Record<string, SummedTable>>

/** Damage that no single row shows: other rows are missing. */
type BetweenRows = readonly (readonly [sql: string, name: (id: string) => string])[]

/**
 * Names the damaged rows, each once, without any of their content.
 * @param tables default: those of a store
 */
export function namesOfDamaged(
  db: DatabaseSync,
  version: number,
  { tables = SUMMED, between = BETWEEN_ROWS }: { tables?: Tables; between?: BetweenRows } = {},
): readonly string[] {
  const names = new Set<string>()
  for (const name of allOf(db, version, tables, between)) {
    if (names.size === MOST_NAMED) break
    names.add(name)
  }
  return [...names]
}

function* allOf(
  db: DatabaseSync,
  version: number,
  tables: Tables,
  between: BetweenRows,
): Generator<string> {
  for (const [table, summed] of Object.entries(tables)) yield* rowsOf(db, version, table, summed)
  for (const [sql, name] of between) {
    for (const { id } of db.prepare(sql).iterate()) yield name(shown(id))
  }
}

function* rowsOf(
  db: DatabaseSync,
  version: number,
  table: string,
  summed: SummedTable,
): Generator<string> {
  const { columns, keys, name } = summed
  const [first, second = first] = keys
  const json = columns.filter((column) => column.endsWith('_json'))
  const whole = version < FIRST_SUMMED ? '1' : isWhole(table, summed)
  const conditions = [whole, ...json.map(isJson)]
  const rows = db.prepare(
    `select ${first} as first, ${second} as second from ${table}
     where not (${conditions.join(' and ')})`,
  )
  rows.setReadBigInts(true)
  for (const row of rows.iterate()) yield name(shown(row['first']), shown(row['second']))
}

/** A conversation that was only marked has no states yet: an empty text. */
const isJson = (column: string): string =>
  `(${column} is null or ${column} = '' or json_valid(${column}))`

const BETWEEN_ROWS: BetweenRows = [
  [
    'select run as id from journal group by run having count(*) <> max(n) - min(n) + 1',
    (run) => `the journal of the run ${run}, of which rows are gone`,
  ],
  [
    'select distinct run as id from journal where run not in (select id from runs)',
    (run) => `the run ${run}, whose own row is gone`,
  ],
  [
    'select id from runs where id not in (select run from journal)',
    (run) => `the run ${run}, whose journal is gone`,
  ],
  [
    'select session as id from messages group by session having count(*) <> max(n) + 1',
    (session) => `the conversation ${session}, of which messages are gone`,
  ],
]
