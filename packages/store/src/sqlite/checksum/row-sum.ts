import { crc32 } from 'node:zlib'
import type { DatabaseSync } from 'node:sqlite'
import { EchelonError } from 'echelon/internal/value'

/** A table whose rows hold a checksum. */
export interface SummedTable {
  /** All columns but the checksum. Long ones come last: they are copied least. */
  readonly columns: readonly string[]
  /** One or two columns that identify a row to a person. */
  readonly keys: readonly [string, string?]
  /** Names a row by its keys, without any of its content. */
  readonly name: (first: string, second: string) => string
  /** Whether updates leave some columns unchanged. Such an update must not hide damage in them. */
  readonly guardsUpdates?: true
}

/**
 * The checksum of a row as SQL: over the table's name and each column's type, length and bytes. It
 * finds flipped bits, values of another type, and parts of other rows.
 *
 * It is in a stored generated column: SQLite computes it on every write of the row, whatever the
 * statement, and a read only compares.
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

/** SQL: whether a row matches its checksum, 1 or 0. */
export const isWhole = (table: string, summed: SummedTable): string =>
  `(${table}.sum is ${sumOf(table, summed, `${table}.`)})`

/** SQL: 1, or an error that names the row. */
export function assertWhole(table: string, summed: SummedTable): string {
  const [first, second = first] = summed.keys
  const row = `'${table}', ${table}.${first}, ${table}.${second}`
  return `iif(${isWhole(table, summed)}, 1, damaged_row(${row}))`
}

/**
 * Trigger that stops an update of some columns of a damaged row: the new checksum would hide the
 * damage.
 */
export const updateGuard = (table: string, summed: SummedTable): string =>
  `create trigger ${table}_whole before update on ${table}
     when not (old.sum is ${sumOf(table, summed, 'old.')})
     begin select damaged_row('${table}', ${summed.keys.map((key) => `old.${key}`).join(', ')}${summed.keys.length === 1 ? ', null' : ''}); end`

/**
 * Gives a connection the functions that the SQL above calls. Other programs can read the file
 * without them.
 */
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

/** @param what names what is damaged, without any of its content */
export const damaged = (path: string, what: string): EchelonError =>
  new EchelonError(
    'STORE_DAMAGED',
    `${what} is damaged in ${path} and was not used; the rest is intact: restore a backup to get it back`,
    { details: { damaged: what } },
  )

const LONGEST_NAME = 80

/** Keys may be damaged too; escape them for the terminal. */
export const shown = (key: unknown): string =>
  (key instanceof Uint8Array ? 'of no text' : String(key))
    .slice(0, LONGEST_NAME)
    .replaceAll(/\p{C}/gu, '\u{fffd}')
