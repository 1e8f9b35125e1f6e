import type { Draw } from './draw.ts'
import { inWords, MONTHS, WEEKDAYS } from './english.ts'

/** A day as milliseconds of UTC: plain arithmetic, independent of the calendar under test. */
export type Day = number

const LENGTH = 86_400_000

export const dayOf = (year: number, month: number, day: number): Day =>
  Date.UTC(year, month - 1, day)

export const iso = (day: Day): string => new Date(day).toISOString().slice(0, 10)
export const fromIso = (text: string): Day => Date.parse(`${text}T00:00:00Z`)
export const addDays = (day: Day, days: number): Day => day + days * LENGTH
export const daysBetween = (from: Day, to: Day): number => Math.round((to - from) / LENGTH)

/** Only for days that every month has. */
export function addMonths(day: Day, months: number): Day {
  const date = new Date(day)
  if (date.getUTCDate() > 28) throw new RangeError('the day is not in every month')
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate())
}

/** 0 for Monday. */
export const weekdayOf = (day: Day): number => (new Date(day).getUTCDay() + 6) % 7
export const yearOf = (day: Day): number => new Date(day).getUTCFullYear()
const monthOf = (day: Day): number => new Date(day).getUTCMonth() + 1
const dateOf = (day: Day): number => new Date(day).getUTCDate()

/** The next such weekday after a day. */
export function weekdayAfter(day: Day, weekday: number): Day {
  return addDays(day, ((weekday - weekdayOf(day) + 6) % 7) + 1)
}

/** Business days, Monday to Friday, holidays not counted. */
export function addBusinessDays(day: Day, count: number): Day {
  const step = count < 0 ? -1 : 1
  let [found, left] = [day, Math.abs(count)]
  while (left > 0) {
    found = addDays(found, step)
    if (weekdayOf(found) < 5) left--
  }
  return found
}

/** A day that every month has. */
export const someDay = (draw: Draw, from = 1990, to = 2024): Day =>
  dayOf(draw.int(from, to), draw.int(1, 12), draw.int(1, 28))

const ENDINGS = ['th', 'st', 'nd', 'rd'] as const

export function ordinal(n: number): string {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (ENDINGS[n % 10] ?? 'th')
  return `${n}${ending}`
}

/** A date as people write it, always with its year, never in an ambiguous numeric order. */
export function written(draw: Draw, day: Day): string {
  const [month = '', date, year] = [MONTHS[monthOf(day) - 1], dateOf(day), yearOf(day)]
  return draw.pick([
    `${month} ${date}, ${year}`,
    `${month} ${date}, ${year}`,
    `${month} ${date}, ${year}`,
    `${date} ${month} ${year}`,
    `${month.slice(0, 3)} ${date}, ${year}`,
    `${month} ${ordinal(date)}, ${year}`,
    `the ${ordinal(date)} of ${month} ${year}`,
    iso(day),
  ])
}

/** A date with its weekday in front. */
export const writtenWithWeekday = (day: Day): string =>
  `${WEEKDAYS[weekdayOf(day)] ?? ''}, ${MONTHS[monthOf(day) - 1] ?? ''} ${dateOf(day)}, ${yearOf(day)}`

/** A span of time that can be added to a day. */
export interface Span {
  readonly text: string
  readonly add: (day: Day, sign: 1 | -1) => Day
}

const SPAN_UNITS = [
  ['day', 1, 0],
  ['day', 1, 0],
  ['day', 1, 0],
  ['week', 7, 0],
  ['week', 7, 0],
  ['month', 0, 1],
  ['year', 0, 12],
] as const

/** Months are for days that every month has; `days` leaves them out. */
export function span(draw: Draw, of: 'days' | 'any' = 'any'): Span {
  const units = of === 'days' ? SPAN_UNITS.filter(([, days]) => days > 0) : SPAN_UNITS
  const [unit, days, months] = draw.pick(units)
  const n = draw.int(1, unit === 'day' ? 40 : 11)
  const number = draw.chance(0.4) ? inWords(n) : String(n)
  return {
    text: `${number} ${unit}${n === 1 ? '' : 's'}`,
    add: (day, sign) =>
      months > 0 ? addMonths(day, sign * n * months) : addDays(day, sign * n * days),
  }
}
