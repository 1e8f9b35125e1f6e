import type { Temporal } from 'temporal-polyfill'

/**
 * The nth given weekday (1 for Monday) after a day, the day itself excluded; for a negative n the
 * nth before it.
 */
export function nthWeekday(
  day: Temporal.PlainDate,
  weekday: number,
  n: number,
): Temporal.PlainDate {
  const ahead = (weekday - day.dayOfWeek + 7) % 7
  if (n > 0) return day.add({ days: (ahead === 0 ? 7 : ahead) + (n - 1) * 7 })
  return day.add({ days: ahead - 7 + (n + 1) * 7 })
}
