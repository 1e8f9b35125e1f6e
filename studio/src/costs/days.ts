const DAY_MS = 86_400_000

/** A day as the server sums it up (UTC), some days before today. */
export const dayBefore = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

/** All days from one to another, so that days without a run are seen too. */
export function daysBetween(since: string, until: string): readonly string[] {
  const days: string[] = []
  for (let at = Date.parse(since); at <= Date.parse(until); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10))
  }
  return days
}

const SHORT = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** Such as `Nov 27`. */
export const shortDay = (day: string): string => SHORT.format(Date.parse(day))
