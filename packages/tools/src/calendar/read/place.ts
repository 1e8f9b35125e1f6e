import type { Temporal } from 'temporal-polyfill'
import type { Token } from './token.ts'

/** Where a parser stands in a question, and on which day. */
export interface Place {
  readonly tokens: readonly Token[]
  readonly index: number
  readonly today: Temporal.PlainDate
}

/** What was read, and the place behind it. */
export interface Found<Value> {
  readonly value: Value
  readonly rest: Place
}

/** Reads at a place, or finds nothing there. */
export type Parser<Value> = (place: Place) => Found<Value> | undefined

/** The token `ahead` places on. */
export const peek = (place: Place, ahead = 0): Token | undefined =>
  place.tokens[place.index + ahead]

/** The place `count` tokens on. */
export const advance = (place: Place, count = 1): Place => ({
  ...place,
  index: place.index + count,
})

/** Behind the first of these phrases that stands here. A phrase is words with single spaces. */
export function take(place: Place, ...phrases: readonly string[]): Place | undefined {
  for (const phrase of phrases) {
    const words = phrase.split(' ')
    if (words.every((word, ahead) => peek(place, ahead)?.text === word)) {
      return advance(place, words.length)
    }
  }
  return undefined
}

/** Behind one of these phrases if it stands here, else here. */
export const skip = (place: Place, ...phrases: readonly string[]): Place =>
  take(place, ...phrases) ?? place

/** Behind as many of these words as stand here. */
export function skipAll(place: Place, words: ReadonlySet<string>): Place {
  let rest = place
  while (words.has(peek(rest)?.text ?? '')) rest = advance(rest)
  return rest
}

/** A parser for one word of a table. */
export const named =
  <Value>(table: ReadonlyMap<string, Value>): Parser<Value> =>
  (place) => {
    const value = table.get(peek(place)?.text ?? '')
    return value === undefined ? undefined : { value, rest: advance(place) }
  }

/** Tries all and keeps what reads farthest; of equals the first. */
export const longest =
  <Value>(...parsers: readonly Parser<Value>[]): Parser<Value> =>
  (place) => {
    let best: Found<Value> | undefined
    for (const parse of parsers) {
      const found = parse(place)
      if (found && found.rest.index > (best?.rest.index ?? place.index)) best = found
    }
    return best
  }

/** The tokens from one place to another, as text. */
export const textBetween = (from: Place, to: Place): string =>
  from.tokens
    .slice(from.index, to.index)
    .map((token) => token.text)
    .join(' ')
