import type { Temporal } from 'temporal-polyfill'
import { monthName, weekdayName } from './read/names.ts'

/** `Monday, September 8, 2025`: without zero padding, independent of the host's language. */
export const formatDate = (date: Temporal.PlainDate): string =>
  `${weekdayName(date.dayOfWeek)}, ${formatDay(date)}`

/** `September 8, 2025`. */
export const formatDay = (date: Temporal.PlainDate): string =>
  `${monthName(date.month)} ${date.day}, ${date.year}`
