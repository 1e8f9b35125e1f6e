import type { Temporal } from 'temporal-polyfill'
import { weekdayNumbers } from './read/names.ts'
import { nthWeekday } from './nth-weekday.ts'
import { type Found, type Parser, type Place, longest, named, skip, take } from './read/place.ts'
import { type Relation, relation } from './read/relation.ts'
import { type Span, currentSpan, span } from './read/span.ts'

const name = named(weekdayNumbers)

/**
 * A weekday near today: `Monday` (the coming one, never today), `this Monday` (today counts),
 * `next Monday` (of next week, weeks beginning on Monday), `last Monday` (the latest before today),
 * `Monday of next week`, `next week on Monday`, `Monday after next`.
 */
export const weekday: Parser<Temporal.PlainDate> = longest(bare, related, beyond, ofWeek, inWeek)

function bare(place: Place): Found<Temporal.PlainDate> | undefined {
  const found = name(skip(place, 'the'))
  return found && { value: relative(place.today, found.value, 'coming'), rest: found.rest }
}

function related(place: Place): Found<Temporal.PlainDate> | undefined {
  const which = relation(place)
  const found = which && name(which.rest)
  return found && { value: relative(place.today, found.value, which.value), rest: found.rest }
}

function beyond(place: Place): Found<Temporal.PlainDate> | undefined {
  const found = name(skip(place, 'the'))
  if (!found) return undefined
  const after = take(found.rest, 'after next')
  const rest = after ?? take(found.rest, 'before last')
  const value = relative(place.today, found.value, after ? 'next' : 'last')
  return rest && { value: value.add({ weeks: after ? 1 : -1 }), rest }
}

function ofWeek(place: Place): Found<Temporal.PlainDate> | undefined {
  const found = name(skip(place, 'the'))
  const joined = found && take(found.rest, 'of', 'in', 'from')
  const week = found && (span(joined ?? found.rest) ?? (joined && currentSpan(joined)))
  return week && within(week, found.value)
}

function inWeek(place: Place): Found<Temporal.PlainDate> | undefined {
  const week = span(place)
  const found = week && name(skip(week.rest, 'on the', 'on', 'the'))
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
