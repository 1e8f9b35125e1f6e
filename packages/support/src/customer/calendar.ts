import { fill } from '../wording/fill.ts'
import { DAY, MONTHS, next } from './order-dates.ts'

/** A day, as milliseconds since the epoch at its beginning. */
export type Day = number

/** A name or its abbreviation: "maybe 20" is no day of May. */
const NAME = `(?:${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join('|')}|sept)\\.?`
const DATED = new RegExp(
  `\\b(?:(?<before>${NAME}) (?:the )?(?<after>\\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\\d{4}))?|(?:the )?(?<first>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<then>${NAME})|(?<only>\\d{1,2})(?:st|nd|rd|th))\\b`,
  'giu',
)

/** The weekday of a day: "Monday". */
export const weekdayOf = (day: Day): string => WEEKDAY.format(day)

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })

/** A day in words, as answers write it: "Oct 20". */
export const dayInWords = (day: Day): string =>
  fill('{day|date}', { day: new Date(day).toISOString().slice(0, 10) })

/**
 * The days that a text names: "Oct 20", "the 20th of October", "the 20th". A day without a month is taken from the
 * days that were spoken of, or else it is the next one. A month without a year is the nearest.
 */
export function daysIn(text: string, now: number, spoken: readonly Day[] = []): readonly Day[] {
  const today = Math.floor(now / DAY) * DAY
  return [...text.matchAll(DATED)].flatMap(({ groups = {} }) => {
    const { before, after, year, first, then, only } = groups
    const number = Number(after ?? first ?? only)
    const name = (before ?? then)?.slice(0, 3).toLowerCase()
    const day =
      name === undefined
        ? (spoken.find((one) => new Date(one).getUTCDate() === number) ??
          next(today, (one) => one.getUTCDate() === number))
        : nearest(monthOf(name), number, year === undefined ? null : Number(year), today)
    return day === null ? [] : [day]
  })
}

const monthOf = (name: string): number => MONTHS.findIndex((month) => month.startsWith(name))

function nearest(month: number, number: number, year: number | null, today: Day): Day | null {
  const now = new Date(today).getUTCFullYear()
  const years = year === null ? [now - 1, now, now + 1] : [year]
  const days = years
    .map((one) => Date.UTC(one, month, number))
    .filter((day) => new Date(day).getUTCDate() === number)
  return days.toSorted((a, b) => Math.abs(a - today) - Math.abs(b - today))[0] ?? null
}
