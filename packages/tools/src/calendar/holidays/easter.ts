import { Temporal } from 'temporal-polyfill'

/**
 * Easter Sunday of the Western churches in a Gregorian year: the Meeus/Jones/Butcher algorithm
 * (Jean Meeus, Astronomical Algorithms, 2nd edition 1998, chapter 8), with its variable names.
 * `undefined` before 1583, the first full Gregorian year.
 */
export function easter(year: number): Temporal.PlainDate | undefined {
  if (year < 1583) return undefined
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const days = h + l - 7 * m + 114
  return Temporal.PlainDate.from({ year, month: Math.floor(days / 31), day: (days % 31) + 1 })
}

/**
 * Easter Sunday of the Orthodox churches as a Gregorian date: Meeus's algorithm for the Julian
 * calendar (in the same chapter). `undefined` before 1583 and after 2999.
 */
export function orthodoxEaster(year: number): Temporal.PlainDate | undefined {
  if (year < 1583 || year > 2999) return undefined
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  const days = d + e + 114
  const julian = { year, month: Math.floor(days / 31), day: (days % 31) + 1 }
  return Temporal.PlainDate.from(julian).add({ days: julianDaysBehind(year) })
}

/** Days by which the Julian calendar is behind, from March on. */
const julianDaysBehind = (year: number): number =>
  Math.floor(year / 100) - Math.floor(year / 400) - 2
