import type { Temporal } from 'temporal-polyfill'
import { Misread } from './misread.ts'
import { weekdayNumbers } from './names.ts'
import { type Parser, type Place, peek, skip, take, textBetween } from './place.ts'
import { type Yearly, lastBefore, onOrAfter } from '../yearly.ts'
import { yearlyDay } from '../yearly-day.ts'

/** Two days. */
export interface Pair {
  readonly first: Temporal.PlainDate
  readonly second: Temporal.PlainDate
}

/** A day, or one of every year where none is said, which what stands beside it may tell. */
export type End = { readonly date: Temporal.PlainDate } | { readonly yearly: Yearly }

type DateParser = Parser<Temporal.PlainDate>

/**
 * `between March 3 and May 5, 2026`, `from today to Christmas`. A day without a year is the one
 * nearest to the other day; of two such the first is the coming one, today included.
 * @throws Misread if `from` leads backwards, or if without a year the days differ by the year
 */
export const pairOf =
  (date: DateParser, words: readonly string[] = BETWEEN): Parser<Pair> =>
  (place) => {
    const between = take(place, ...words)
    const start = between ?? take(place, 'from')
    const first = start && endOf(date)(start)
    const joint =
      first && take(first.rest, ...(between ? ['and'] : ['to', 'until', 'till', 'up to']))
    if (!joint || isLone(start, first.rest)) return undefined
    const second = endOf(date)(joint)
    if (!second) return undefined
    const value = paired(first.value, second.value, place.today)
    if (between || value.first.until(value.second).sign >= 0) return { value, rest: second.rest }
    throw new Misread(`"${textBetween(place, second.rest)}" leads back in time`)
  }

const BETWEEN = ['between', 'separate', 'separates']

/** One end of a pair. */
export const endOf =
  (date: DateParser): Parser<End> =>
  (place) => {
    const found = date(place)
    const bare = yearlyDay(skip(place, 'the'))
    const isOpen = bare?.rest.index === found?.rest.index && bare?.value.year === undefined
    if (!found) return undefined
    return { value: bare && isOpen ? bare.value : { date: found.value }, rest: found.rest }
  }

/** Two days of which the second may tell the year of the first, and the other way round. */
export function paired(first: End, second: End, today: Temporal.PlainDate): Pair {
  if ('date' in first) return { first: first.date, second: coming(second, first.date) }
  if ('date' in second) return { first: latest(first, second.date), second: second.date }
  const pairs = COMING_YEARS.map((years) => {
    const start = coming(first, today.add({ years }))
    return { first: start, second: coming(second, start) }
  })
  const [pair, ...others] = pairs
  if (!pair || others.some((other) => lengthOf(other) !== lengthOf(pair))) {
    throw new Misread('the number of days depends on the year; say which')
  }
  return pair
}

/** A leap year is among them, but around a century. */
const COMING_YEARS = [0, 1, 2, 3, 4]

const lengthOf = ({ first, second }: Pair): number => first.until(second).days

/** The day itself, or the first of its kind on or after another day. */
export const coming = (end: End, from: Temporal.PlainDate): Temporal.PlainDate =>
  'date' in end ? end.date : found(onOrAfter(end.yearly, from))

/** The day itself, or the last of its kind on or before another day. */
export const latest = (end: End, before: Temporal.PlainDate): Temporal.PlainDate =>
  'date' in end ? end.date : found(lastBefore(end.yearly, before.add({ days: 1 })))

function found(date: Temporal.PlainDate | undefined): Temporal.PlainDate {
  if (date === undefined) throw new Misread('there is no such day near that year')
  return date
}

/** `the 1st and the 5th of May`, `Monday and Friday next week`: what follows may say which one. */
function isLone(from: Place, to: Place): boolean {
  const start = skip(from, 'the', 'on the', 'on')
  const token = peek(start)
  const isShort = to.index === start.index + 1
  return isShort && (token?.type === 'ordinal' || token?.type === 'number' || isWeekday(start))
}

const isWeekday = (place: Place): boolean => weekdayNumbers.has(peek(place)?.text ?? '')
