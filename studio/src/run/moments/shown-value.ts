import type { Json } from 'echelon/client'

/** A value in a line: a text as it is, anything else as JSON. */
export const shownValue = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null)
