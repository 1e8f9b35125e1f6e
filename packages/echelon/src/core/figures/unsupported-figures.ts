import { isJsonArray, isJsonObject, type Json } from '../value/json.ts'

import { type CalendarDay, weekdayOf } from './calendar.ts'
import type { Figure } from './figure.ts'
import { readFigures } from './read-figures.ts'

/**
 * The figures of a text that none of its sources holds, as written: numbers, amounts, percentages, days, times,
 * and ids, links and addresses. Nothing is computed: a sum, a difference, a rounded amount or "tomorrow" is
 * unsupported unless a source states it.
 *
 * A day matches in any notation; one without a year matches any year, and a weekday matches a date that falls on
 * it. 29.99, $29.99 and 29,99 are equal, and a currency must match that of the sources, US dollars if they name
 * none. A number that counts ("3 items", "two") may be the length of a list. The digits of an id ("order 12345")
 * stand for it; the numbering of a list from one is ignored. Not read: "one" and "half" by themselves, Roman
 * numerals, and the unit of a number; so 30 days pass if an amount is 30.
 *
 * @param sources the tool's result, the parameters, what the customer said
 */
export function unsupportedFigures(text: string, sources: readonly Json[]): readonly string[] {
  const figures = readFigures(text)
  if (figures.length === 0) return []
  const held = new Held()
  for (const source of sources) held.add(source)
  return figures.filter((figure) => !held.supports(figure)).map(({ said }) => said)
}

/** Values of one source that are searched; tool results have fewer. */
const MOST_VALUES = 10_000

/** The values of the sources, by kind. */
class Held {
  readonly #numbers = new Set<number>()
  readonly #percents = new Set<number>()
  readonly #counts = new Set<number>()
  readonly #days: CalendarDay[] = []
  readonly #months = new Set<number>()
  readonly #weekdays = new Set<number>()
  readonly #ordinals = new Set<number>()
  readonly #times = new Set<number>()
  readonly #ids = new Set<string>()
  readonly #words = new Set<string>()
  readonly #currencies = new Set<string>()
  #left = MOST_VALUES

  add(value: Json, key = ''): void {
    if (this.#left-- <= 0 || value === null || typeof value === 'boolean') return
    if (typeof value === 'number') this.#number(value, PERCENT_KEY.test(key))
    else if (typeof value === 'string') this.#text(value, key)
    else if (isJsonArray(value)) {
      this.#counts.add(value.length)
      for (const item of value) this.add(item, key)
    } else if (isJsonObject(value)) {
      for (const [name, inner] of Object.entries(value)) {
        // Some data uses ids as keys.
        if (/\d/.test(name)) this.#ids.add(name.toLowerCase())
        this.add(inner, name)
      }
    }
  }

  supports(figure: Figure): boolean {
    switch (figure.kind) {
      case 'number':
        return this.#supportsNumber(figure)
      case 'date':
        return figure.days.some((day) => this.#days.some((held) => sameDay(held, day)))
      case 'month':
        return this.#supportsMonth(figure)
      case 'day':
        return this.#ordinals.has(figure.day) || this.#days.some(({ day }) => day === figure.day)
      case 'weekday':
        return this.#supportsWeekday(figure.weekday)
      case 'time':
        return this.#times.has(figure.minutes)
      case 'id':
        return this.#ids.has(figure.id)
      case 'span':
        return this.#ids.has(figure.id) || figure.values.every((one) => this.#numbers.has(one))
      case 'relative':
        return this.#words.has(figure.word)
    }
  }

  #number(value: number, isPercent: boolean): void {
    this.#numbers.add(Math.abs(value))
    if (!isPercent) return
    this.#percents.add(Math.abs(value))
    this.#percents.add(Number((Math.abs(value) * 100).toFixed(6)))
  }

  #text(text: string, key: string): void {
    // A whole value counts as an id, even if a sentence would be split differently.
    if (text.length <= LONGEST_ID) this.#ids.add(text.trim().toLowerCase())
    if (/^currency/i.test(key)) this.#currencies.add(text.trim().toUpperCase())
    for (const figure of readFigures(text)) this.#figure(figure, PERCENT_KEY.test(key))
  }

  #figure(figure: Figure, isPercentKey: boolean): void {
    switch (figure.kind) {
      case 'number':
        for (const value of figure.values) this.#number(value, figure.isPercent || isPercentKey)
        if (figure.currency !== null) this.#currencies.add(figure.currency)
        return
      case 'date':
        this.#days.push(...figure.days)
        return
      case 'month':
        this.#months.add(figure.month)
        if (figure.year !== null) this.#numbers.add(figure.year)
        return
      case 'day':
        this.#ordinals.add(figure.day)
        return
      case 'weekday':
        this.#weekdays.add(figure.weekday)
        return
      case 'time':
        this.#times.add(figure.minutes)
        return
      case 'id':
        this.#addId(figure.id)
        return
      case 'span':
        this.#ids.add(figure.id)
        for (const value of figure.values) this.#number(value, false)
        return
      case 'relative':
        this.#words.add(figure.word)
    }
  }

  #addId(id: string): void {
    this.#ids.add(id)
    // People refer to O-12345 by its digits; not so for a tracking number.
    const [, digits] = /^[a-z]+(?:_[a-z]+)*[-_]?(\d{3,})$/.exec(id) ?? []
    if (digits === undefined) return
    this.#ids.add(digits)
    // "The card ending in 7334".
    if (digits.length > 6) this.#ids.add(digits.slice(-4))
  }

  #supportsNumber(figure: Extract<Figure, { kind: 'number' }>): boolean {
    const { values, currency, isPercent, counts, said } = figure
    if (isPercent) return values.some((value) => this.#percents.has(value))
    if (currency !== null) {
      const fits = this.#currencies.size === 0 ? currency === 'USD' : this.#currencies.has(currency)
      return fits && values.some((value) => this.#numbers.has(value))
    }
    return (
      values.some((value) => this.#numbers.has(value) || (counts && this.#counts.has(value))) ||
      this.#ids.has(said) ||
      this.#days.some(
        ({ year }) => year !== undefined && values.includes(year) && said.length === 4,
      )
    )
  }

  #supportsMonth({ month, year }: Extract<Figure, { kind: 'month' }>): boolean {
    const isDated = this.#days.some(
      (held) =>
        held.month === month && (year === null || held.year === undefined || held.year === year),
    )
    return isDated || (this.#months.has(month) && (year === null || this.#numbers.has(year)))
  }

  #supportsWeekday(weekday: number): boolean {
    const falls = ({ year, month, day }: CalendarDay): boolean =>
      year !== undefined && weekdayOf(year, month, day) === weekday
    return this.#weekdays.has(weekday) || this.#days.some(falls)
  }
}

const PERCENT_KEY = /percent|pct|rate|discount|share/i
const LONGEST_ID = 64

const sameDay = (a: CalendarDay, b: CalendarDay): boolean =>
  a.month === b.month &&
  a.day === b.day &&
  (a.year === undefined || b.year === undefined || a.year === b.year)
