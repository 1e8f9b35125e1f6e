import type { Temporal } from 'temporal-polyfill'
import { dayNumber } from './day-number.ts'
import { unit } from './duration.ts'
import { Misread } from './read/misread.ts'
import { monthNumbers, pluralWeekdays, weekdayNumbers } from './read/names.ts'
import {
  type Found,
  type Parser,
  type Place,
  longest,
  named,
  peek,
  skip,
  take,
  textBetween,
} from './read/place.ts'
import { relation } from './read/relation.ts'
import { type Span, currentSpan, span } from './read/span.ts'

/**
 * A day by its number in a month that is not named: `the 27th` (the coming one, today included),
 * `the 5th of next month`, `next month on the 5th`, `Tuesday the 19th` (of this month if it fits,
 * even if it is over; else of the next month where it fits), `next Friday the 13th`.
 * @throws Misread if the month has no such day
 */
export const dayOfMonth: Parser<Temporal.PlainDate> = longest(coming, onWeekday, ofMonth, inMonth)

function coming(place: Place): Found<Temporal.PlainDate> | undefined {
  const day = alone(place)
  const value = day && find(place.today, day.value, (date) => place.today.until(date).sign >= 0)
  return value && { value, rest: day.rest }
}

function onWeekday(place: Place): Found<Temporal.PlainDate> | undefined {
  const which = relation(place)
  const weekday = which?.value === 'this' ? undefined : named(weekdayNumbers)(which?.rest ?? place)
  const day = weekday && alone(weekday.rest)
  if (!day) return undefined
  const direction = which?.value === 'last' ? -1 : 1
  const fits = (date: Temporal.PlainDate): boolean =>
    date.dayOfWeek === weekday.value && (!which || place.today.until(date).sign === direction)
  const value = find(place.today, day.value, fits, direction)
  return value && { value, rest: day.rest }
}

function ofMonth(place: Place): Found<Temporal.PlainDate> | undefined {
  const day = dayNumber(skip(place, 'the'))
  const of = day && take(day.rest, 'of', 'in')
  const month = of && (span(of) ?? currentSpan(of))
  return month && within(place, month, day.value)
}

function inMonth(place: Place): Found<Temporal.PlainDate> | undefined {
  const month = span(place)
  const day = month && dayNumber(skip(month.rest, 'on the', 'on', 'the'))
  return day && within(place, { value: month.value, rest: day.rest }, day.value)
}

function within(
  place: Place,
  { value: { unit, first, last }, rest }: Found<Span>,
  day: number,
): Found<Temporal.PlainDate> | undefined {
  if (unit !== 'month') return undefined
  if (day > last.day) throw new Misread(`"${textBetween(place, rest)}" does not exist`)
  return { value: first.with({ day }), rest }
}

/** An ordinal, or a number behind `the` or `on`, that counts nothing else. */
function alone(place: Place): Found<number> | undefined {
  const marked = take(place, 'on the', 'for the', 'the', 'on')
  const day = dayNumber(marked ?? place)
  if (!day || (!marked && peek(place)?.type !== 'ordinal')) return undefined
  const next = peek(day.rest)
  const counts = unit(day.rest) ?? COUNTED.has(next?.text ?? '')
  return counts || (next && next.type !== 'word') ? undefined : day
}

/** What a number or ordinal in front of it belongs to. */
const COUNTED = new Set([
  'of',
  'last',
  'to',
  ...monthNumbers.keys(),
  ...weekdayNumbers.keys(),
  ...pluralWeekdays.keys(),
])

/** The 31st may take some years to fall on a given weekday. */
const HORIZON_MONTHS = 120

/** The first date with this number, from the month of a day on (or back), that fits. */
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
