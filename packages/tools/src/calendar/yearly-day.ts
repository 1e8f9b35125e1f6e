import { dayNumber } from './day-number.ts'
import { holiday } from './holidays/holiday.ts'
import { Misread } from './read/misread.ts'
import { monthName, monthNumbers } from './read/names.ts'
import { nthOfMonth } from './nth-of.ts'
import { numeric } from './read/numeric.ts'
import { type Found, type Parser, type Cursor, longest, named, skip } from './read/cursor.ts'
import { type Yearly, monthDay } from './yearly.ts'

/** A day of the year, with the year if the same numbers include it. */
export interface YearlyDay {
  readonly yearly: Yearly
  readonly year?: number
  /** Given by its name, not by month and day. */
  readonly isHoliday?: true
}

/** `March 3`, `the 3rd of March`, `3/13`, `Easter`, `the last Monday of May`. */
export const yearlyDay: Parser<YearlyDay> = longest(
  numericDay,
  plain(monthFirst),
  plain(dayFirst),
  plain(nthOfMonth),
  (cursor) => {
    const found = holiday(cursor)
    return found && { value: { yearly: found.value, isHoliday: true }, rest: found.rest }
  },
)

function monthFirst(cursor: Cursor): Found<Yearly> | undefined {
  const month = named(monthNumbers)(cursor)
  const day = month && dayNumber(skip(month.rest, 'the'))
  return day && { value: existingDay(month.value, day.value), rest: day.rest }
}

function dayFirst(cursor: Cursor): Found<Yearly> | undefined {
  const day = dayNumber(skip(cursor, 'the'))
  const month = day && named(monthNumbers)(skip(day.rest, 'day of', 'of'))
  return month && { value: existingDay(month.value, day.value), rest: month.rest }
}

function numericDay(cursor: Cursor): Found<YearlyDay> | undefined {
  const found = numeric(cursor)
  if (!found) return undefined
  const { month, day, ...rest } = found.value
  return { value: { ...rest, yearly: existingDay(month, day) }, rest: found.rest }
}

function existingDay(month: number, day: number): Yearly {
  const yearly = monthDay(month, day)
  if (!yearly(LEAP_YEAR)) throw new Misread(`${monthName(month)} ${day} does not exist`)
  return yearly
}

const LEAP_YEAR = 2024

function plain(parser: Parser<Yearly>): Parser<YearlyDay> {
  return (cursor) => {
    const found = parser(cursor)
    return found && { value: { yearly: found.value }, rest: found.rest }
  }
}
