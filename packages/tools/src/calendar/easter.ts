import { Temporal } from 'temporal-polyfill'

/**
 * Easter Sunday of the Western churches in a Gregorian year: the Meeus/Jones/Butcher algorithm
 * (Jean Meeus, Astronomical Algorithms, 2nd edition 1998, chapter 8). The letters are its own.
 * `undefined` before 1583, when there was no Gregorian year.
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
