import type { JsonObject } from 'echelon/runtime'

/** A field of a record as text; empty if it holds none. */
export function textField(record: JsonObject | null | undefined, field: string): string {
  const value = record?.[field]
  return typeof value === 'string' ? value : ''
}
