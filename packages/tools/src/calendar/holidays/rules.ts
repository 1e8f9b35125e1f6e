import { Temporal } from 'temporal-polyfill'
import { nthWeekday } from '../nth-weekday.ts'
import { formatDay } from '../format-date.ts'
import { Misread, TwiceAYear } from '../read/misread.ts'
import type { Yearly } from '../yearly.ts'

/**
 * Recurring days with their names, separated by commas. Parentheses hold alternatives: `eid (al|ul)
 * fitr`. Names are token texts: `mother's day` is `mother day`. An optional `day` is left out.
 */
export type Holidays = readonly (readonly [Yearly, string])[]

export const MONDAY = 1
export const THURSDAY = 4
export const FRIDAY = 5
export const SATURDAY = 6
export const SUNDAY = 7

/** The nth weekday of a month, or the last for -1. */
export function nthOfMonth(month: number, weekday: number, n: number): Yearly {
  return (year) => {
    const first = Temporal.PlainDate.from({ year, month, day: 1 })
    return nthWeekday(n > 0 ? first.subtract({ days: 1 }) : first.add({ months: 1 }), weekday, n)
  }
}

/** The last such weekday before a day. */
export const weekdayBefore =
  (yearly: Yearly, weekday: number): Yearly =>
  (year) => {
    const day = yearly(year)
    return day && nthWeekday(day, weekday, -1)
  }

export const shifted =
  (yearly: Yearly, days: number): Yearly =>
  (year) =>
    yearly(year)?.add({ days })

/** The same day, except in some years. */
export const except =
  (yearly: Yearly, isExcluded: (year: number) => boolean): Yearly =>
  (year) =>
    isExcluded(year) ? undefined : yearly(year)

/** A day without a rule: its month and day in each year. */
export const listed =
  (days: Readonly<Record<number, readonly [month: number, day: number]>>): Yearly =>
  (year) => {
    const [month, day] = days[year] ?? []
    return month === undefined || day === undefined
      ? undefined
      : Temporal.PlainDate.from({ year, month, day })
  }

/** The nearest day from Monday to Friday. */
export const nearestWorkday =
  (yearly: Yearly): Yearly =>
  (year) => {
    const day = yearly(year)
    if (day?.dayOfWeek === SATURDAY) return day.subtract({ days: 1 })
    return day?.dayOfWeek === SUNDAY ? day.add({ days: 1 }) : day
  }

/**
 * The day of a year on which another calendar's day falls. Its years may have another length.
 * @throws TwiceAYear if it falls on two days
 */
export function onlyDay(days: readonly Temporal.PlainDate[]): Temporal.PlainDate | undefined {
  const [one, two] = days
  if (!one || !two) return one
  throw new TwiceAYear(
    `it is twice in ${one.year}: it can be ${formatDay(one)} or ${formatDay(two)}; ask with the date itself`,
    [one, two],
  )
}

/**
 * Returns the year if the holiday's dates are known in it.
 * @throws Misread for any other year
 */
export function requireKnown(year: number, first: number, last: number): number {
  if (year >= first && year <= last) return year
  throw new Misread(`that holiday is known for the years ${first} to ${last} only`)
}
