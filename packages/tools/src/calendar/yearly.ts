import { Temporal } from 'temporal-polyfill'
import { Ambiguous, TwiceAYear } from './read/misread.ts'

/** A recurring day: its date in a year, or `undefined` if the year lacks it. */
export type Yearly = (year: number) => Temporal.PlainDate | undefined

/** February 29 may take 40 years to fall on the same weekday again. */
const HORIZON = 40

/** The first occurrence on or after a day. */
export const onOrAfter = (
  yearly: Yearly,
  day: Temporal.PlainDate,
): Temporal.PlainDate | undefined =>
  inYears(yearly, day.year, 1, (date) => Temporal.PlainDate.compare(date, day) >= 0)

/** The first occurrence after a day. */
export const firstAfter = (
  yearly: Yearly,
  day: Temporal.PlainDate,
): Temporal.PlainDate | undefined =>
  inYears(yearly, day.year, 1, (date) => Temporal.PlainDate.compare(date, day) > 0)

/** The last occurrence before a day. */
export const lastBefore = (
  yearly: Yearly,
  day: Temporal.PlainDate,
): Temporal.PlainDate | undefined =>
  inYears(yearly, day.year, -1, (date) => Temporal.PlainDate.compare(date, day) < 0)

/** A month and day, in each year that has it. */
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
    const date = dayIn(yearly, start + ahead * step, step, fits)
    if (date && fits(date)) return date
  }
  return undefined
}

/**
 * The day of a year. Of two days in one year it is the first that fits in the direction of the
 * search. An ambiguous day counts as absent if none of its readings fits.
 * @throws Ambiguous if one of the readings fits
 */
function dayIn(
  yearly: Yearly,
  year: number,
  step: 1 | -1,
  fits: (date: Temporal.PlainDate) => boolean,
): Temporal.PlainDate | undefined {
  try {
    return yearly(year)
  } catch (error) {
    if (error instanceof TwiceAYear) {
      return step === 1 ? error.readings.find(fits) : error.readings.findLast(fits)
    }
    if (error instanceof Ambiguous && error.readings.length > 0 && !error.readings.some(fits)) {
      return undefined
    }
    throw error
  }
}
