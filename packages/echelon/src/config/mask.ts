import { isJsonArray, isJsonObject, type Json } from '../core/value/json.ts'

/** A shorter secret is masked completely. */
const LONG = 20

/** Masks every text within, so that names show and values do not. */
export function maskedWithin(value: Json): Json {
  if (typeof value === 'string') return mask(value)
  if (isJsonArray(value)) return value.map(maskedWithin)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskedWithin(one)]))
}

/**
 * A secret for display: the `sk-` prefix if it has one, and the last two characters of a long one,
 * enough to tell two keys apart.
 */
export function mask(secret: string): string {
  const kind = secret.startsWith('sk-') ? 'sk-' : ''
  return `${kind}…${secret.length < LONG ? '' : secret.slice(-2)}`
}
