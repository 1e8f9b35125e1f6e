/** Abbreviations of the months, in order. */
export const MONTHS = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
] as const

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** A calendar day; without a year if none is stated. */
export interface CalendarDay {
  readonly year?: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** Computed from the calendar alone, independent of time zones. 0 is Sunday. */
export function weekdayOf(year: number, month: number, day: number): number {
  const shifted = month < 3 ? year - 1 : year
  const leaps = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400)
  return (shifted + leaps + (OFFSETS[month - 1] ?? 0) + day) % 7
}

/** Weekday offsets of the months, by Sakamoto's method. */
const OFFSETS = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]

/** Whether the day exists in some year. */
export const isDay = (month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= (DAYS[month - 1] ?? 0)

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
