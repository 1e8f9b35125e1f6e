/** A span of time, in milliseconds since the epoch; the end is not part of it. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Whether a time, such as that of an order, is within a span; one that is not known is not. */
export const isWithin = (at: number | null, { from, to }: Span): boolean =>
  at !== null && at >= from && at < to

/** Milliseconds of a day. */
export const DAY = 86_400_000
export const MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(' ')
const COUNTS: Readonly<Record<string, number>> = {
  a: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
}

/**
 * The time at which a text says that something was ordered: "last week", "yesterday", "two weeks ago", "in
 * September", "on October 15". `null` if it says none.
 */
export function spanIn(text: string, now: number): Span | null {
  const said = text.toLowerCase()
  const today = Math.floor(now / DAY) * DAY
  return relative(said, today) ?? ago(said, today) ?? calendar(said, now)
}

function relative(said: string, today: number): Span | null {
  const weekday = (new Date(today).getUTCDay() + 6) % 7
  const monday = today - weekday * DAY
  const month = new Date(today)
  const first = (offset: number): number =>
    Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + offset, 1)
  const rows: readonly (readonly [RegExp, Span])[] = [
    [/\b(?:today|this morning|tonight|earlier today)\b/, { from: today, to: today + DAY }],
    [/\byesterday\b/, { from: today - DAY, to: today }],
    [/\bthis week\b/, { from: monday, to: today + DAY }],
    // People count back seven days as often as they mean the calendar's week.
    [
      /\b(?:last|past|previous) week\b/,
      { from: monday - 7 * DAY, to: Math.max(monday, today - 2 * DAY) },
    ],
    [/\bthis month\b/, { from: first(0), to: today + DAY }],
    [/\b(?:last|past|previous) month\b/, { from: first(-1), to: first(0) }],
    [/\bthis year\b/, { from: Date.UTC(month.getUTCFullYear(), 0, 1), to: today + DAY }],
    [/\b(?:the other day|recently|few days ago)\b/, { from: today - 6 * DAY, to: today + DAY }],
  ]
  return rows.find(([pattern]) => pattern.test(said))?.[1] ?? null
}

function ago(said: string, today: number): Span | null {
  const [, count = '', unit = ''] =
    /\b(a|one|two|three|four|five|six|\d{1,2}) (day|week|month)s? ago\b/.exec(said) ?? []
  const number = COUNTS[count] ?? Number(count)
  if (unit === '' || !Number.isFinite(number)) return null
  const days = { day: 1, week: 7, month: 30 }[unit] ?? 1
  const slack = { day: 0, week: 3, month: 14 }[unit] ?? 0
  const at = today - number * days * DAY
  return { from: at - slack * DAY, to: at + (slack + 1) * DAY }
}

const NAMES = MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join('|')
const DATED = new RegExp(
  `\\b(?:in|from|on|of|ordered|placed|bought|since|the)\\s+(?:the\\s+)?(?:(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?(${NAMES})|(${NAMES})\\.?(?:\\s+(\\d{1,2})(?:st|nd|rd|th)?)?)\\b`,
)

function calendar(said: string, now: number): Span | null {
  const [, dayBefore, monthAfter, monthBefore, dayAfter] = DATED.exec(said) ?? []
  const name = monthAfter ?? monthBefore
  if (name === undefined) return null
  const month = MONTHS.findIndex((one) => one.startsWith(name.slice(0, 3)))
  const date = new Date(now)
  // A month that is still to come was that of last year.
  const year = date.getUTCFullYear() - (month > date.getUTCMonth() ? 1 : 0)
  const day = Number(dayBefore ?? dayAfter ?? 0)
  return day === 0
    ? { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 1) }
    : { from: Date.UTC(year, month, day), to: Date.UTC(year, month, day + 1) }
}

const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')

/** The day, as `2025-10-21`, on which a text says that a parcel comes: "the package tomorrow", "what comes on the 21st". */
export function dayOfComing(text: string, now: number): string | null {
  const said = text.toLowerCase()
  if (!COMES.test(said)) return null
  const today = Math.floor(now / DAY) * DAY
  const weekday = WEEKDAYS.findIndex((name) => new RegExp(`\\b${name}\\b`, 'u').test(said))
  const dated = Number(/\bthe (\d{1,2})(?:st|nd|rd|th)\b/u.exec(said)?.[1] ?? 0)
  const at = /\btoday\b/u.test(said)
    ? today
    : /\btomorrow\b/u.test(said)
      ? today + DAY
      : weekday >= 0
        ? next(today, (day) => day.getUTCDay() === weekday)
        : dated > 0
          ? next(today, (day) => day.getUTCDate() === dated)
          : null
  return at === null ? null : new Date(at).toISOString().slice(0, 10)
}

/** A parcel that is told by its day: of a thing, the day is rather a question. */
const COMES =
  /\b(?:parcels?|packages?|delivery|order|shipment|one|something|anything|box)\b[^.!?]{0,40}\b(?:com(?:es|ing)|arriv(?:es|ing)|due|expected|here|today|tomorrow|(?:sun|mon|tues|wednes|thurs|fri|satur)day)\b|\bwhat(?:'s| is|s)? (?:com(?:es|ing)|arriv(?:es|ing))\b/u

/** The next day within two months that fits, from today on. */
export function next(today: number, fits: (day: Date) => boolean): number | null {
  for (let days = 0; days < 62; days += 1) {
    if (fits(new Date(today + days * DAY))) return today + days * DAY
  }
  return null
}
