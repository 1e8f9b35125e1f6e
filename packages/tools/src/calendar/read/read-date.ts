import type { Temporal } from 'temporal-polyfill'
import { readCount } from '../count.ts'
import { continued, date } from '../date.ts'
import { formatDay } from '../format-date.ts'
import { dated } from '../dated.ts'
import { duration } from '../duration.ts'
import { holiday } from '../holidays.ts'
import { skipIdiom } from './idioms.ts'
import { mattersToDate } from './leftovers.ts'
import { Ambiguous, Misread } from './misread.ts'
import { weekdayNumbers } from './names.ts'
import { type Place, advance, peek, take, textBetween } from './place.ts'
import { endOf } from './pair.ts'
import { QUESTION_WORDS } from './question-words.ts'
import { span } from './span.ts'
import { type Token, tokenise } from './token.ts'

/**
 * The one date that a question means, the number of days (or of what else it counts) that it asks
 * for, or a sentence that says why there is neither.
 */
export type Reading =
  | { readonly date: Temporal.PlainDate }
  | { readonly count: number }
  | { readonly error: string; readonly isAmbiguous?: true }

/**
 * Reads an English question about a date, such as `What day is 45 days after March 3, 2024?`, or
 * for a number of days, such as `How many days are left until Easter?`.
 * A sentence may surround the date, but a word that may bear on it and was not understood, a
 * second date, or a span of days is an error: a date is never guessed.
 */
export function readDate(query: string, today: Temporal.PlainDate): Reading {
  try {
    const start = supposed({ tokens: tokenise(query), index: 0, today })
    const count = readCount(start)
    return count === undefined ? { date: theOneDate(scan(start), start.today) } : { count }
  } catch (error) {
    if (error instanceof Ambiguous) return { error: error.message, isAmbiguous: true }
    if (error instanceof Misread) return { error: error.message }
    // Temporal's own answer to a day beyond its calendar, some 270,000 years from now.
    if (error instanceof RangeError) return { error: `that day is too far away; ${EXAMPLE}` }
    throw error
  }
}

/** Behind `If today is March 3, 2024`, and on that day; else where it was. */
function supposed(place: Place): Place {
  const rest = take(place, ...SUPPOSING)
  const day = rest && endOf(dated)(rest)
  if (!day || !('date' in day.value)) return place
  return { tokens: place.tokens.slice(day.rest.index), index: 0, today: day.value.date }
}

const SUPPOSING = ['if', 'suppose', 'assuming'].flatMap((word) =>
  ['is', 'was', 'were'].map((verb) => `${word} today ${verb}`),
)

/** A question taken apart. */
interface Scan {
  readonly dates: readonly Temporal.PlainDate[]
  /** Spans of days, as they stand in the question. */
  readonly spans: readonly string[]
  readonly rest: readonly Token[]
  /** Words that make a date another one than was read, as `Super Bowl` does to `Sunday`. */
  readonly doubts: readonly Token[]
}

const EXAMPLE = 'ask for one date, such as "45 days after March 3, 2024"'

function scan(start: Place): Scan {
  const dates: Temporal.PlainDate[] = []
  const spans: string[] = []
  const rest: Token[] = []
  const doubts: Token[] = []
  for (let place = start; ;) {
    const token = peek(place)
    if (!token) return { dates, spans, rest, doubts }
    const said = dates.at(-1)
    const more = said && continued(place, said)
    const day = date(place)
    const days = span(place)
    const idiom = skipIdiom(place)
    if (idiom) {
      place = idiom
    } else if (more && more.rest.index >= (day?.rest.index ?? 0)) {
      dates[dates.length - 1] = more.value
      doubts.push(...doubtsAbout(place, more.rest))
      place = more.rest
    } else if (days && days.rest.index > (day?.rest.index ?? 0)) {
      spans.push(textBetween(place, days.rest))
      place = days.rest
    } else if (day) {
      dates.push(day.value)
      doubts.push(...doubtsAbout(place, day.rest))
      place = day.rest
    } else {
      rest.push(token)
      place = advance(place)
    }
  }
}

/**
 * A holiday's name means another day elsewhere, so nothing but a plain question may surround it.
 * A weekday may be part of a name (`Clean Monday`), and `of` belongs to a date that went on.
 */
function doubtsAbout(from: Place, to: Place): readonly Token[] {
  const unknown = (token: Token): boolean =>
    token.type === 'word' && !QUESTION_WORDS.has(token.text)
  const before = peek(from, -1)
  const rough = before && isRough(from) ? [before] : []
  if (namesHoliday(from, to)) {
    const around = [...from.tokens.slice(0, from.index), ...to.tokens.slice(to.index)]
    return [...around.filter(unknown), ...rough]
  }
  const weekdayAlone = to.index === from.index + 1 && weekdayNumbers.has(peek(from)?.text ?? '')
  const behind = peek(to)
  return [
    ...rough,
    ...(weekdayAlone && before && unknown(before) ? [before] : []),
    ...(behind?.text === 'of' ? [behind] : []),
  ]
}

/** `about two weeks after`, and not `how about 3 March`. */
function isRough(from: Place): boolean {
  const about = ['about', 'around'].includes(peek(from, -1)?.text ?? '')
  return about && peek(from, -2)?.text !== 'how' && duration(from) !== undefined
}

function namesHoliday(from: Place, to: Place): boolean {
  for (let place = from; place.index < to.index; place = advance(place)) {
    if (holiday(place)) return true
  }
  return false
}

function theOneDate(
  { dates, spans, rest, doubts }: Scan,
  today: Temporal.PlainDate,
): Temporal.PlainDate {
  const [first, ...others] = dates
  const unread = rest.filter((token) => mattersToDate(token) || doubts.includes(token))
  if (!first && asksForToday(rest)) return today
  if (unread.length > 0) {
    const words = new Set(unread.map(({ text }) => `"${text}"`))
    throw new Misread(`not understood: ${[...words].join(', ')}; ${EXAMPLE}`)
  }
  if (spans.length > 0) throw new Misread(`"${spans[0]}" is a span of days, not a date; ${EXAMPLE}`)
  if (!first) throw new Misread(`no date is understood in the question; ${EXAMPLE}`)
  const other = others.find((date) => !date.equals(first))
  if (other)
    throw new Misread(`${formatDay(first)} and ${formatDay(other)} are two dates; ${EXAMPLE}`)
  return first
}

/** `What day is it?`, without a word about another day. */
function asksForToday(rest: readonly Token[]): boolean {
  const text = rest.map((token) => token.text).join(' ')
  return /^(?:(?:what|which) (?:(?:day|date|weekday) )?is it|(?:what )?(?:is )?(?:the )?(?:current )?date)$/u.test(
    text,
  )
}
