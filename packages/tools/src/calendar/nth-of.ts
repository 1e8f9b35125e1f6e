import { Temporal } from 'temporal-polyfill'
import { dayNumber } from './day-number.ts'
import { shift, unit } from './duration.ts'
import { Misread } from './read/misread.ts'
import { monthNumbers, weekdayNumbers } from './read/names.ts'
import { nthWeekday } from './nth-weekday.ts'
import {
  type Found,
  type Place,
  advance,
  named,
  peek,
  skip,
  take,
  textBetween,
} from './read/place.ts'
import { type Span, around, currentSpan, span } from './read/span.ts'
import type { Yearly } from './yearly.ts'

/** Picks a day of a span, or nothing if the span has no such day. */
type Pick = (span: Span) => Temporal.PlainDate | undefined

/** `the third Monday of January`, `the last day of February`, `the end of May`: in any year. */
export function nthOfMonth(place: Place): Found<Yearly> | undefined {
  const pick = picking(place)
  const month = pick && named(monthNumbers)(pick.rest)
  if (!month) return undefined
  const value: Yearly = (year) =>
    pick.value(around(Temporal.PlainDate.from({ year, month: month.value, day: 1 }), 'month'))
  return { value, rest: month.rest }
}

/**
 * The same of one span: `the first Friday of this month`, `the 100th day of 2024`.
 * @throws Misread if the span has no such day
 */
export function nthOfSpan(place: Place): Found<Temporal.PlainDate> | undefined {
  const pick = picking(place)
  const found = pick && (span(pick.rest) ?? currentSpan(pick.rest))
  if (!found) return undefined
  const value = pick.value(found.value)
  if (value) return { value, rest: found.rest }
  throw new Misread(`"${textBetween(place, found.rest)}" is not one day`)
}

function picking(place: Place): Found<Pick> | undefined {
  const start = skip(place, 'the')
  const pick = edge(start) ?? counted(start) ?? numbered(start)
  const rest = pick && take(pick.rest, 'of', 'in')
  return rest && { value: pick.value, rest }
}

/** An end that is a day. Of a week it is not: to some it is Friday, to others Saturday or Sunday. */
function edge(place: Place): Found<Pick> | undefined {
  const first = take(place, 'start', 'beginning')
  const rest = first ?? take(place, 'end')
  const value: Pick = ({ unit, first: from, last }) => {
    if (unit === 'week') return undefined
    return first ? from : last
  }
  return rest && { value, rest }
}

function counted(place: Place): Found<Pick> | undefined {
  const nth = position(place)
  const step = nth && (weekdaysOnDay(nth.rest) ?? weekdays(nth.rest) ?? days(nth.rest))
  return step && { value: picked(step.value, nth.value), rest: step.rest }
}

/** `day 200`, `day number 200`. */
function numbered(place: Place): Found<Pick> | undefined {
  const rest = take(place, 'day number', 'day no', 'day')
  const token = rest && peek(rest)
  if (!rest || token?.type !== 'number' || token.value < 1) return undefined
  return { value: picked((from, n) => from.add({ days: n }), token.value), rest: advance(rest) }
}

const picked =
  (step: Step, n: number): Pick =>
  ({ first, last }) => {
    const date = step(n > 0 ? first.subtract({ days: 1 }) : last.add({ days: 1 }), n)
    const isInside = date && first.until(date).sign >= 0 && date.until(last).sign >= 0
    return isInside ? date : undefined
  }

/** Goes n days of one sort on from a day, or back, if there are as many nearby. */
type Step = (from: Temporal.PlainDate, n: number) => Temporal.PlainDate | undefined

/** `Friday the 13th`. */
function weekdaysOnDay(place: Place): Found<Step> | undefined {
  const weekday = named(weekdayNumbers)(place)
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

/** Months that a year may touch. */
const LONGEST_SPAN = Array.from({ length: 14 }, (_, month) => month)

function weekdays(place: Place): Found<Step> | undefined {
  const weekday = named(weekdayNumbers)(place)
  return weekday && { value: (from, n) => nthWeekday(from, weekday.value, n), rest: weekday.rest }
}

function days(place: Place): Found<Step> | undefined {
  const one = unit(place)
  if (!one || one.value.days + one.value.businessDays !== 1) return undefined
  return { value: (from, n) => shift(from, one.value, n), rest: one.rest }
}

/** `third` is 3, `last` -1, `second to last` -2. */
function position(place: Place): Found<number> | undefined {
  const last = take(place, 'last', 'final')
  if (last) return { value: -1, rest: last }
  const token = peek(place)
  if (token?.type !== 'ordinal') return undefined
  const rest = advance(place)
  const fromEnd = take(rest, 'to last', 'to the last', 'last')
  return fromEnd ? { value: -token.value, rest: fromEnd } : { value: token.value, rest }
}
