import type { Temporal } from 'temporal-polyfill'
import { dayNumber } from './day-number.ts'
import { unit } from './duration.ts'
import { Misread } from './read/misread.ts'
import { monthNumbers, pluralWeekdays, weekdayNumbers } from './read/names.ts'
import {
  type Found,
  type Parser,
  type Cursor,
  longest,
  named,
  peek,
  skip,
  take,
  textBetween,
} from './read/cursor.ts'
import { relation } from './read/relation.ts'
import { type Span, currentSpan, span } from './read/span.ts'

/**
 * A day by its number in an unnamed month: `the 27th` (the next one, today included), `the 5th of
 * next month`, `next month on the 5th`, `Tuesday the 19th` (of this month if it fits, even if past;
 * otherwise of the next month in which it fits), `next Friday the 13th`.
 * @throws Misread if the month has no such day
 */
export const dayOfMonth: Parser<Temporal.PlainDate> = longest(coming, onWeekday, ofMonth, inMonth)

function coming(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const day = loneDay(cursor)
  const value = day && find(cursor.today, day.value, (date) => cursor.today.until(date).sign >= 0)
  return value && { value, rest: day.rest }
}

function onWeekday(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const which = relation(cursor)
  const weekday = which?.value === 'this' ? undefined : named(weekdayNumbers)(which?.rest ?? cursor)
  const day = weekday && (loneDay(weekday.rest) ?? bareNumber(weekday.rest))
  if (!day) return undefined
  const direction = which?.value === 'last' ? -1 : 1
  const fits = (date: Temporal.PlainDate): boolean =>
    date.dayOfWeek === weekday.value && (!which || cursor.today.until(date).sign === direction)
  const value = find(cursor.today, day.value, fits, direction)
  return value && { value, rest: day.rest }
}

function ofMonth(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const day = dayNumber(skip(cursor, 'the'))
  const of = day && take(day.rest, 'of', 'in')
  const month = of && (span(of) ?? currentSpan(of))
  return month && within(cursor, month, day.value)
}

function inMonth(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const month = span(cursor)
  const day = month && dayNumber(skip(month.rest, 'on the', 'on', 'the'))
  return day && within(cursor, { value: month.value, rest: day.rest }, day.value)
}

function within(
  cursor: Cursor,
  { value: { unit, first, last }, rest }: Found<Span>,
  day: number,
): Found<Temporal.PlainDate> | undefined {
  if (unit !== 'month') return undefined
  if (day > last.day) throw new Misread(`"${textBetween(cursor, rest)}" does not exist`)
  return { value: first.with({ day }), rest }
}

/** An ordinal, or a number after `the` or `on`, that is not a quantity. */
function loneDay(cursor: Cursor): Found<number> | undefined {
  const marked = take(cursor, 'on the', 'for the', 'the', 'on')
  const day = dayNumber(marked ?? cursor)
  if (!day || (!marked && peek(cursor)?.type !== 'ordinal')) return undefined
  const next = peek(day.rest)
  const isQuantity = unit(day.rest) ?? COUNTED.has(next?.text ?? '')
  return isQuantity || (next && next.type !== 'word') ? undefined : day
}

/** `Monday 21`: a number at the end or before a word that it cannot count. */
function bareNumber(cursor: Cursor): Found<number> | undefined {
  const day = peek(cursor)?.type === 'number' ? dayNumber(cursor) : undefined
  const next = day && peek(day.rest)
  return next && !PLAIN.has(next.text) ? undefined : day
}

const PLAIN = new Set(['at', 'for', 'with', 'and', 'please'])

/** Words that a preceding number or ordinal belongs to. */
const COUNTED = new Set([
  'of',
  'last',
  'to',
  ...monthNumbers.keys(),
  ...weekdayNumbers.keys(),
  ...pluralWeekdays.keys(),
])

/** The 31st may fall on a given weekday only after some years. */
const HORIZON_MONTHS = 120

/**
 * The first matching date with this day number, going forward or back from the month of `today`.
 */
function find(
  today: Temporal.PlainDate,
  day: number,
  fits: (date: Temporal.PlainDate) => boolean,
  direction: 1 | -1 = 1,
): Temporal.PlainDate | undefined {
  for (let ahead = 0; ahead < HORIZON_MONTHS; ahead += 1) {
    const month = today.with({ day: 1 }).add({ months: ahead * direction })
    const date = month.with({ day })
    if (date.day === day && fits(date)) return date
  }
  return undefined
}
