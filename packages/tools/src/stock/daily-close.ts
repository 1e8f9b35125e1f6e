/** What a share cost when a trading day closed. A type alias, so that it counts as JSON. */
export type DailyClose = {
  /** ISO, such as 2018-05-11. */
  readonly date: string
  /** In the source's currency. */
  readonly close: number
}

/** Whether a text is a day that the calendar has, written as 2018-05-11. */
export function isIsoDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const at = Date.parse(text)
  // February 30 parses, as March 2.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
