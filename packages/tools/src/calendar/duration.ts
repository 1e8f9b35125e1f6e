import type { Temporal } from 'temporal-polyfill'
import { Misread } from './read/misread.ts'
import { type Found, type Cursor, advance, named, peek, skip, take } from './read/cursor.ts'

/** A length of time. Business days are Monday to Friday, holidays included. */
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

/** The duration of one unit. */
export function unit(cursor: Cursor): Found<Duration> | undefined {
  const business = take(cursor, 'business', 'working', 'work')
  const rest = business && take(business, 'day', 'days')
  return rest ? { value: { ...NONE, businessDays: 1 }, rest } : named(UNITS)(cursor)
}

/** `3 weeks`, `a fortnight`, `one year, two months and a day`. */
export function duration(cursor: Cursor): Found<Duration> | undefined {
  const first = part(cursor)
  if (!first) return undefined
  const more = duration(skip(first.rest, 'and'))
  return more ? { value: sum(first.value, more.value, 1), rest: more.rest } : first
}

/** Multiplies a duration. A negative count makes it go back. */
export const times = (one: Duration, count: number): Duration => sum(NONE, one, count)

/**
 * Adds a duration to a date a number of times; subtracts it if negative. Adds years and months
 * before days. A day that the month lacks becomes the last of the month.
 * @throws Misread outside the years 1 to 9999
 */
export function shift(
  date: Temporal.PlainDate,
  duration: Duration,
  count: number,
): Temporal.PlainDate {
  const { years, months, days, businessDays } = sum(NONE, duration, count)
  if (Math.abs(years + months / 12 + (days + businessDays) / 365) > 10_000) throw new Misread(FAR)
  const shifted = shiftBusinessDays(date.add({ years, months, days }), businessDays)
  if (shifted.year < 1 || shifted.year > 9999) throw new Misread(FAR)
  return shifted
}

const FAR = 'the date is outside the years 1 to 9999'

function part(cursor: Cursor): Found<Duration> | undefined {
  const count = amount(cursor)
  const one = count && unit(skip(count.rest, 'more', 'full', 'whole', 'calendar'))
  return one && { value: sum(NONE, one.value, count.value), rest: one.rest }
}

function amount(cursor: Cursor): Found<number> | undefined {
  const couple = take(cursor, 'a couple of', 'a couple', 'couple of', 'a pair of')
  if (couple) return { value: 2, rest: couple }
  const article = take(cursor, 'a', 'an')
  if (article) return { value: 1, rest: article }
  const token = peek(cursor)
  return token?.type === 'number' ? { value: token.value, rest: advance(cursor) } : undefined
}

/** Moves by whole weeks first, so that a big number takes no longer than a small one. */
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

const sum = (left: Duration, right: Duration, count: number): Duration => ({
  years: left.years + right.years * count,
  months: left.months + right.months * count,
  days: left.days + right.days * count,
  businessDays: left.businessDays + right.businessDays * count,
})

function table(
  words: string,
  duration: Partial<Duration>,
): readonly (readonly [string, Duration])[] {
  return words.split(' ').map((word) => [word, { ...NONE, ...duration }] as const)
}
