import { dayNumber } from './day-number.ts'
import { holiday } from './holidays.ts'
import { Misread } from './read/misread.ts'
import { monthName, monthNumbers } from './read/names.ts'
import { nthOfMonth } from './nth-of.ts'
import { numeric } from './read/numeric.ts'
import { type Found, type Parser, type Place, longest, named, skip } from './read/place.ts'
import { type Yearly, monthDay } from './yearly.ts'

/** A day of the year, and the year if it is part of the same numbers. */
export interface YearlyDay {
  readonly yearly: Yearly
  readonly year?: number
}

/** `March 3`, `the 3rd of March`, `3/13`, `Easter`, `the last Monday of May`. */
export const yearlyDay: Parser<YearlyDay> = longest(
  numericDay,
  plain(monthFirst),
  plain(dayFirst),
  plain(nthOfMonth),
  plain(holiday),
)

function monthFirst(place: Place): Found<Yearly> | undefined {
  const month = named(monthNumbers)(place)
  const day = month && dayNumber(skip(month.rest, 'the'))
  return day && { value: existing(month.value, day.value), rest: day.rest }
}

function dayFirst(place: Place): Found<Yearly> | undefined {
  const day = dayNumber(skip(place, 'the'))
  const month = day && named(monthNumbers)(skip(day.rest, 'day of', 'of'))
  return month && { value: existing(month.value, day.value), rest: month.rest }
}

function numericDay(place: Place): Found<YearlyDay> | undefined {
  const found = numeric(place)
  if (!found) return undefined
  const { month, day, ...rest } = found.value
  return { value: { ...rest, yearly: existing(month, day) }, rest: found.rest }
}

function existing(month: number, day: number): Yearly {
  const yearly = monthDay(month, day)
  if (!yearly(LEAP_YEAR)) throw new Misread(`${monthName(month)} ${day} does not exist`)
  return yearly
}

const LEAP_YEAR = 2024

function plain(parser: Parser<Yearly>): Parser<YearlyDay> {
  return (place) => {
    const found = parser(place)
    return found && { value: { yearly: found.value }, rest: found.rest }
  }
}
