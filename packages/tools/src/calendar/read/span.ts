import { Temporal } from 'temporal-polyfill'
import { Misread } from './misread.ts'
import { monthNumbers } from './names.ts'
import {
  type Found,
  type Parser,
  type Cursor,
  advance,
  longest,
  named,
  peek,
  skip,
  take,
  textBetween,
} from './cursor.ts'
import { type Relation, relation } from './relation.ts'
import { year } from '../year.ts'

type Unit = 'week' | 'month' | 'year'

/** A week (Monday to Sunday, as in ISO 8601), a month or a year. */
export interface Span {
  readonly unit: Unit
  readonly first: Temporal.PlainDate
  readonly last: Temporal.PlainDate
}

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ['week', 'week'],
  ['month', 'month'],
  ['year', 'year'],
] as const)

const STEPS: Readonly<Record<Relation, number>> = { this: 0, next: 1, coming: 1, last: -1 }

const unit = named(UNITS)
const month = named(monthNumbers)

/** A definite span: `next week`, `the month after next`, `May 2026`, `2025`. */
export const span: Parser<Span> = longest(
  related,
  beyond,
  monthOfYear,
  relatedMonth,
  wholeYear,
  isoWeek,
)

/** The current span by its unit alone, as after `the end of`: `the month`. */
export function currentSpan(cursor: Cursor): Found<Span> | undefined {
  const found = unit(skip(cursor, 'the'))
  return found && { value: around(cursor.today, found.value), rest: found.rest }
}

/** The week, month or year that contains a day. */
export function around(day: Temporal.PlainDate, unit: Unit): Span {
  if (unit === 'week') {
    const first = day.subtract({ days: day.dayOfWeek - 1 })
    return { unit, first, last: first.add({ days: 6 }) }
  }
  const first = unit === 'month' ? day.with({ day: 1 }) : day.with({ month: 1, day: 1 })
  return { unit, first, last: first.add({ [`${unit}s`]: 1 }).subtract({ days: 1 }) }
}

function related(cursor: Cursor): Found<Span> | undefined {
  const which = relation(cursor) ?? following(cursor)
  const found = which && unit(which.rest)
  return found && { value: stepped(cursor, found.value, STEPS[which.value]), rest: found.rest }
}

function following(cursor: Cursor): Found<Relation> | undefined {
  const rest = take(cursor, 'the following', 'following')
  return rest && { value: 'next', rest }
}

/** `the week after next`, `the month before last`. */
function beyond(cursor: Cursor): Found<Span> | undefined {
  const found = unit(skip(cursor, 'the'))
  if (!found) return undefined
  const after = take(found.rest, 'after next')
  const rest = after ?? take(found.rest, 'before last')
  return rest && { value: stepped(cursor, found.value, after ? 2 : -2), rest }
}

function monthOfYear(cursor: Cursor): Found<Span> | undefined {
  const name = month(skip(cursor, 'the month of'))
  const found = name && year(skip(name.rest, 'of', 'in'))
  return found && { value: monthIn(found.value, name.value), rest: found.rest }
}

/** `next March`: the first that has not begun; `last March`: the last that is over. */
function relatedMonth(cursor: Cursor): Found<Span> | undefined {
  const which = relation(cursor)
  const name = which && month(which.rest)
  if (!name) return undefined
  const { today } = cursor
  const years = {
    this: 0,
    next: name.value > today.month ? 0 : 1,
    coming: name.value > today.month ? 0 : 1,
    last: name.value < today.month ? 0 : -1,
  }
  return { value: monthIn(today.year + years[which.value], name.value), rest: name.rest }
}

function wholeYear(cursor: Cursor): Found<Span> | undefined {
  const found = year(cursor)
  if (!found || peek(cursor)?.text === 'year') return undefined
  return { value: around(monthIn(found.value, 1).first, 'year'), rest: found.rest }
}

/**
 * `ISO week 10 of 2026`. Without `ISO` it may be another week elsewhere.
 * @throws Misread if the year has no such week
 */
function isoWeek(cursor: Cursor): Found<Span> | undefined {
  const start = take(skip(cursor, 'the'), 'iso week', 'iso calendar week', 'iso 8601 week')
  const token = start && peek(skip(start, 'number'))
  const afterNumber = start && advance(skip(start, 'number'))
  const found = afterNumber && year(skip(afterNumber, 'of', 'in'))
  if (!found || token?.type !== 'number') return undefined
  // By definition the first week contains January 4.
  const first = Temporal.PlainDate.from({ year: found.value, month: 1, day: 4 })
  const day = first.add({ weeks: token.value - 1 })
  if (day.yearOfWeek !== found.value || day.weekOfYear !== token.value) {
    throw new Misread(`"${textBetween(cursor, found.rest)}" does not exist`)
  }
  return { value: around(day, 'week'), rest: found.rest }
}

const monthIn = (year: number, month: number): Span =>
  around(Temporal.PlainDate.from({ year, month, day: 1 }), 'month')

const stepped = ({ today }: Cursor, unit: Unit, steps: number): Span =>
  around(today.add({ [`${unit}s`]: steps }), unit)
