import type { Schema } from '../schema/tables.ts'
import { SUMMED } from '../sqlite/checksum/summed-tables.ts'

/** A table that is copied. Leases are not: nobody holds one in a new place. */
export type CopiedTable = Exclude<keyof Schema, 'leases'>

const isCopied = (name: string): name is CopiedTable =>
  Object.hasOwn(SUMMED, name) && name !== 'leases'

export const COPIED_TABLES: readonly CopiedTable[] = Object.keys(SUMMED).filter(isCopied)

/** The columns that both databases have, in one order. */
export const columnsOf = (table: CopiedTable): readonly string[] => SUMMED[table].columns

/** The values of a row, in the order of its columns. */
export type CopiedRow = readonly (string | number | null)[]

/** A value as both databases hold it. */
export function copiedValue(value: unknown): string | number | null {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`a store holds no ${typeof value}`)
}
