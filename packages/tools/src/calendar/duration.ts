import type { Temporal } from 'temporal-polyfill'
import { Misread } from './read/misread.ts'
import { type Found, type Place, advance, named, peek, skip, take } from './read/place.ts'

/** A stretch of time; business days run Monday to Friday and know no holidays. */
export interface Duration {
  readonly years: number
  readonly months: number
  readonly days: number
  readonly businessDays: number
}

const NONE: Duration = { years: 0, months: 0, days: 0, businessDays: 0 }

const UNITS: ReadonlyMap<string, Duration> = new Map([
  ...table('day days', { days: 1 }),
  ...table('week weeks wk wks', { days: 7 }),
  ...table('fortnight fortnights', { days: 14 }),
  ...table('month months', { months: 1 }),
  ...table('year years yr yrs', { years: 1 }),
  ...table('decade decades', { years: 10 }),
  ...table('century centuries', { years: 100 }),
  ...table('weekday weekdays workday workdays', { businessDays: 1 }),
])

/** What one of a unit is. */
export function unit(place: Place): Found<Duration> | undefined {
  const business = take(place, 'business', 'working', 'work')
  const rest = business && take(business, 'day', 'days')
  return rest ? { value: { ...NONE, businessDays: 1 }, rest } : named(UNITS)(place)
}

/** `3 weeks`, `a fortnight`, `one year, two months and a day`. */
export function duration(place: Place): Found<Duration> | undefined {
  const first = part(place)
  if (!first) return undefined
  const more = duration(skip(first.rest, 'and'))
  return more ? { value: sum(first.value, more.value, 1), rest: more.rest } : first
}

/**
 * A date so many times a duration on; with a negative number back. Years and months count before
 * days, and a day that the month lacks becomes the month's last.
 * @throws Misread outside the years 1 to 9999
 */
export function shift(
  date: Temporal.PlainDate,
  duration: Duration,
  times: number,
): Temporal.PlainDate {
  const { years, months, days, businessDays } = sum(NONE, duration, times)
  if (Math.abs(years + months / 12 + (days + businessDays) / 365) > 10_000) throw new Misread(FAR)
  const there = shiftBusinessDays(date.add({ years, months, days }), businessDays)
  if (there.year < 1 || there.year > 9999) throw new Misread(FAR)
  return there
}

const FAR = 'the date lies outside the years 1 to 9999'

function part(place: Place): Found<Duration> | undefined {
  const count = amount(place)
  const one = count && unit(skip(count.rest, 'more', 'full', 'whole', 'calendar'))
  return one && { value: sum(NONE, one.value, count.value), rest: one.rest }
}

function amount(place: Place): Found<number> | undefined {
  const couple = take(place, 'a couple of', 'a couple', 'couple of', 'a pair of')
  if (couple) return { value: 2, rest: couple }
  const article = take(place, 'a', 'an')
  if (article) return { value: 1, rest: article }
  const token = peek(place)
  return token?.type === 'number' ? { value: token.value, rest: advance(place) } : undefined
}

/** Whole weeks first, so that a big number takes no longer than a small one. */
function shiftBusinessDays(date: Temporal.PlainDate, count: number): Temporal.PlainDate {
  if (count === 0) return date
  const sign = Math.sign(count)
  let moved = date
  while (moved.dayOfWeek > 5) moved = moved.subtract({ days: sign })
  moved = moved.add({ weeks: Math.trunc(count / 5) })
  for (let left = Math.abs(count % 5); left > 0;) {
    moved = moved.add({ days: sign })
    if (moved.dayOfWeek <= 5) left -= 1
  }
  return moved
}

const sum = (left: Duration, right: Duration, times: number): Duration => ({
  years: left.years + right.years * times,
  months: left.months + right.months * times,
  days: left.days + right.days * times,
  businessDays: left.businessDays + right.businessDays * times,
})

function table(
  words: string,
  duration: Partial<Duration>,
): readonly (readonly [string, Duration])[] {
  return words.split(' ').map((word) => [word, { ...NONE, ...duration }] as const)
}
