import type { Temporal } from 'temporal-polyfill'
import { readCount } from '../count.ts'
import { continued, date, fromToday } from '../date.ts'
import { formatDay } from '../format-date.ts'
import { dated } from '../dated.ts'
import { duration } from '../duration.ts'
import { holiday } from '../holidays/holiday.ts'
import { skipIdiom } from './idioms.ts'
import { mattersToDate } from './leftovers.ts'
import { Ambiguous, Misread } from './misread.ts'
import { weekdayNumbers } from './names.ts'
import { type Cursor, advance, peek, take, textBetween } from './cursor.ts'
import { endOf } from './pair.ts'
import { QUESTION_WORDS } from './question-words.ts'
import { span } from './span.ts'
import { type Token, tokenize } from './token.ts'

/**
 * The date that a question means, the number that it asks for, or the reason why neither is clear.
 */
export type ReadDate =
  | { readonly date: Temporal.PlainDate }
  | { readonly count: number }
  | { readonly error: string; readonly isAmbiguous?: true }

/**
 * Reads an English question about a date, such as `What day is 45 days after March 3, 2024?`, or
 * for a number of days, such as `How many days are left until Easter?`. A sentence may surround the
 * date. An unknown word that may affect the date, a second date, or a span of days is an error: a
 * date is never guessed.
 */
export function readDate(query: string, today: Temporal.PlainDate): ReadDate {
  try {
    const start = assumeToday({ tokens: tokenize(query), index: 0, today })
    const count = readCount(start)
    return count === undefined ? { date: singleDate(scan(start), start.today) } : { count }
  } catch (error) {
    if (error instanceof Ambiguous) return { error: error.message, isAmbiguous: true }
    if (error instanceof Misread) return { error: error.message }
    // Thrown by Temporal beyond its calendar, some 270,000 years from now.
    if (error instanceof RangeError) return { error: `that date is too far away; ${EXAMPLE}` }
    throw error
  }
}

/** Skips `If today is March 3, 2024` and applies it; otherwise returns the cursor unchanged. */
function assumeToday(cursor: Cursor): Cursor {
  const rest = take(cursor, ...ASSUMPTIONS)
  const day = rest && endOf(dated)(rest)
  if (!day || !('date' in day.value)) return cursor
  return { tokens: cursor.tokens.slice(day.rest.index), index: 0, today: day.value.date }
}

const ASSUMPTIONS = ['if', 'suppose', 'assuming'].flatMap((word) =>
  ['is', 'was', 'were'].map((verb) => `${word} today ${verb}`),
)

/** The parts of a question. */
interface Scan {
  readonly dates: readonly Temporal.PlainDate[]
  /** Spans of days, in the words of the question. */
  readonly spans: readonly string[]
  readonly rest: readonly Token[]
  /** Words that may change the meaning of a date, as `Super Bowl` changes `Sunday`. */
  readonly doubts: readonly Token[]
}

const EXAMPLE = 'ask for one date, such as "45 days after March 3, 2024"'

function scan(start: Cursor): Scan {
  const dates: Temporal.PlainDate[] = []
  const spans: string[] = []
  const rest: Token[] = []
  const doubts: Token[] = []
  for (let cursor = start; ;) {
    const token = peek(cursor)
    if (!token) return { dates, spans, rest, doubts }
    const last = dates.at(-1)
    const more = last && continued(cursor, last)
    const day = date(cursor)
    const days = span(cursor)
    const idiom = skipIdiom(cursor)
    if (idiom) {
      cursor = idiom
    } else if (more && more.rest.index >= (day?.rest.index ?? 0)) {
      dates[dates.length - 1] = more.value
      doubts.push(...doubtsAbout(cursor, more.rest))
      cursor = more.rest
    } else if (days && days.rest.index > (day?.rest.index ?? 0)) {
      spans.push(textBetween(cursor, days.rest))
      cursor = days.rest
    } else if (day) {
      dates.push(day.value)
      doubts.push(...doubtsAbout(cursor, day.rest))
      cursor = day.rest
    } else {
      if (!pointsAtThing(cursor)) rest.push(token)
      cursor = advance(cursor)
    }
  }
}

/** The `this` of `this task`, which does not refer to a time. */
function pointsAtThing(cursor: Cursor): boolean {
  const next = peek(cursor, 1)
  return peek(cursor)?.text === 'this' && next?.type === 'word' && !mattersToDate(next)
}

/**
 * Finds words that may change the meaning of a date. A holiday may be another day elsewhere, so
 * only plain question words may surround it. A weekday may be part of a name (`Clean Monday`), and
 * a following `of` means that the date continues.
 */
function doubtsAbout(from: Cursor, to: Cursor): readonly Token[] {
  const unknown = (token: Token): boolean =>
    token.type === 'word' && !QUESTION_WORDS.has(token.text)
  const before = peek(from, -1)
  const rough = before && isRough(from) ? [before] : []
  if (namesHoliday(from, to)) {
    const around = [...from.tokens.slice(0, from.index), ...to.tokens.slice(to.index)]
    return [...around.filter(unknown), ...rough]
  }
  const weekdayAlone = to.index === from.index + 1 && weekdayNumbers.has(peek(from)?.text ?? '')
  const next = peek(to)
  return [
    ...rough,
    ...unknownName(from, to),
    ...(weekdayAlone && before && unknown(before) ? [before] : []),
    ...(next?.text === 'of' ? [next] : []),
  ]
}

/**
 * The words of an unknown name beside a time from today: `boxing week two years ago` is not today
 * two years ago. Words are a name if only words such as `when is` precede them.
 */
function unknownName(from: Cursor, to: Cursor): readonly Token[] {
  if (fromToday(from)?.rest.index !== to.index) return []
  const before = from.tokens.slice(0, from.index)
  const isName = before.every(({ text }) => ASKING_WHEN.has(text) || !QUESTION_WORDS.has(text))
  return isName ? before.filter(({ text }) => !QUESTION_WORDS.has(text)) : []
}

const ASKING_WHEN = new Set('what which when date day is was will be the'.split(' '))

/** `about two weeks after`, but not `how about 3 March`. */
function isRough(from: Cursor): boolean {
  const about = ['about', 'around'].includes(peek(from, -1)?.text ?? '')
  return about && peek(from, -2)?.text !== 'how' && duration(from) !== undefined
}

function namesHoliday(from: Cursor, to: Cursor): boolean {
  for (let cursor = from; cursor.index < to.index; cursor = advance(cursor)) {
    if (holiday(cursor)) return true
  }
  return false
}

function singleDate(
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
  if (!first) throw new Misread(`no date was found in the question; ${EXAMPLE}`)
  const other = others.find((date) => !date.equals(first))
  if (other)
    throw new Misread(`${formatDay(first)} and ${formatDay(other)} are two dates; ${EXAMPLE}`)
  return first
}

/** `What day is it?`, without a word about another date. */
function asksForToday(rest: readonly Token[]): boolean {
  const text = rest.map((token) => token.text).join(' ')
  return /^(?:(?:what|which) (?:(?:day|date|weekday) )?is it|(?:what )?(?:is )?(?:the )?(?:current )?date)$/u.test(
    text,
  )
}
