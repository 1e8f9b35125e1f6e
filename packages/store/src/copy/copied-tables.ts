import type { Schema } from '../schema/tables.ts'
import type { SummedTable } from '../sqlite/checksum/row-sum.ts'
import { SUMMED } from '../sqlite/checksum/summed-tables.ts'
import { SUMMED_KNOWLEDGE } from '../sqlite/knowledge/knowledge-schema.ts'

/** A part that is copied as a whole. A file holds one of the two; a database may hold both. */
export type CopiedPart = 'store' | 'knowledge'

/** A table that is copied. Leases are not copied: no process holds one in the new place. */
export type CopiedTable = Exclude<keyof Schema, 'leases'> | keyof typeof SUMMED_KNOWLEDGE

const TABLES: Readonly<Record<CopiedTable, SummedTable>> = (() => {
  const { leases: _, ...store } = SUMMED
  return { ...store, ...SUMMED_KNOWLEDGE }
})()

const isCopied = (name: string): name is CopiedTable => Object.hasOwn(TABLES, name)

/** The tables of a part, in the order in which they are written. Derived tables are not among them. */
export const tablesOf = (part: CopiedPart): readonly CopiedTable[] =>
  Object.keys(part === 'store' ? SUMMED : SUMMED_KNOWLEDGE).filter(isCopied)

export const summedTable = (table: CopiedTable): SummedTable => TABLES[table]

/** The columns that both databases have, in one order. */
export const columnsOf = (table: CopiedTable): readonly string[] => TABLES[table].columns

export type CopiedValue = string | number | null | Uint8Array

/** The values of a row, in the order of its columns. */
export type CopiedRow = readonly CopiedValue[]

/** A value as both databases hold it. */
export function copiedValue(value: unknown): CopiedValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (value instanceof Uint8Array) return value
  throw new TypeError(`a store holds no ${typeof value}`)
}

/** The values of a row by the names of their columns. */
export const named = (
  table: CopiedTable,
  row: CopiedRow,
): Readonly<Record<string, CopiedValue | undefined>> =>
  Object.fromEntries(columnsOf(table).map((column, nth) => [column, row[nth]]))
