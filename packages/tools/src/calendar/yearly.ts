import { Temporal } from 'temporal-polyfill'

/** A day that comes round: its date in a year, or `undefined` in a year that lacks it. */
export type Yearly = (year: number) => Temporal.PlainDate | undefined

/** February 29 on one weekday may take 40 years to come round. */
const HORIZON = 40

/** The first on or after a day. */
export const onOrAfter = (
  yearly: Yearly,
  day: Temporal.PlainDate,
): Temporal.PlainDate | undefined =>
  inYears(yearly, day.year, 1, (date) => Temporal.PlainDate.compare(date, day) >= 0)

/** The first after a day. */
export const firstAfter = (
  yearly: Yearly,
  day: Temporal.PlainDate,
): Temporal.PlainDate | undefined =>
  inYears(yearly, day.year, 1, (date) => Temporal.PlainDate.compare(date, day) > 0)

/** The last before a day. */
export const lastBefore = (
  yearly: Yearly,
  day: Temporal.PlainDate,
): Temporal.PlainDate | undefined =>
  inYears(yearly, day.year, -1, (date) => Temporal.PlainDate.compare(date, day) < 0)

/** A month and a day in each year that has them. */
export const monthDay =
  (month: number, day: number): Yearly =>
  (year) =>
    day > Temporal.PlainYearMonth.from({ year, month }).daysInMonth
      ? undefined
      : Temporal.PlainDate.from({ year, month, day })

function inYears(
  yearly: Yearly,
  start: number,
  step: 1 | -1,
  fits: (date: Temporal.PlainDate) => boolean,
): Temporal.PlainDate | undefined {
  for (let ahead = 0; ahead <= HORIZON; ahead += 1) {
    const date = yearly(start + ahead * step)
    if (date && fits(date)) return date
  }
  return undefined
}
