import type { Temporal } from 'temporal-polyfill'
import { closest } from './closest.ts'
import { dated } from './dated.ts'
import { dayOfMonth } from './day-of-month.ts'
import { duration, shift } from './duration.ts'
import { Misread } from './read/misread.ts'
import { isInstruction, moving } from './moving.ts'
import { nthOfSpan } from './nth-of.ts'
import { pairOf } from './read/pair.ts'
import {
  type Found,
  type Parser,
  type Cursor,
  longest,
  named,
  peek,
  skip,
  take,
  textBetween,
} from './read/cursor.ts'
import { counted, single } from './step.ts'
import { weekday } from './weekday.ts'

type DateFound = Found<Temporal.PlainDate>

const NEAR: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['now', 0],
  ['tomorrow', 1],
  ['tomorrows', 1],
  ['tmrw', 1],
  ['yesterday', -1],
])

const numbered = longest(near, dated, dayOfMonth, nthOfSpan)

/** Reads a weekday only if nothing longer starts there: `next Friday the 13th` has its own reading. */
const simple: Parser<Temporal.PlainDate> = (cursor) => numbered(cursor) ?? weekday(cursor)

/** Parses one date in any form: `a week before the first Friday of May 2026`. */
export const date: Parser<Temporal.PlainDate> = (cursor) => {
  const found = longest(...COMPOSED, closest(date), simple)(cursor)
  return found && adjusted(found)
}

const COMPOSED = [fromToday, fromDate, adjacent, movedFrom, adding, halfway]

/** A step from the last date: `ten years later`, `the Monday after that`, `add 3 days`. */
export function continued(cursor: Cursor, previous: Temporal.PlainDate): DateFound | undefined {
  const add = take(cursor, 'add', 'adding')
  const verb = add ?? take(cursor, 'subtract', 'subtracting', 'deduct')
  const length = verb && duration(verb)
  if (length) return { value: shift(previous, length.value, add ? 1 : -1), rest: length.rest }
  const step = counted(cursor) ?? single(cursor)
  if (!step) return undefined
  const after = take(step.rest, ...LATER)
  const rest = after ?? take(step.rest, ...EARLIER)
  return rest && { value: step.value(previous, after ? 1 : -1), rest: skip(rest, 'day', 'date') }
}

const LATER = ['later', 'afterwards', 'thereafter', 'after that', 'after this', 'from then']
const EARLIER = ['earlier', 'beforehand', 'before that', 'before this', 'before then']

function near(cursor: Cursor): DateFound | undefined {
  const thisDay = take(cursor, 'this day') ?? myDay(cursor)
  if (thisDay) return { value: cursor.today, rest: thisDay }
  const found = named(NEAR)(skip(cursor, 'right'))
  return found && { value: cursor.today.add({ days: found.value }), rest: found.rest }
}

/** `What does my day look like?`, but not `my day off`. */
function myDay(cursor: Cursor): Cursor | undefined {
  const rest = take(cursor, 'my day')
  const next = rest && peek(rest)?.text
  return next === undefined || /^(?:look|going|like)/u.test(next) ? rest : undefined
}

/** `3 weeks ago`, `in a fortnight`, `two Sundays from now`. */
export function fromToday(cursor: Cursor): DateFound | undefined {
  const into = take(cursor, 'in')
  const step = counted(into ?? cursor)
  if (!step) return undefined
  const ago = into ? undefined : take(step.rest, 'ago', 'earlier', 'back')
  if (ago) return { value: step.value(cursor.today, -1), rest: skip(ago, 'today') }
  const rest = into ? skip(step.rest, 'time') : take(step.rest, 'hence', 'later')
  return rest && { value: step.value(cursor.today, 1), rest }
}

/** `45 days after`, `the third Tuesday after`, `the day right before` a date. */
function fromDate(cursor: Cursor): DateFound | undefined {
  const step = counted(skip(cursor, 'in')) ?? single(cursor)
  if (!step) return undefined
  const start = skip(step.rest, ...DIRECTLY)
  const after = take(start, 'after', 'from', 'following', 'past', 'later than', 'forward from')
  const behind = after ?? take(start, 'before', 'prior to', 'preceding', ...BACK_FROM)
  const base = behind && date(behind)
  return base && { value: step.value(base.value, after ? 1 : -1), rest: base.rest }
}

const DIRECTLY = ['right', 'just', 'immediately', 'directly']
const BACK_FROM = ['back from', 'backwards from', 'earlier than', 'ahead of']

/** The day that `comes after`, `is right before`, `follows` or `immediately precedes` a date. */
function adjacent(cursor: Cursor): DateFound | undefined {
  if (!asksForDay(cursor)) return undefined
  const verb = take(cursor, 'comes', 'came', 'come')
  const directly = take(verb ?? skip(cursor, 'is', 'was', 'falls', 'lies'), ...DIRECTLY)
  const start = directly ?? verb
  const on = (start && take(start, 'after')) ?? take(directly ?? cursor, 'follows', 'followed')
  const back = (start && take(start, 'before')) ?? take(directly ?? cursor, 'precedes', 'preceded')
  const behind = on ?? back
  const base = behind && date(behind)
  return base && { value: base.value.add({ days: on ? 1 : -1 }), rest: base.rest }
}

/**
 * Whether the words before ask for a day: `what day`, `the date that`. Any other thing may come
 * long before a date.
 */
function asksForDay(cursor: Cursor): boolean {
  const before = peek(cursor, -1)?.text ?? ''
  const noun = before === 'that' || before === 'which' ? peek(cursor, -2)?.text : before
  return noun === 'day' || noun === 'date' || noun === 'week'
}

/** `go back 3 weeks from` a date. */
function movedFrom(cursor: Cursor): DateFound | undefined {
  const move = moving(cursor)
  const base = move && date(move.rest)
  return base && { value: move.value.step(base.value, move.value.sign), rest: base.rest }
}

/** `add 3 days to`, `subtract 3 days from` and `take 3 days off` a date. */
function adding(cursor: Cursor): DateFound | undefined {
  const add = take(cursor, 'add', 'adding')
  const off = isInstruction(cursor) ? take(cursor, 'take away', 'take') : undefined
  const start = add ?? off ?? take(cursor, 'subtract', 'subtracting', 'deduct')
  const length = start && duration(start)
  const base = length && take(length.rest, ...(add ? ['to', 'onto'] : ['from', 'off', 'away from']))
  const found = base && date(base)
  return found && { value: shift(found.value, length.value, add ? 1 : -1), rest: found.rest }
}

/** `halfway between` two dates, if a day lies in the middle. */
function halfway(cursor: Cursor): DateFound | undefined {
  const rest = take(skip(cursor, 'the'), 'halfway', 'half way', 'midway', 'midpoint', 'middle')
  const found = rest && pairOf(date, ['between', 'of'])(rest)
  if (!found) return undefined
  const { first, second } = found.value
  const { days } = first.until(second)
  if (days % 2 === 0) return { value: first.add({ days: days / 2 }), rest: found.rest }
  throw new Misread(`"${textBetween(cursor, found.rest)}" lies between two days`)
}

/** Applies what follows a date: `plus one year`, `- 3 days`. */
function adjusted(found: DateFound): DateFound {
  const plus = take(found.rest, 'plus', '+')
  const start = plus ?? take(found.rest, 'minus', 'less', '-')
  const length = start && duration(start)
  if (!length) return found
  const value = shift(found.value, length.value, plus ? 1 : -1)
  return adjusted({ value, rest: length.rest })
}
