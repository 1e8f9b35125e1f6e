import type { Temporal } from 'temporal-polyfill'
import { type Duration, duration, shift, unit } from './duration.ts'
import { pluralWeekdays, weekdayNumbers } from './read/names.ts'
import { nthWeekday } from './nth-weekday.ts'
import { type Parser, advance, longest, named, peek, skip, take } from './read/cursor.ts'

/** Moves forward from a day, or back if the sign is negative. */
export type Step = (from: Temporal.PlainDate, sign: 1 | -1) => Temporal.PlainDate

const weekdays = named(new Map([...weekdayNumbers, ...pluralWeekdays]))

/** A counted step: `3 weeks`, `two Sundays`. */
export const counted: Parser<Step> = longest<Step>(
  (cursor) => {
    const found = duration(cursor)
    return found && { value: durationStep(found.value), rest: found.rest }
  },
  (cursor) => {
    const token = peek(cursor)
    const found = token?.type === 'number' ? weekdays(advance(cursor)) : undefined
    if (!found || token?.type !== 'number' || token.value < 1) return undefined
    return { value: weekdayStep(found.value, token.value), rest: found.rest }
  },
)

/**
 * A step without a number: `the day`, `the Friday`, `the first Monday`, `the third working day`.
 */
export const single: Parser<Step> = (cursor) => {
  const start = skip(cursor, 'the')
  const day = take(start, 'day', 'date')
  if (day) return { value: (from, sign) => from.add({ days: sign }), rest: day }
  const token = peek(start)
  const nth = token?.type === 'ordinal' && token.value > 0 ? token.value : undefined
  const numberless = nth === undefined ? skip(start, 'last') : advance(start)
  const days = nth === undefined ? undefined : unit(numberless)
  if (days && days.value.days + days.value.businessDays === 1) {
    return { value: (from, sign) => shift(from, days.value, (nth ?? 1) * sign), rest: days.rest }
  }
  const found = named(weekdayNumbers)(numberless)
  return found && { value: weekdayStep(found.value, nth ?? 1), rest: found.rest }
}

const durationStep =
  (duration: Duration): Step =>
  (from, sign) =>
    shift(from, duration, sign)

const weekdayStep =
  (weekday: number, n: number): Step =>
  (from, sign) =>
    nthWeekday(from, weekday, n * sign)
