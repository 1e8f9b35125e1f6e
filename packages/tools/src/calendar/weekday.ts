import type { Temporal } from 'temporal-polyfill'
import { formatDay } from './format-date.ts'
import { Ambiguous } from './read/misread.ts'
import { weekdayNumbers } from './read/names.ts'
import { nthWeekday } from './nth-weekday.ts'
import {
  type Found,
  type Parser,
  type Cursor,
  longest,
  named,
  skip,
  take,
  textBetween,
} from './read/cursor.ts'
import { type Relation, relation } from './read/relation.ts'
import { type Span, currentSpan, span } from './read/span.ts'

const name = named(weekdayNumbers)

/**
 * A weekday near today: `Monday` (the next one, never today), `this Monday` (may be today), `next
 * Monday` (of next week, weeks beginning on Monday), `last Monday` (the latest before today),
 * `Monday of next week`, `next week on Monday`, `Monday after next`.
 * @throws Ambiguous for a `next` weekday that is still to come in this week
 */
export const weekday: Parser<Temporal.PlainDate> = longest(bare, related, beyond, ofWeek, inWeek)

function bare(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const found = name(skip(cursor, 'the'))
  return found && { value: relative(cursor.today, found.value, 'coming'), rest: found.rest }
}

function related(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const which = relation(cursor)
  const found = which && name(which.rest)
  if (!found) return undefined
  const value = relative(cursor.today, found.value, which.value)
  if (which.value === 'next') requireOneWeek(cursor, found, value)
  return { value, rest: found.rest }
}

function beyond(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const found = name(skip(cursor, 'the'))
  if (!found) return undefined
  const after = take(found.rest, 'after next')
  const rest = after ?? take(found.rest, 'before last')
  if (!rest) return undefined
  const base = relative(cursor.today, found.value, after ? 'next' : 'last')
  const value = base.add({ weeks: after ? 1 : -1 })
  if (after) requireOneWeek(cursor, { value: found.value, rest }, value)
  return { value, rest }
}

/**
 * Refuses a weekday that may be in this week or the next: on a Monday, people use `next Friday` for
 * both. It has one meaning if the weekday is today or already past in this week.
 * @throws Ambiguous if it may be in either week
 */
function requireOneWeek(
  cursor: Cursor,
  { value, rest }: Found<number>,
  far: Temporal.PlainDate,
): void {
  if (value <= cursor.today.dayOfWeek) return
  const near = far.subtract({ weeks: 1 })
  throw new Ambiguous(
    `"${textBetween(cursor, rest)}" can be ${formatDay(near)} or ${formatDay(far)}; name the day, or say which week`,
    [near, far],
  )
}

function ofWeek(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const found = name(skip(cursor, 'the'))
  const joined = found && take(found.rest, 'of', 'in', 'from')
  const week = found && (span(joined ?? found.rest) ?? (joined && currentSpan(joined)))
  return week && within(week, found.value)
}

function inWeek(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const week = span(cursor)
  const found = week && name(skip(week.rest, 'on the', 'on', 'the', '-'))
  return found && within({ value: week.value, rest: found.rest }, found.value)
}

function within(
  { value: { unit, first }, rest }: Found<Span>,
  weekday: number,
): Found<Temporal.PlainDate> | undefined {
  return unit === 'week' ? { value: first.add({ days: weekday - 1 }), rest } : undefined
}

function relative(today: Temporal.PlainDate, weekday: number, which: Relation): Temporal.PlainDate {
  const from = {
    this: today.subtract({ days: 1 }),
    coming: today,
    next: today.add({ days: 7 - today.dayOfWeek }),
    last: today,
  }
  return nthWeekday(from[which], weekday, which === 'last' ? -1 : 1)
}
