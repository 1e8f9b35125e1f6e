import type { Temporal } from 'temporal-polyfill'
import { Misread } from './misread.ts'
import { weekdayNumbers } from './names.ts'
import { type Parser, type Cursor, peek, skip, take, textBetween } from './cursor.ts'
import { type Yearly, lastBefore, onOrAfter } from '../yearly.ts'
import { yearlyDay } from '../yearly-day.ts'

/** Two days. */
export interface Pair {
  readonly first: Temporal.PlainDate
  readonly second: Temporal.PlainDate
}

/** A date, or a yearly day without a year, which the other end may determine. */
export type End = { readonly date: Temporal.PlainDate } | { readonly yearly: Yearly }

type DateParser = Parser<Temporal.PlainDate>

/**
 * `between March 3 and May 5, 2026`, `from today to Christmas`. A day without a year is the one
 * nearest to the other day. If both lack a year, the first is the next one, today included.
 * @throws Misread if `from` runs backwards, or if the distance of two days without a year depends
 * on the year
 */
export const pairOf =
  (date: DateParser, words: readonly string[] = BETWEEN): Parser<Pair> =>
  (cursor) => {
    const between = take(cursor, ...words)
    const start = between ?? take(cursor, 'from')
    const first = start && endOf(date)(start)
    const joint =
      first && take(first.rest, ...(between ? ['and'] : ['to', 'until', 'till', 'up to']))
    if (!joint || isIncomplete(start, first.rest)) return undefined
    const second = endOf(date)(joint)
    if (!second) return undefined
    const value = paired(first.value, second.value, cursor.today)
    if (between || value.first.until(value.second).sign >= 0) return { value, rest: second.rest }
    throw new Misread(`"${textBetween(cursor, second.rest)}" leads back in time`)
  }

const BETWEEN = ['between', 'separate', 'separates']

/** One end of a pair. */
export const endOf =
  (date: DateParser): Parser<End> =>
  (cursor) => {
    const found = date(cursor)
    const bare = yearlyDay(skip(cursor, 'the'))
    const isOpen = bare?.rest.index === found?.rest.index && bare?.value.year === undefined
    if (!found) return undefined
    return { value: bare && isOpen ? bare.value : { date: found.value }, rest: found.rest }
  }

/** Resolves two days, each of which may determine the year of the other. */
export function paired(first: End, second: End, today: Temporal.PlainDate): Pair {
  if ('date' in first) return { first: first.date, second: coming(second, first.date) }
  if ('date' in second) return { first: latest(first, second.date), second: second.date }
  const pairs = COMING_YEARS.map((years) => {
    const start = coming(first, today.add({ years }))
    return { first: start, second: coming(second, start) }
  })
  const [pair, ...others] = pairs
  if (!pair || others.some((other) => lengthOf(other) !== lengthOf(pair))) {
    throw new Misread('the number of days depends on the year; add the year')
  }
  return pair
}

/** These include a leap year, except around a century. */
const COMING_YEARS = [0, 1, 2, 3, 4]

const lengthOf = ({ first, second }: Pair): number => first.until(second).days

/** The date itself, or the first occurrence on or after another day. */
export const coming = (end: End, from: Temporal.PlainDate): Temporal.PlainDate =>
  'date' in end ? end.date : found(onOrAfter(end.yearly, from))

/** The date itself, or the last occurrence on or before another day. */
export const latest = (end: End, before: Temporal.PlainDate): Temporal.PlainDate =>
  'date' in end ? end.date : found(lastBefore(end.yearly, before.add({ days: 1 })))

function found(date: Temporal.PlainDate | undefined): Temporal.PlainDate {
  if (date === undefined) throw new Misread('there is no such day near that year')
  return date
}

/**
 * Whether an end alone may be incomplete: `the 1st and the 5th of May`, `Monday and Friday next
 * week`.
 */
function isIncomplete(from: Cursor, to: Cursor): boolean {
  const start = skip(from, 'the', 'on the', 'on')
  const token = peek(start)
  const isShort = to.index === start.index + 1
  return isShort && (token?.type === 'ordinal' || token?.type === 'number' || isWeekday(start))
}

const isWeekday = (cursor: Cursor): boolean => weekdayNumbers.has(peek(cursor)?.text ?? '')
