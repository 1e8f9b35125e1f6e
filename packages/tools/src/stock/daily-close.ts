/** The closing price of one trading day. A type alias, so that it counts as JSON. */
export type DailyClose = {
  /** ISO, such as 2018-05-11. */
  readonly date: string
  /** In the source's currency. */
  readonly close: number
}

/** Whether a text is an existing day in ISO form, such as 2018-05-11. */
export function isIsoDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const at = Date.parse(text)
  // February 30 parses, as March 2.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
