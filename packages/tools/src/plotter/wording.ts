import type { Plot, PlotPoint } from './plot.ts'

const dayInYear = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
const count = new Intl.NumberFormat('en-US')

/** Whether there is an average to draw; the first six days of any series have none. */
export const hasAverage = ({ ma7 }: Pick<Plot, 'ma7'>): boolean => ma7.some((mean) => mean !== null)

/** Characters that the font lacks and would draw as boxes. */
const UNWRITABLE =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]|\p{Emoji_Presentation}/u

/**
 * The title on one line. Without a title, or with one in a script other than Latin, Greek and
 * Cyrillic, a heading that names what is drawn.
 */
export function heading({ title, ma7 }: Pick<Plot, 'title' | 'ma7'>): string {
  const given = title?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim() ?? ''
  if (given !== '' && !UNWRITABLE.test(given)) return given
  return hasAverage({ ma7 }) ? 'Closing price and 7-day average' : 'Closing price'
}

/** The days covered: "March 29 to May 11, 2018 (30 trading days)". Repeats no year. */
export function daysCovered(series: readonly PlotPoint[]): string {
  const from = series.at(0)?.date ?? ''
  const to = series.at(-1)?.date ?? ''
  if (series.length < 2) return `${dayInYear.format(new Date(to))} (1 trading day)`
  const first = from.slice(0, 4) === to.slice(0, 4) ? day : dayInYear
  const span = `${first.format(new Date(from))} to ${dayInYear.format(new Date(to))}`
  return `${span} (${count.format(series.length)} trading days)`
}
