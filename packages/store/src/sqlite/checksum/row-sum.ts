import { crc32 } from 'node:zlib'
import type { DatabaseSync } from 'node:sqlite'
import { EchelonError } from 'echelon/internal/value'

/** A table whose rows hold a checksum. */
export interface SummedTable {
  /** All of its columns but the checksum. What may be long comes last: it is copied least. */
  readonly columns: readonly string[]
  /** What tells a row from the others for a person: one or two columns. */
  readonly keys: readonly [string, string?]
  /** Names a row by its keys, without anything of what it holds. */
  readonly name: (first: string, second: string) => string
  /** Whether an update leaves columns as they are, which it must not sum up anew unseen. */
  readonly isKept?: true
}

/**
 * The checksum of a row as SQL: of the table's name and, of each column, its type, its length and its
 * bytes. So it finds flipped bits, a value of another type, and what belongs to another row.
 *
 * A generated column holds it: SQLite makes it whenever it writes the row, whoever wrote the statement,
 * and stores it, so that reading compares instead of making it again.
 */
function sumOf(table: string, { columns }: SummedTable, row = ''): string {
  const parts = columns.map(
    (name) => `typeof(${row}${name}), octet_length(${row}${name}), ${row}${name}`,
  )
  return `row_sum(cast(concat_ws(' ', '${table}', ${parts.join(', ')}) as blob))`
}

/** The column that `create table` adds. */
export const sumColumn = (table: string, summed: SummedTable): string =>
  `"sum" integer not null generated always as (${sumOf(table, summed)}) stored`

/** SQL: whether a row is as it was written, 1 or 0. */
export const isWhole = (table: string, summed: SummedTable): string =>
  `(${table}.sum is ${sumOf(table, summed, `${table}.`)})`

/** SQL: 1, or an error that names the row. */
export function assertWhole(table: string, summed: SummedTable): string {
  const [first, second = first] = summed.keys
  const row = `'${table}', ${table}.${first}, ${table}.${second}`
  return `iif(${isWhole(table, summed)}, 1, damaged_row(${row}))`
}

/**
 * A row that was damaged is not summed up anew by an update of some of its columns: it would be taken
 * for whole.
 */
export const keptWhole = (table: string, summed: SummedTable): string =>
  `create trigger ${table}_whole before update on ${table}
     when not (old.sum is ${sumOf(table, summed, 'old.')})
     begin select damaged_row('${table}', ${summed.keys.map((key) => `old.${key}`).join(', ')}${summed.keys.length === 1 ? ', null' : ''}); end`

/** Gives a connection what the SQL above calls; other programs can read the file without. */
export function addSums(
  db: DatabaseSync,
  path: string,
  tables: Readonly<Record<string, SummedTable>>,
): void {
  db.function('row_sum', { deterministic: true }, (bytes) =>
    bytes instanceof Uint8Array ? crc32(bytes) : null,
  )
  db.function('damaged_row', { useBigIntArguments: true }, (table, first, second) => {
    const named = tables[String(table)]
    throw damaged(path, named?.name(shown(first), shown(second)) ?? `a row of ${shown(table)}`)
  })
}

/** @param what what is damaged, named without anything that it holds */
export const damaged = (path: string, what: string): EchelonError =>
  new EchelonError(
    'STORE_DAMAGED',
    `${what} is damaged in ${path} and was not used; the rest is as it was: put back a backup to have it again`,
    { details: { damaged: what } },
  )

const LONGEST_NAME = 80

/** Keys may be damaged as well, and are no text then that a terminal should obey. */
export const shown = (key: unknown): string =>
  (key instanceof Uint8Array ? 'of no text' : String(key))
    .slice(0, LONGEST_NAME)
    .replaceAll(/\p{C}/gu, '\u{fffd}')
