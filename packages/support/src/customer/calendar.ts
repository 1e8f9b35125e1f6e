/** A day, as milliseconds since the epoch at its beginning. */
export type Day = number

const LENGTH = 86_400_000
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
export const WEEKDAYS: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
]

const NAME = `(?:${MONTHS.join('|')})[a-z]*\\.?`
const DATED = new RegExp(
  `\\b(?:(?<before>${NAME}) (?:the )?(?<after>\\d{1,2})(?:st|nd|rd|th)?(?:,? (?<year>\\d{4}))?|(?:the )?(?<first>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<then>${NAME})|(?<only>\\d{1,2})(?:st|nd|rd|th))\\b`,
  'giu',
)

/** The weekday of a day: 0 for Sunday. */
export const weekdayOf = (day: Day): number => new Date(day).getUTCDay()

/** A day in words: "Oct 20". */
export function dayInWords(day: Day): string {
  const date = new Date(day)
  const name = MONTHS[date.getUTCMonth()] ?? ''
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${date.getUTCDate()}`
}

/**
 * The days that a text names: "Oct 20", "the 20th of October", "the 20th". A day without a month is one of those that
 * were spoken of, or else the next one. A month without a year is the nearest.
 */
export function daysIn(text: string, now: number, spoken: readonly Day[] = []): readonly Day[] {
  const today = Math.floor(now / LENGTH) * LENGTH
  return [...text.matchAll(DATED)].flatMap(({ groups = {} }) => {
    const { before, after, year, first, then, only } = groups
    const number = Number(after ?? first ?? only)
    const name = (before ?? then)?.slice(0, 3).toLowerCase()
    const day =
      name === undefined
        ? (spoken.find((one) => new Date(one).getUTCDate() === number) ?? nextOf(number, today))
        : nearest(MONTHS.indexOf(name), number, year === undefined ? null : Number(year), today)
    return day === null ? [] : [day]
  })
}

/** The next day with this number, today among them. */
function nextOf(number: number, today: Day): Day | null {
  const all = Array.from({ length: 62 }, (_, days) => today + days * LENGTH)
  return all.find((day) => new Date(day).getUTCDate() === number) ?? null
}

function nearest(month: number, number: number, year: number | null, today: Day): Day | null {
  const now = new Date(today).getUTCFullYear()
  const years = year === null ? [now - 1, now, now + 1] : [year]
  const days = years
    .map((one) => Date.UTC(one, month, number))
    .filter((day) => new Date(day).getUTCDate() === number)
  return days.toSorted((a, b) => Math.abs(a - today) - Math.abs(b - today))[0] ?? null
}
