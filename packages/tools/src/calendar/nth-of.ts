import { Temporal } from 'temporal-polyfill'
import { dayNumber } from './day-number.ts'
import { shift, unit } from './duration.ts'
import { Misread } from './read/misread.ts'
import { monthNumbers, weekdayNumbers } from './read/names.ts'
import { nthWeekday } from './nth-weekday.ts'
import {
  type Found,
  type Cursor,
  advance,
  named,
  peek,
  skip,
  take,
  textBetween,
} from './read/cursor.ts'
import { type Span, around, currentSpan, span } from './read/span.ts'
import type { Yearly } from './yearly.ts'

/** Picks a day of a span; nothing if the span has no such day. */
type Pick = (span: Span) => Temporal.PlainDate | undefined

/** `the third Monday of January`, `the last day of February`, `the end of May`: in any year. */
export function nthOfMonth(cursor: Cursor): Found<Yearly> | undefined {
  const pick = parsePick(cursor)
  const month = pick && named(monthNumbers)(pick.rest)
  if (!month) return undefined
  const value: Yearly = (year) =>
    pick.value(around(Temporal.PlainDate.from({ year, month: month.value, day: 1 }), 'month'))
  return { value, rest: month.rest }
}

/**
 * The same for one span: `the first Friday of this month`, `the 100th day of 2024`.
 * @throws Misread if the span has no such day
 */
export function nthOfSpan(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const pick = parsePick(cursor)
  const found = pick && (span(pick.rest) ?? currentSpan(pick.rest))
  if (!found) return undefined
  const value = pick.value(found.value)
  if (value) return { value, rest: found.rest }
  throw new Misread(`"${textBetween(cursor, found.rest)}" is not one day`)
}

function parsePick(cursor: Cursor): Found<Pick> | undefined {
  const start = skip(cursor, 'the')
  const pick = edge(start) ?? counted(start) ?? numbered(start)
  const rest = pick && take(pick.rest, 'of', 'in')
  return rest && { value: pick.value, rest }
}

/** The first or last day of a span. Not of a week, whose end is Friday, Saturday or Sunday. */
function edge(cursor: Cursor): Found<Pick> | undefined {
  const first = take(cursor, 'start', 'beginning')
  const rest = first ?? take(cursor, 'end')
  const value: Pick = ({ unit, first: from, last }) => {
    if (unit === 'week') return undefined
    return first ? from : last
  }
  return rest && { value, rest }
}

function counted(cursor: Cursor): Found<Pick> | undefined {
  const nth = position(cursor)
  const step = nth && (weekdaysOnDay(nth.rest) ?? weekdays(nth.rest) ?? days(nth.rest))
  return step && { value: pickNth(step.value, nth.value), rest: step.rest }
}

/** `day 200`, `day number 200`. */
function numbered(cursor: Cursor): Found<Pick> | undefined {
  const rest = take(cursor, 'day number', 'day no', 'day')
  const token = rest && peek(rest)
  if (!rest || token?.type !== 'number' || token.value < 1) return undefined
  return { value: pickNth((from, n) => from.add({ days: n }), token.value), rest: advance(rest) }
}

const pickNth =
  (step: Step, n: number): Pick =>
  ({ first, last }) => {
    const date = step(n > 0 ? first.subtract({ days: 1 }) : last.add({ days: 1 }), n)
    const isInside = date && first.until(date).sign >= 0 && date.until(last).sign >= 0
    return isInside ? date : undefined
  }

/** Moves n days of one kind forward or back from a day, if there are as many nearby. */
type Step = (from: Temporal.PlainDate, n: number) => Temporal.PlainDate | undefined

/** `Friday the 13th`. */
function weekdaysOnDay(cursor: Cursor): Found<Step> | undefined {
  const weekday = named(weekdayNumbers)(cursor)
  const day = weekday && dayNumber(skip(weekday.rest, 'the'))
  if (!weekday || !day) return undefined
  const value: Step = (from, n) => {
    const found = LONGEST_SPAN.map((months) =>
      from.add({ months: months * Math.sign(n) }).with({ day: 1 }),
    )
      .flatMap((month) => (day.value > month.daysInMonth ? [] : month.with({ day: day.value })))
      .filter((date) => date.dayOfWeek === weekday.value && from.until(date).sign === Math.sign(n))
    return found[Math.abs(n) - 1]
  }
  return { value, rest: day.rest }
}

/** Offsets of the months that a year may touch. */
const LONGEST_SPAN = Array.from({ length: 14 }, (_, month) => month)

function weekdays(cursor: Cursor): Found<Step> | undefined {
  const weekday = named(weekdayNumbers)(cursor)
  return weekday && { value: (from, n) => nthWeekday(from, weekday.value, n), rest: weekday.rest }
}

function days(cursor: Cursor): Found<Step> | undefined {
  const one = unit(cursor)
  if (!one || one.value.days + one.value.businessDays !== 1) return undefined
  return { value: (from, n) => shift(from, one.value, n), rest: one.rest }
}

/** `third` is 3, `last` -1, `second to last` -2. */
function position(cursor: Cursor): Found<number> | undefined {
  const last = take(cursor, 'last', 'final')
  if (last) return { value: -1, rest: last }
  const token = peek(cursor)
  if (token?.type !== 'ordinal') return undefined
  const rest = advance(cursor)
  const fromEnd = take(rest, 'to last', 'to the last', 'last')
  return fromEnd ? { value: -token.value, rest: fromEnd } : { value: token.value, rest }
}
