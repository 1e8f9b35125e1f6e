import { isJsonArray, isJsonObject, type Json } from '../core/value/json.ts'

/** A secret shorter than this shows nothing of itself. */
const LONG = 20

/** The same of every text within, so that names show and values do not. */
export function maskedWithin(value: Json): Json {
  if (typeof value === 'string') return mask(value)
  if (isJsonArray(value)) return value.map(maskedWithin)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskedWithin(one)]))
}

/**
 * A secret as it may be shown: whether it is one of those that begin with `sk-`, and the last two
 * characters of a long one, enough to tell two keys apart.
 */
export function mask(secret: string): string {
  const kind = secret.startsWith('sk-') ? 'sk-' : ''
  return `${kind}…${secret.length < LONG ? '' : secret.slice(-2)}`
}
