import type { Temporal } from 'temporal-polyfill'
import type { Token } from './token.ts'

/** A parser's position in a question, with the date of today. */
export interface Cursor {
  readonly tokens: readonly Token[]
  readonly index: number
  readonly today: Temporal.PlainDate
}

/** A parsed value and the position after it. */
export interface Found<Value> {
  readonly value: Value
  readonly rest: Cursor
}

/** Parses at a position; nothing if it does not match. */
export type Parser<Value> = (cursor: Cursor) => Found<Value> | undefined

/** The token `ahead` tokens further. */
export const peek = (cursor: Cursor, ahead = 0): Token | undefined =>
  cursor.tokens[cursor.index + ahead]

/** The position `count` tokens further. */
export const advance = (cursor: Cursor, count = 1): Cursor => ({
  ...cursor,
  index: cursor.index + count,
})

/** The position after the first phrase that matches here. A phrase is words with single spaces. */
export function take(cursor: Cursor, ...phrases: readonly string[]): Cursor | undefined {
  for (const phrase of phrases) {
    const words = phrase.split(' ')
    if (words.every((word, ahead) => peek(cursor, ahead)?.text === word)) {
      return advance(cursor, words.length)
    }
  }
  return undefined
}

/** The position after one of these phrases if it matches here, otherwise the same position. */
export const skip = (cursor: Cursor, ...phrases: readonly string[]): Cursor =>
  take(cursor, ...phrases) ?? cursor

/** The position after all of these words that follow. */
export function skipAll(cursor: Cursor, words: ReadonlySet<string>): Cursor {
  let rest = cursor
  while (words.has(peek(rest)?.text ?? '')) rest = advance(rest)
  return rest
}

/** Parses one word of a table. */
export const named =
  <Value>(table: ReadonlyMap<string, Value>): Parser<Value> =>
  (cursor) => {
    const value = table.get(peek(cursor)?.text ?? '')
    return value === undefined ? undefined : { value, rest: advance(cursor) }
  }

/** Tries all parsers and keeps the longest match; the first one on a tie. */
export const longest =
  <Value>(...parsers: readonly Parser<Value>[]): Parser<Value> =>
  (cursor) => {
    let best: Found<Value> | undefined
    for (const parse of parsers) {
      const found = parse(cursor)
      if (found && found.rest.index > (best?.rest.index ?? cursor.index)) best = found
    }
    return best
  }

/** The text between two positions. */
export const textBetween = (from: Cursor, to: Cursor): string =>
  from.tokens
    .slice(from.index, to.index)
    .map((token) => token.text)
    .join(' ')
