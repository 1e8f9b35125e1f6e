import type { Temporal } from 'temporal-polyfill'
import { type Duration, duration, shift, unit } from './duration.ts'
import { pluralWeekdays, weekdayNumbers } from './read/names.ts'
import { nthWeekday } from './nth-weekday.ts'
import { type Parser, advance, longest, named, peek, skip, take } from './read/place.ts'

/** Goes on from a day by so much, or back by as much if the sign is negative. */
export type Step = (from: Temporal.PlainDate, sign: 1 | -1) => Temporal.PlainDate

const weekdays = named(new Map([...weekdayNumbers, ...pluralWeekdays]))

/** A counted stretch: `3 weeks`, `two Sundays`. */
export const counted: Parser<Step> = longest<Step>(
  (place) => {
    const found = duration(place)
    return found && { value: lasting(found.value), rest: found.rest }
  },
  (place) => {
    const token = peek(place)
    const found = token?.type === 'number' ? weekdays(advance(place)) : undefined
    if (!found || token?.type !== 'number' || token.value < 1) return undefined
    return { value: stepping(found.value, token.value), rest: found.rest }
  },
)

/** One that needs no number: `the day`, `the Friday`, `the first Monday`, `the third working day`. */
export const single: Parser<Step> = (place) => {
  const start = skip(place, 'the')
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
  return found && { value: stepping(found.value, nth ?? 1), rest: found.rest }
}

const lasting =
  (duration: Duration): Step =>
  (from, sign) =>
    shift(from, duration, sign)

const stepping =
  (weekday: number, n: number): Step =>
  (from, sign) =>
    nthWeekday(from, weekday, n * sign)
