import { Ambiguous } from './read/misread.ts'
import { monthNumbers } from './read/names.ts'
import {
  type Found,
  type Parser,
  type Cursor,
  advance,
  longest,
  peek,
  skip,
  skipAll,
  take,
} from './read/cursor.ts'
import { relation } from './read/relation.ts'
import { unit } from './duration.ts'

/** Words that may stand between a day and its year: `does Christmas fall on in 2027`. */
const VERBS = new Set(
  'fall falls fell land lands be is was will celebrated observed held occur occurs on'.split(' '),
)

/** The year that follows a day: `2025`, `of next year`, `falls on in 2027`. */
export const yearAfterDay: Parser<number> = longest(shortYear, shortYearOf, (cursor) =>
  year(skip(skipAll(cursor, VERBS), 'of', 'in', '-', '/')),
)

/** A year in four digits, in words, as `'25`, or relative to this year. */
export function year(cursor: Cursor): Found<number> | undefined {
  const start = skip(cursor, 'the year', 'year')
  return longest(fullYear, spelledPair, relativeYear)(start)
}

function fullYear(cursor: Cursor): Found<number> | undefined {
  const token = peek(cursor)
  if (token?.type !== 'number') return undefined
  const { text, value, spelled } = token
  const rest = advance(cursor)
  if (text.startsWith("'")) return { value: expandYear(cursor, value), rest }
  const plausible = spelled ? value >= 1000 && value < 10_000 : /^[1-9]\d{3}$/u.test(text)
  // After a year, `weekday` is what the question asks for; only a plural is counted.
  const isAmount = unit(rest) !== undefined && peek(rest)?.text !== 'weekday'
  return plausible && !isAmount ? { value, rest } : undefined
}

/** `nineteen eighty four`, `nineteen zero one`. */
function spelledPair(cursor: Cursor): Found<number> | undefined {
  const [first, second] = [peek(cursor), peek(cursor, 1)]
  if (first?.type !== 'number' || second?.type !== 'number') return undefined
  const twoDigits = second.value >= 10 || second.text.startsWith('zero ')
  const pair = first.spelled && second.spelled && first.value >= 10 && twoDigits
  const rest = advance(cursor, 2)
  if (!pair || first.value > 99 || second.value > 99 || unit(rest)) return undefined
  return { value: first.value * 100 + second.value, rest }
}

function relativeYear(cursor: Cursor): Found<number> | undefined {
  const which = relation(cursor)
  if (!which || peek(which.rest)?.text !== 'year') return undefined
  const change = { this: 0, next: 1, coming: 1, last: -1 }[which.value]
  return { value: cursor.today.year + change, rest: advance(which.rest) }
}

/** Two digits after a month, as in `14 April 15`. */
function shortYear(cursor: Cursor): Found<number> | undefined {
  const token = peek(cursor)
  const behindMonth = monthNumbers.has(peek(cursor, -1)?.text ?? '')
  if (!behindMonth || token?.type !== 'number' || !/^\d\d$/u.test(token.text)) return undefined
  const rest = advance(cursor)
  return unit(rest) ? undefined : { value: expandYear(cursor, token.value), rest }
}

/** `of 87` after a month. */
function shortYearOf(cursor: Cursor): Found<number> | undefined {
  const isAfterMonth = monthNumbers.has(peek(cursor, -1)?.text ?? '')
  const start = isAfterMonth ? take(cursor, 'of', 'in') : undefined
  const token = start && peek(start)
  if (!start || token?.type !== 'number' || !/^\d\d$/u.test(token.text)) return undefined
  const rest = advance(start)
  return unit(rest) ? undefined : { value: expandYear(cursor, token.value), rest }
}

/**
 * Expands a two-digit year: 69 to 99 are in the 20th century, as `%y` of POSIX `strptime`.
 * @throws Ambiguous for a year more than 20 years ahead, which others, such as Java, read as past
 */
export function expandYear({ today }: Cursor, year: number): number {
  if (year >= 69) return year + 1900
  const coming = year + 2000
  if (coming <= today.year + 20) return coming
  throw new Ambiguous(`the year ${year} can be ${year + 1900} or ${coming}; write all four digits`)
}
