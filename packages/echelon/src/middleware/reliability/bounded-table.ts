import { digestText } from '../../core/value/digest.ts'
import { isRecord } from '../../core/value/json.ts'

/** Rows by name in a state, limited in number and name length so that the state stays small. */
export type Table<Row> = Readonly<Record<string, Row>>

/** Maximum number of rows: with names of 64 characters and 60 per row they fit in 4 KB. */
const MOST_ROWS = 30

/** Maximum number of rows that must stay: with names of 64 characters and 8 per row they also fit in 4 KB. */
const MOST_STAYING = 50

const SHORT = /^[\w.:/@+-]{1,64}$/

/**
 * The key of a row: its name, or the digest of a long or unusual one. A number is prefixed by #, since an
 * object lists numbers first and rows must stay in the order of their changes.
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
 * Adds or changes a row, and drops the least recently changed one of a full table.
 * @param stays rows that must not be dropped for others, up to fifty
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

/** The same, with a custom maximum of rows. */
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
