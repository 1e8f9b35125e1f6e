import { FEASTS, MONTHS, WEEKDAYS } from './names.ts'
import { isoDate, partsOf, shifted, weekdayOf } from './civil.ts'
import { cardinal, ordinal } from './numerals.ts'
import { type Found, here, on, past, pastAny, type Place } from './words.ts'

/** A day that a question names. */
export interface Day {
  /** In words that the calendar tool reads in only one way. */
  readonly phrase: string
  /** The date, if the question spells it out or it is today. */
  readonly iso?: string
  /** Written in digits only, so it could also be a calculation. */
  readonly digits?: true
  /** A month and a day without a year. */
  readonly yearless?: { readonly month: number; readonly day: number }
  /** A feast without a year: the next one, so past tense contradicts it. */
  readonly coming?: true
}

/** The longest name of a day that begins here. */
export function day(place: Place): Found<Day> {
  const readers = [written, numeric, relative, ofMonth, ofYear, feast, weekdayFrom]
  let best: Found<Day>
  for (const read of readers) {
    const found = read(place)
    if (found !== undefined && found.next.at > (best?.next.at ?? -1)) best = found
  }
  return best
}

function exact(iso: string | undefined, next: Place): Found<Day> {
  return iso === undefined ? undefined : { thing: { phrase: iso, iso }, next }
}

/** A four-digit year, after `,`, `of`, `in` or nothing. */
function year(place: Place): Found<number> {
  const link = pastAny(place, [', in', ', of', ',', 'of the year', 'in the year', 'of', 'in'])
  const at = link ?? place
  return /^[12]\d{3}$/.test(here(at)) ? { thing: Number(here(at)), next: on(at) } : undefined
}

/** `March 3rd, 2024`, `the 3rd of March 2024`, `Monday, September 1, 2025`. */
function written(place: Place): Found<Day> {
  const weekday = WEEKDAYS.get(here(place))
  const behind = weekday === undefined ? place : on(place)
  const comma = weekday === undefined ? undefined : past(behind, ',')
  const found = monthAndDay(comma ?? behind)
  if (found === undefined) return undefined
  const { month, day: date } = found.thing
  const inYear = year(found.next)
  if (inYear === undefined) {
    const phrase = `${MONTH_NAMES[month - 1] ?? ''} ${date}`
    return weekday === undefined
      ? { thing: { phrase, yearless: found.thing }, next: found.next }
      : undefined
  }
  const iso = isoDate(inYear.thing, month, date)
  const isRight = weekday === undefined || (iso !== undefined && weekdayOf(iso) === weekday)
  return isRight ? exact(iso, inYear.next) : undefined
}

const MONTH_NAMES = [...new Map([...MONTHS].map(([name, month]) => [month, name])).values()]

function monthAndDay(place: Place): Found<{ readonly month: number; readonly day: number }> {
  const month = MONTHS.get(here(place))
  if (month !== undefined) {
    const at = past(on(place), 'the') ?? on(place)
    const date = ordinal(at) ?? dayOfMonth(at)
    return date && { thing: { month, day: date.thing }, next: date.next }
  }
  const start = past(place, 'the') ?? place
  const date = ordinal(start) ?? dayOfMonth(start)
  if (date === undefined) return undefined
  const at = pastAny(date.next, ['day of', 'of', '-']) ?? date.next
  const later = MONTHS.get(here(at))
  return later === undefined
    ? undefined
    : { thing: { month: later, day: date.thing }, next: on(at) }
}

function dayOfMonth(place: Place): Found<number> {
  return /^\d{1,2}$/.test(here(place)) ? { thing: Number(here(place)), next: on(place) } : undefined
}

/** `2025-09-08`, `25.12.2023`; not a date if day and month can be swapped. */
function numeric(place: Place): Found<Day> {
  const parts = here(place).split(/[-/.]/)
  if (parts.length !== 3) return undefined
  const [a = 0, b = 0, c = 0] = parts.map(Number)
  if (parts[0]?.length === 4) return inDigitsOnly(isoDate(a, b, c), on(place))
  const isDayFirst = a > 12 || a === b
  const isMonthFirst = b > 12
  if (!isDayFirst && !isMonthFirst) return undefined
  return inDigitsOnly(isDayFirst ? isoDate(c, b, a) : isoDate(c, a, b), on(place))
}

