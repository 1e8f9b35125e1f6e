import { digestText } from '../../core/value/digest.ts'
import { isRecord } from '../../core/value/json.ts'

/** Rows by name in a state: so few of them, under so short names, that the state stays small. */
export type Table<Row> = Readonly<Record<string, Row>>

/** The most rows of a table: with 64 letters a name and 60 a row, 4 KB hold them. */
const MOST_ROWS = 30

/** The most of those that stay: with 64 letters a name and 8 a row, 4 KB hold them too. */
const MOST_STAYING = 50

const SHORT = /^[\w.:/@+-]{1,64}$/

/**
 * What a row is called: its name, or the digest of a long or odd one. A number has a # before it, since
 * an object lists numbers first, and rows are to be in the order in which they changed.
 */
export function rowName(name: string): string {
  if (!SHORT.test(name)) return `#${digestText(name).toString(36)}`
  return /^\d+$/.test(name) ? `#${name}` : name
}

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

/** The same, with room for so many rows and no more. */
export function withLast<Row>(table: Table<Row>, name: string, row: Row, most: number): Table<Row> {
  const rows = [...Object.entries(withoutRow(table, name)), [rowName(name), row] as const]
  return Object.fromEntries(rows.slice(-most))
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
