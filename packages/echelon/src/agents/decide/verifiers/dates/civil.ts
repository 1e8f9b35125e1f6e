/**
 * Days of the Gregorian calendar, to validate a reading: whether a date exists and its day of the week. The answer
 * itself comes from the calendar tool.
 */

const DAY_MS = 86_400_000

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(iso: string): number {
  return (new Date(`${iso}T00:00:00Z`).getUTCDay() + 6) % 7
}

/**
 * `2025-09-08`; undefined if no such day exists. Years 1753 to 9999: earlier, countries changed to this calendar
 * at different times.
 */
export function isoDate(year: number, month: number, day: number): string | undefined {
  if (year < 1753 || year > 9999) return undefined
  const iso = [year, month, day].map((n) => String(n).padStart(2, '0')).join('-')
  const time = Date.parse(`${iso}T00:00:00Z`)
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(iso) ? undefined : iso
}

/** The day `days` later, or earlier if negative. */
export function shifted(iso: string, days: number): string {
  return new Date(Date.parse(`${iso}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Year, month and day of an ISO date. */
export function partsOf(iso: string): readonly [year: number, month: number, day: number] {
  const [year = 0, month = 0, day = 0] = iso.split('-').map(Number)
  return [year, month, day]
}