function inDigitsOnly(iso: string | undefined, next: Place): Found<Day> {
  return iso === undefined ? undefined : { thing: { phrase: iso, iso, digits: true }, next }
}

const NEAR: readonly (readonly [phrase: string, days: number])[] = [
  ['the day after tomorrow', 2],
  ['day after tomorrow', 2],
  ['the day before yesterday', -2],
  ['day before yesterday', -2],
  ['tomorrow', 1],
  ['yesterday', -1],
  ['today', 0],
  ['right now', 0],
  ['now', 0],
]

function relative(place: Place): Found<Day> {
  if (place.today === '') return undefined
  for (const [phrase, days] of NEAR) {
    const next = past(place, phrase)
    if (next !== undefined) {
      const said = days === 0 ? 'today' : phrase
      return { thing: { phrase: said, iso: shifted(place.today, days) }, next }
    }
  }
  return undefined
}

/**
 * `next Monday`, if every way of counting gives the same day: a weekday that has passed this week, or today.
 * Likewise `last Friday` needs one that has not come yet this week.
 */
function weekdayFrom(place: Place): Found<Day> {
  const start = past(place, 'the') ?? place
  // "The last Friday" belongs to an unnamed month.
  const isBare = start.at === place.at || here(start) !== 'last'
  const which = isBare
    ? pastAny(start, ['this coming', 'next', 'last', 'this', 'coming', 'upcoming'])
    : undefined
  const weekday = which && WEEKDAYS.get(here(which))
  if (which === undefined || weekday === undefined || place.today === '') return undefined
  const thirteenth = pastAny(on(which), ['the 13th', 'the thirteenth'])
  if (thirteenth !== undefined) {
    return weekday === 4 && here(start) === 'next'
      ? { thing: { phrase: 'the next Friday the 13th' }, next: thirteenth }
      : undefined
  }
  const now = weekdayOf(place.today)
  const isClear = { next: weekday <= now, last: weekday >= now }[here(start)] ?? weekday > now
  const word = here(start) === 'last' || here(start) === 'next' ? here(start) : 'this coming'
  return isClear ? { thing: { phrase: `${word} ${here(which)}` }, next: on(which) } : undefined
}

/** `the third Thursday of November 2025`, `the last day of next month`, `the last working day of …`. */
function ofMonth(place: Place): Found<Day> {
  const start = past(place, 'the') ?? place
  const nth = here(start) === 'last' ? { thing: 'last', next: on(start) } : ordinalWord(start)
  if (nth === undefined) return undefined
  const what = kindOfDay(nth.next)
  const link = what && pastAny(what.next, ['of the month of', 'of', 'in'])
  const span = link && monthSpan(link)
  if (what === undefined || span === undefined) return undefined
  if (what.thing === 'working day' && !hasWorkRule(place.words)) return undefined
  const isOfMonth = what.thing === 'day' && /[a-z]/.test(span.thing)
  if (isOfMonth && Number.parseInt(nth.thing, 10) > 28) return undefined
  return { thing: { phrase: `the ${nth.thing} ${what.thing} of ${span.thing}` }, next: span.next }
}

function ordinalWord(place: Place): Found<string> {
  const found = ordinal(place)
  return found && { thing: inDigits(found.thing), next: found.next }
}

/** Working days depend on holidays, unless the question says that only weekends are excluded. */
export function hasWorkRule(words: readonly string[]): boolean {
  const text = words.join(' ')
  return /monday (?:to|through) friday|(?:ignor|disregard|no )\w* (?:all |any )?(?:public |bank )?holidays|weekends (?:do not|don ' t) count|(?:not counting|excluding) weekends/.test(
    text,
  )
}

/** `3rd`, in the form that the calendar tool reads. */
export function inDigits(n: number): string {
  const teen = n % 100 > 10 && n % 100 < 14
  return `${n}${teen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[n % 10] ?? 'th')}`
}

