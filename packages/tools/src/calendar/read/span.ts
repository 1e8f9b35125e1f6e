import { Temporal } from 'temporal-polyfill'
import { Misread } from './misread.ts'
import { monthNumbers } from './names.ts'
import {
  type Found,
  type Parser,
  type Place,
  advance,
  longest,
  named,
  peek,
  skip,
  take,
  textBetween,
} from './place.ts'
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

/** A span that says which one it is: `next week`, `the month after next`, `May 2026`, `2025`. */
export const span: Parser<Span> = longest(
  related,
  beyond,
  monthOfYear,
  relatedMonth,
  wholeYear,
  isoWeek,
)

/** The current span by its unit alone, as behind `the end of`: `the month`. */
export function currentSpan(place: Place): Found<Span> | undefined {
  const found = unit(skip(place, 'the'))
  return found && { value: around(place.today, found.value), rest: found.rest }
}

/** The week, month or year that holds a day. */
export function around(day: Temporal.PlainDate, unit: Unit): Span {
  if (unit === 'week') {
    const first = day.subtract({ days: day.dayOfWeek - 1 })
    return { unit, first, last: first.add({ days: 6 }) }
  }
  const first = unit === 'month' ? day.with({ day: 1 }) : day.with({ month: 1, day: 1 })
  return { unit, first, last: first.add({ [`${unit}s`]: 1 }).subtract({ days: 1 }) }
}

function related(place: Place): Found<Span> | undefined {
  const which = relation(place) ?? following(place)
  const found = which && unit(which.rest)
  return found && { value: stepped(place, found.value, STEPS[which.value]), rest: found.rest }
}

function following(place: Place): Found<Relation> | undefined {
  const rest = take(place, 'the following', 'following')
  return rest && { value: 'next', rest }
}

/** `the week after next`, `the month before last`. */
function beyond(place: Place): Found<Span> | undefined {
  const found = unit(skip(place, 'the'))
  if (!found) return undefined
  const after = take(found.rest, 'after next')
  const rest = after ?? take(found.rest, 'before last')
  return rest && { value: stepped(place, found.value, after ? 2 : -2), rest }
}

function monthOfYear(place: Place): Found<Span> | undefined {
  const name = month(skip(place, 'the month of'))
  const found = name && year(skip(name.rest, 'of', 'in'))
  return found && { value: monthIn(found.value, name.value), rest: found.rest }
}

/** `next March`: the first that has not begun; `last March`: the latest that is over. */
function relatedMonth(place: Place): Found<Span> | undefined {
  const which = relation(place)
  const name = which && month(which.rest)
  if (!name) return undefined
  const { today } = place
  const years = {
    this: 0,
    next: name.value > today.month ? 0 : 1,
    coming: name.value > today.month ? 0 : 1,
    last: name.value < today.month ? 0 : -1,
  }
  return { value: monthIn(today.year + years[which.value], name.value), rest: name.rest }
}

function wholeYear(place: Place): Found<Span> | undefined {
  const found = year(place)
  if (!found || peek(place)?.text === 'year') return undefined
  return { value: around(monthIn(found.value, 1).first, 'year'), rest: found.rest }
}

/**
 * `ISO week 10 of 2026`. Without the name of the standard it may be another week elsewhere.
 * @throws Misread if the year has no such week
 */
function isoWeek(place: Place): Found<Span> | undefined {
  const start = take(skip(place, 'the'), 'iso week', 'iso calendar week', 'iso 8601 week')
  const token = start && peek(skip(start, 'number'))
  const behind = start && advance(skip(start, 'number'))
  const found = behind && year(skip(behind, 'of', 'in'))
  if (!found || token?.type !== 'number') return undefined
  // The week that holds January 4 is the first, by definition.
  const first = Temporal.PlainDate.from({ year: found.value, month: 1, day: 4 })
  const day = first.add({ weeks: token.value - 1 })
  if (day.yearOfWeek !== found.value || day.weekOfYear !== token.value) {
    throw new Misread(`"${textBetween(place, found.rest)}" does not exist`)
  }
  return { value: around(day, 'week'), rest: found.rest }
}

const monthIn = (year: number, month: number): Span =>
  around(Temporal.PlainDate.from({ year, month, day: 1 }), 'month')

const stepped = ({ today }: Place, unit: Unit, steps: number): Span =>
  around(today.add({ [`${unit}s`]: steps }), unit)
