import { Body, Ecliptic, GeoVector, SearchMoonPhase, SearchSunLongitude } from 'astronomy-engine'
import { Temporal } from 'temporal-polyfill'
import { Ambiguous } from '../read/misread.ts'
import { onlyDay, requireKnown } from './rules.ts'
import { formatDay } from '../format-date.ts'
import type { Yearly } from '../yearly.ts'

/** The lunar months from spring on. Each lasts from new moon to new moon (amanta). */
const MONTHS = [
  'Chaitra',
  'Vaishakha',
  'Jyeshtha',
  'Ashadha',
  'Shravana',
  'Bhadrapada',
  'Ashvin',
  'Kartika',
  'Margashirsha',
  'Pausha',
  'Magha',
  'Phalguna',
] as const

export type LunarMonth = (typeof MONTHS)[number]

/**
 * Parts of a day, in hours of Indian time. A festival is on the day whose part falls in its lunar
 * day (tithi). Sunrise and sunset are set to their mean times, 6 and 18 o'clock.
 */
const PARTS = {
  sunrise: [6, 6],
  noon: [10.8, 13.2],
  afternoon: [13.2, 15.6],
  evening: [18, 20.4],
  midnight: [23.6, 24.4],
} as const

export type PartOfDay = keyof typeof PARTS

/**
 * A festival of the Hindu lunar calendar: the day on which a part of the day falls in a lunar day of
 * a month. Lunar days are 1 to 15 while the moon waxes and 16 to 30 while it wanes. With `sunrise`,
 * a lunar day that spans two sunrises is on the first of the two days; one without a sunrise is on
 * the day it begins. Positions of sun and moon are those of `astronomy-engine`; the zodiac is that
 * of the Indian national almanac (Lahiri).
 * @throws Ambiguous if the lunar day covers that part of two days, or of none
 * @throws Misread outside the years 1900 to 2100
 */
export function lunarDay(month: LunarMonth, tithi: number, part: PartOfDay): Yearly {
  return (year) => {
    const days = monthStarts(inAlmanacs(year), MONTHS.indexOf(month)).flatMap((start) => {
      const from = elongationAt((tithi - 1) * DEGREES_PER_TITHI, start)
      const to = elongationAt(tithi * DEGREES_PER_TITHI, from + DAY / 2)
      return dayAt((from + to) / 2).year === year ? dayOf(from, to, part) : []
    })
    return onlyDay(days)
  }
}

/**
 * The day on which the sun enters a sign of the Indian zodiac, which begins at a longitude in
 * degrees: 0 for Mesha, 270 for Makara. An entry after `latest` o'clock in India counts for the next
 * day.
 */
export function sunEnters(longitude: number, latest = 24): Yearly {
  return (year) => {
    const tropical = (longitude + ayanamsa(year)) % 360
    const start = new Date(Date.UTC(inAlmanacs(year), 0, 1))
    const found = SearchSunLongitude(tropical, start, 366)?.date.getTime()
    if (found === undefined) return undefined
    const hours = (((found + INDIA) % DAY) + DAY) % DAY
    return dayAt(found).add({ days: hours / HOUR >= latest ? 1 : 0 })
  }
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Indian time is five and a half hours ahead of UTC. */
const INDIA = 5.5 * HOUR
const DEGREES_PER_TITHI = 12

const inAlmanacs = (year: number): number => requireKnown(year, 1900, 2100)

const dayAt = (time: number): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(time + INDIA))
    .toZonedDateTimeISO('UTC')
    .toPlainDate()

/**
 * The offset of the Indian zodiac from the equinox in degrees: 23.853 in the year 2000, growing by
 * 50.29 seconds of arc a year.
 */
const ayanamsa = (year: number): number => 23.853 + ((year - 2000) * 50.29) / 3600

/** The first time after `from` at which the moon is this many degrees ahead of the sun. */
function elongationAt(degrees: number, from: number): number {
  const found = SearchMoonPhase(degrees % 360, new Date(from - HOUR / 60), 31)
  if (!found) throw new RangeError('the moon has no such phase within a month')
  return found.date.getTime()
}

/** The sign of the Indian zodiac, 0 to 11, in which the sun is. */
function sunSign(time: number): number {
  const { elon } = Ecliptic(GeoVector(Body.Sun, new Date(time), true))
  const year = new Date(time).getUTCFullYear()
  return Math.floor((((elon - ayanamsa(year)) % 360) + 360) / 30) % 12
}

/**
 * The new moons at which months of this name begin, for all months that overlap a year. A month is
 * named after the sign that the sun enters in it. A month in which the sun enters no sign is a leap
 * month; the next month has the same name.
 */
function monthStarts(year: number, month: number): readonly number[] {
  const starts: number[] = []
  let moon = elongationAt(0, Date.UTC(year - 1, 10, 25))
  while (moon < Date.UTC(year + 1, 0, 1)) {
    const next = elongationAt(0, moon + DAY)
    const isLeap = sunSign(moon) === sunSign(next)
    if (!isLeap && (sunSign(moon) + 1) % 12 === month) starts.push(moon)
    moon = next
  }
  return starts
}

function dayOf(from: number, to: number, part: PartOfDay): Temporal.PlainDate {
  const [begin, end] = PARTS[part]
  const days = [-1, 0, 1, 2].map((ahead) => dayAt(from).add({ days: ahead }))
  const matching = days.filter((day) => {
    const midnight = day.toZonedDateTime('UTC').epochMilliseconds - INDIA
    return midnight + end * HOUR >= from && midnight + begin * HOUR < to
  })
  const [only, other] = matching
  if (part === 'sunrise') return only ?? dayAt(from)
  if (only && !other) return only
  const [one, two] = only && other ? [only, other] : [dayAt(from), dayAt(to)]
  throw new Ambiguous(
    `almanacs differ: it can be ${formatDay(one)} or ${formatDay(two)}; ask with the date itself`,
    [one, two],
  )
}
