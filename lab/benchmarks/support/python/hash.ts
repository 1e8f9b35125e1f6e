import { createHash } from 'node:crypto'
import { sortedPairs } from './json.ts'
import { repr, textRepr } from './text.ts'
import { isDict, type PyValue } from './value.ts'

/** `str()` of a value of which each dict is a tuple of sorted pairs, and each list a tuple. */
export function tupleText(value: PyValue): string {
  if (Array.isArray(value)) return tuple(value.map(tupleText))
  return isDict(value)
    ? pairsText(sortedPairs(value).map(([k, v]) => [k, tupleText(v)]))
    : repr(value)
}

/** The tuple of pairs whose values are printed already. */
export const pairsText = (pairs: readonly (readonly [string, string])[]): string =>
  tuple(pairs.map(([key, text]) => `(${textRepr(key)}, ${text})`))

const tuple = (items: readonly string[]): string =>
  items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`

export const sha256 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex')
