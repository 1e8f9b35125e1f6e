import { type Day, day } from './day.ts'
import { MONTHS, WEEKDAYS } from './names.ts'
import { date, length } from './step.ts'
import { type Found, here, on, pastAny, type Place, wordsOf } from './words.ts'

/**
 * A piece of a question about dates. Patterns are written in its `kind`: `date` and `length` carry their meaning;
 * `which` is "what day", "on which date"; `kind` is "the date" or "weekday" by itself; `unit` is what a question
 * counts; `span` a month or a year; `weekday` a bare one. Any other word or mark is its own kind.
 */
export interface DatePiece {
  readonly kind: string
  /** Its text in the phrase for the calendar tool; for a plain word, the word itself. */
  readonly phrase: string
  readonly day?: Day
  /** Whether a length is counted in working days. */
  readonly months?: number
}

/** Splits a text into pieces; each date is as long as can be read. */
export function piecesOf(text: string, today: string): readonly DatePiece[] {
  const pieces: DatePiece[] = []
  let place: Place = { words: wordsOf(text), at: 0, today }
  while (place.at < place.words.length) {
    const { thing, next } = piece(place, pieces.at(-1)?.kind ?? '')
    pieces.push(thing)
    place = next
  }
  return pieces
}

/** After these words a length goes backward, whatever follows it: "subtract 10 days from March 5". */
const BACKWARD = new Set(['subtract', 'deduct', 'take', 'away', 'back', 'backward', 'backwards'])

function piece(place: Place, before: string): Exclude<Found<DatePiece>, undefined> {
  const named = BACKWARD.has(before) ? undefined : (asDate(place) ?? asLength(place))
  const found = named ?? asLength(place) ?? asking(place) ?? span(place) ?? unit(place)
  if (found !== undefined) return found
  const word = here(place)
  const kind = WEEKDAYS.has(word) ? 'weekday' : MONTHS.has(word) && word !== 'may' ? 'month' : word
  return { thing: { kind: plain(kind), phrase: word }, next: on(place) }
}

/** Marks with a meaning in patterns get other names. */
function plain(kind: string): string {
  return { '?': 'asked', '.': 'stop', '|': 'bar', ':': 'colon', '!': 'stop' }[kind] ?? kind
}

function asDate(place: Place): Found<DatePiece> {
  const found = date(place) ?? day(place)
  return (
    found && {
      thing: { kind: 'date', phrase: found.thing.phrase, day: found.thing },
      next: found.next,
    }
  )
}

function asLength(place: Place): Found<DatePiece> {
  const found = length(place)
  const { phrase = '', months = 0 } = found?.thing ?? {}
  const isWork = found?.thing.isWork ?? false
  return (
    found && {
      thing: { kind: isWork ? 'worklength' : 'length', phrase, months },
      next: found.next,
    }
  )
}

const KINDS = ['day of the week', 'day of week', 'weekday', 'week day', 'date', 'day']
const QUALIFIED = ['exact', 'calendar', 'current', 'correct']

function asking(place: Place): Found<DatePiece> {
  const start = pastAny(place, ['on', 'at']) ?? place
  const which = pastAny(start, ['what', 'which'])
  const at = which ?? place
  const qualified = pastAny(at, QUALIFIED) ?? at
  const next = pastAny(qualified, KINDS)
  if (next === undefined) return undefined
  const isWeekday = next.words.slice(qualified.at, next.at).join(' ').includes('week')
  const phrase = isWeekday ? 'weekday' : 'date'
  return { thing: { kind: which === undefined ? 'kind' : 'which', phrase }, next }
}

function unit(place: Place): Found<DatePiece> {
  const at = pastAny(place, ['calendar']) ?? place
  const isUnit = ['days', 'weeks'].includes(here(at))
  return isUnit ? { thing: { kind: 'unit', phrase: here(at) }, next: on(at) } : undefined
}

/** `February 2024`, `2025`, `next year`: periods in which days are counted. */
function span(place: Place): Found<DatePiece> {
  const start = pastAny(place, ['the month of', 'the year']) ?? place
  const named = pastAny(start, [
    'this year',
    'next year',
    'last year',
    'this month',
    'next month',
    'last month',
  ])
  const words = (next: Place): string => next.words.slice(start.at, next.at).join(' ')
  if (named !== undefined) return { thing: { kind: 'span', phrase: words(named) }, next: named }
  const month = MONTHS.has(here(start)) ? on(start) : start
  const behind = month === start ? start : (pastAny(month, [',', 'of']) ?? month)
  if (!/^[12]\d{3}$/.test(here(behind))) return undefined
  const next = on(behind)
  return { thing: { kind: 'span', phrase: words(next).replace(' ,', '') }, next }
}
