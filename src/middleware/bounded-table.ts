import { digestText } from '../core/digest.ts'
import { isRecord } from '../core/json.ts'

/** Rows by name in a state: so few of them, under so short names, that the state stays small. */
export type Table<Row> = Readonly<Record<string, Row>>

/** The most rows of a table: with 64 letters a name and 60 a row, 4 KB hold them. */
const MOST_ROWS = 30

/** The most of those that stay: with 64 letters a name and 8 a row, 4 KB hold them too. */
const MOST_STAYING = 50

const SHORT = /^[\w.:/@+-]{1,64}$/

/** What a row is called for a tool or a model: its name, or the digest of a long or odd one. */
export const rowName = (name: string): string =>
  SHORT.test(name) ? name : `#${digestText(name).toString(36)}`

export function rowOf<Row>(table: Table<Row>, name: string): Row | undefined {
  const row = rowName(name)
  return Object.hasOwn(table, row) ? table[row] : undefined
}

/**
 * The table with a row more, or changed. The one that was not changed for longest makes room.
 * @param stays rows that make no room for others, up to fifty
 */
export function withRow<Row>(
  table: Table<Row>,
  name: string,
  row: Row,
  stays: (row: Row) => boolean = () => false,
): Table<Row> {
  const rows = [...Object.entries(withoutRow(table, name)), [rowName(name), row] as const]
  let surplus = rows.length - MOST_ROWS
  const left = rows.filter(([, one]) => surplus <= 0 || stays(one) || surplus-- <= 0)
  return Object.fromEntries(left.slice(-MOST_STAYING))
}

export function withoutRow<Row>(table: Table<Row>, name: string): Table<Row> {
  const gone = rowName(name)
  return Object.fromEntries(Object.entries(table).filter(([row]) => row !== gone))
}

export function isTable<Row>(
  value: unknown,
  isRow: (row: unknown) => row is Row,
): value is Table<Row> {
  return isRecord(value) && Object.values(value).every(isRow)
}

/** A counter in a state. */
export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0
