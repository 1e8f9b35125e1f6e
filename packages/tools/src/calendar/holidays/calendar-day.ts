import { Temporal } from 'temporal-polyfill'
import { Temporal as Calendars } from 'temporal-polyfill/full'
import { formatDay } from '../format-date.ts'
import { Ambiguous } from '../read/misread.ts'
import type { Yearly } from '../yearly.ts'
import { onlyDay, requireKnown } from './rules.ts'

/** A calendar in the Unicode data of Node, with the years whose days are certain. */
interface Calendar {
  readonly id: 'islamic-umalqura' | 'chinese' | 'hebrew'
  readonly years: readonly [first: number, last: number]
}

/**
 * Umm al-Qura, the civil calendar of Saudi Arabia, by the rule in force since 2002. Earlier days,
 * and days in places that sight the moon themselves, may differ.
 */
const ISLAMIC: Calendar = { id: 'islamic-umalqura', years: [2002, 2076] }
const CHINESE: Calendar = { id: 'chinese', years: [1901, 2099] }
const HEBREW: Calendar = { id: 'hebrew', years: [1800, 2200] }

/** A day of the Islamic calendar. Month 1 is Muharram. The date is that of the daylight hours. */
export const islamicDay = (month: number, day: number): Yearly => dayIn(ISLAMIC, month, day)

/** A day of the Chinese calendar. Leap months have no holidays. */
export const chineseDay = (month: number, day: number): Yearly => dayIn(CHINESE, month, day)

/**
 * A day of the Hebrew calendar. Month 1 is Tishri, 6 is Adar (Adar II in a leap year), 7 is Nisan.
 * @throws Ambiguous always: the day begins at sunset, so some calendars give the day before
 */
export function hebrewDay(month: number, day: number): Yearly {
  const yearly = dayIn(HEBREW, month, day)
  return (year) => {
    const date = yearly(year)
    if (!date) return undefined
    const eve = date.subtract({ days: 1 })
    throw new Ambiguous(
      `it can be ${formatDay(eve)}, when it begins at sunset, or ${formatDay(date)}; ask with the date itself`,
      [eve, date],
    )
  }
}

function dayIn({ id, years }: Calendar, month: number, day: number): Yearly {
  const monthCode = `M${String(month).padStart(2, '0')}`
  return (year) => {
    const start = Calendars.PlainDate.from({ year: requireKnown(year, ...years), month: 1, day: 1 })
    const first = start.withCalendar(id).year
    // An Islamic year may lie within one Gregorian year.
    const dates = [first, first + 1, first + 2]
      .map((calendarYear) =>
        Calendars.PlainDate.from({ calendar: id, year: calendarYear, monthCode, day }),
      )
      .map((date) => Temporal.PlainDate.from(date.withCalendar('iso8601').toString()))
    return onlyDay(dates.filter((date) => date.year === year))
  }
}
