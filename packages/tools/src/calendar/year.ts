import { monthNumbers } from './read/names.ts'
import {
  type Found,
  type Parser,
  type Place,
  advance,
  longest,
  peek,
  skip,
  skipAll,
} from './read/place.ts'
import { relation } from './read/relation.ts'
import { unit } from './duration.ts'

/** What may stand between a day and its year: `does Christmas fall on in 2027`. */
const VERBS = new Set(
  'fall falls fell land lands be is was will celebrated observed held occur occurs on'.split(' '),
)

/** The year that belongs to the day before it: `2025`, `of next year`, `falls on in 2027`. */
export const yearBehind: Parser<number> = longest(shortYear, (place) =>
  year(skip(skipAll(place, VERBS), 'of', 'in', '-', '/')),
)

/** A year in four digits, in words, as `'25`, or by its relation to this one. */
export function year(place: Place): Found<number> | undefined {
  const start = skip(place, 'the year', 'year')
  return longest(fullYear, spelledPair, relativeYear)(start)
}

function fullYear(place: Place): Found<number> | undefined {
  const token = peek(place)
  if (token?.type !== 'number') return undefined
  const { text, value, spelled } = token
  const rest = advance(place)
  if (text.startsWith("'")) return { value: century(value), rest }
  const plausible = spelled ? value >= 1000 && value < 10_000 : /^[1-9]\d{3}$/u.test(text)
  // Behind a year `weekday` is what is asked; only more than one are counted.
  const isAmount = unit(rest) !== undefined && peek(rest)?.text !== 'weekday'
  return plausible && !isAmount ? { value, rest } : undefined
}

/** `nineteen eighty four`, `nineteen zero one`. */
function spelledPair(place: Place): Found<number> | undefined {
  const [first, second] = [peek(place), peek(place, 1)]
  if (first?.type !== 'number' || second?.type !== 'number') return undefined
  const twoDigits = second.value >= 10 || second.text.startsWith('zero ')
  const pair = first.spelled && second.spelled && first.value >= 10 && twoDigits
  const rest = advance(place, 2)
  if (!pair || first.value > 99 || second.value > 99 || unit(rest)) return undefined
  return { value: first.value * 100 + second.value, rest }
}

function relativeYear(place: Place): Found<number> | undefined {
  const which = relation(place)
  if (!which || peek(which.rest)?.text !== 'year') return undefined
  const change = { this: 0, next: 1, coming: 1, last: -1 }[which.value]
  return { value: place.today.year + change, rest: advance(which.rest) }
}

/** Two digits behind a month, as in `14 April 15`. */
function shortYear(place: Place): Found<number> | undefined {
  const token = peek(place)
  const behindMonth = monthNumbers.has(peek(place, -1)?.text ?? '')
  if (!behindMonth || token?.type !== 'number' || !/^\d\d$/u.test(token.text)) return undefined
  const rest = advance(place)
  return unit(rest) ? undefined : { value: century(token.value), rest }
}

/** The century of a year in two digits: 69 to 99 are of the 20th, as `%y` of POSIX `strptime`. */
export const century = (year: number): number => year + (year < 69 ? 2000 : 1900)