function kindOfDay(place: Place): Found<string> {
  const work = pastAny(place, ['working day', 'business day', 'workday', 'weekday'])
  if (work !== undefined) return { thing: 'working day', next: work }
  const friday13 = pastAny(place, ['friday the 13th', 'friday the thirteenth'])
  if (friday13 !== undefined) return { thing: 'Friday the 13th', next: friday13 }
  const isDay = here(place) === 'day' || WEEKDAYS.has(here(place))
  return isDay ? { thing: here(place), next: on(place) } : undefined
}

function monthSpan(place: Place): Found<string> {
  const month = MONTHS.get(here(place))
  if (month !== undefined) {
    const found = year(on(place)) ?? namedYear(on(place))
    const name = MONTH_NAMES[month - 1] ?? ''
    return found && { thing: `${name} ${found.thing}`, next: found.next }
  }
  for (const phrase of ['this month', 'next month', 'last month', 'the month']) {
    const next = past(place, phrase)
    if (next !== undefined) return { thing: phrase.replace('the', 'this'), next }
  }
  const whole = past(place, 'the year') ?? place
  return /^[12]\d{3}$/.test(here(whole)) ? { thing: here(whole), next: on(whole) } : undefined
}

/** `this year` after a month, as a number. */
function namedYear(place: Place): Found<number> {
  const at = pastAny(place, ['of', 'in']) ?? place
  const shift = { this: 0, next: 1, last: -1 }[here(at)]
  const isYear = shift !== undefined && here(at, 1) === 'year' && place.today !== ''
  return isYear ? { thing: partsOf(place.today)[0] + shift, next: on(at, 2) } : undefined
}

/** `the 100th day of 2026`, `day 45 of 2025`, `the Monday of ISO week 10 in 2026`, `the end of this year`. */
function ofYear(place: Place): Found<Day> {
  const start = past(place, 'the') ?? place
  const numbered = pastAny(start, ['day number', 'day'])
  const count = numbered && cardinal(numbered)
  const inYear = count && year(count.next)
  if (count !== undefined && inYear !== undefined) {
    return { thing: { phrase: `day ${count.thing} of ${inYear.thing}` }, next: inYear.next }
  }
  const end = pastAny(start, ['end of', 'start of', 'beginning of'])
  if (end !== undefined) {
    const which = here(start) === 'end' ? 'last' : 'first'
    const whole = yearSpan(end)
    return whole && { thing: { phrase: `the ${which} day of ${whole.thing}` }, next: whole.next }
  }
  const weekday = WEEKDAYS.has(here(start)) ? here(start) : undefined
  const week = weekday && pastAny(on(start), ['of iso week', 'in iso week'])
  const number = week && cardinal(week)
  const isoYear = number && year(number.next)
  if (!number || !isoYear || weekday === undefined) return undefined
  const phrase = `the ${weekday} of ISO week ${number.thing} of ${isoYear.thing}`
  return { thing: { phrase }, next: isoYear.next }
}

function yearSpan(place: Place): Found<string> {
  const named = namedYear(place) ?? year(place)
  return named ? { thing: String(named.thing), next: named.next } : monthSpan(place)
}

/** A listed holiday, in a given year or the next one. */
function feast(place: Place): Found<Day> {
  const start = past(place, 'the') ?? place
  const which = pastAny(start, ['next', 'coming']) ?? start
  const found = FEASTS.flatMap((name) => {
    const next = past(which, name)
    return next === undefined ? [] : [{ name, next }]
  }).toSorted((a, b) => b.next.at - a.next.at)[0]
  if (found === undefined) return undefined
  const name = found.name.replaceAll(" 's", "'s").replaceAll(" '", "'")
  const isBare = which.at === start.at
  const inYear = isBare ? (year(found.next) ?? namedYear(found.next)) : undefined
  return inYear === undefined
    ? { thing: { phrase: name, coming: true }, next: found.next }
    : { thing: { phrase: `${name} ${inYear.thing}` }, next: inYear.next }
}
