import { isoDate, partsOf } from './civil.ts'
import { type Day, day, hasWorkRule, inDigits } from './day.ts'
import { WEEKDAYS } from './names.ts'
import { cardinal, ordinal } from './numerals.ts'
import { type Found, here, on, past, pastAny, type Place } from './words.ts'

/** A number of days, weeks, months or years; several if they are added up. */
export interface Length {
  readonly phrase: string
  readonly months: number
  /** Counted in working days, which requires a rule about holidays. */
  readonly isWork: boolean
}

/** `3 weeks`, `one year and two months`, `10 working days`. */
export function length(place: Place): Found<Length> {
  const start = past(place, 'exactly') ?? place
  const first = one(start)
  if (first === undefined) return undefined
  let { thing, next } = first
  for (;;) {
    const link = pastAny(next, [', and', ',', 'and'])
    const more = link && one(link)
    if (!more || thing.isWork || more.thing.isWork) return { thing, next }
    const phrase = `${thing.phrase} and ${more.thing.phrase}`
    thing = { phrase, months: thing.months + more.thing.months, isWork: false }
    next = more.next
  }
}

function one(place: Place): Found<Length> {
  const count = cardinal(place)
  if (count === undefined) return undefined
  const work = pastAny(count.next, WORK)
  const n = count.thing
  if (work !== undefined) {
    return { thing: { phrase: `${n} working days`, months: 0, isWork: true }, next: work }
  }
  const at = pastAny(count.next, ['calendar', 'full', 'whole']) ?? count.next
  const unit = here(at).replace(/s$/, '')
  const months = { day: 0, week: 0, fortnight: 0, month: 1, year: 12, decade: 120 }[unit]
  if (months === undefined) return undefined
  const phrase = unit === 'fortnight' ? `${n * 2} weeks` : `${n} ${unit}${n === 1 ? '' : 's'}`
  return { thing: { phrase, months: months * n, isWork: false }, next: on(at) }
}

const WORK = [
  'working days',
  'business days',
  'working day',
  'business day',
  'workdays',
  'weekdays',
]

const AFTER = ['after', 'from', 'following', 'past', 'later than']
const BEFORE = ['before', 'prior to', 'earlier than', 'preceding']
const DIRECTLY = ['right', 'just', 'immediately', 'directly']

/** A named day, or one at a distance from another: `two weeks after the first Monday of …`. */
export function date(place: Place): Found<Day> {
  return fromToday(place) ?? halfway(place) ?? stepped(place) ?? changed(day(place))
}

/** `in 10 days`, `three weeks ago`, `in six weeks' time`, `a year ago today`. */
function fromToday(place: Place): Found<Day> {
  if (place.today === '') return undefined
  const inside = past(place, 'in')
  const ahead = inside && length(inside)
  if (ahead !== undefined) {
    const next = pastAny(ahead.next, ["' time", "'s time", 'time']) ?? ahead.next
    return leading(ahead.thing, 'after', { thing: TODAY(place), next })
  }
  const away = length(place)
  const hence = away && past(away.next, 'hence')
  if (away && hence) return leading(away.thing, 'after', { thing: TODAY(place), next: hence })
  const ago = away && pastAny(away.next, ['ago today', 'ago'])
  return away && ago && leading(away.thing, 'before', { thing: TODAY(place), next: ago })
}

const TODAY = ({ today }: Place): Day => ({ phrase: today, iso: today })

function stepped(place: Place): Found<Day> {
  const step = length(place) ?? stepToDay(place)
  if (step === undefined) return undefined
  const at = pastAny(step.next, DIRECTLY) ?? step.next
  const after = pastAny(at, AFTER)
  const target = after ?? pastAny(at, BEFORE)
  const base = target && date(target)
  return base && leading(step.thing, after === undefined ? 'before' : 'after', base)
}

/** `the day`, `the Tuesday`, `the third working day`: one step that is not a number of days. */
function stepToDay(place: Place): Found<Length> {
  const start = past(place, 'the')
  if (start === undefined) return undefined
  if (here(start) === 'day' || here(start) === 'date') {
    return { thing: { phrase: '1 day', months: 0, isWork: false }, next: on(start) }
  }
  if (WEEKDAYS.has(here(start))) {
    const phrase = `the ${here(start)}`
    return { thing: { phrase, months: 0, isWork: false }, next: on(start) }
  }
  const nth = ordinal(start)
  const work = nth && pastAny(nth.next, ['working day', 'business day'])
  if (!nth || !work) return undefined
  const phrase = `the ${inDigits(nth.thing)} working day`
  return { thing: { phrase, months: 0, isWork: true }, next: work }
}

/** `2024-03-03 plus 45 days` */
function changed(found: Found<Day>): Found<Day> {
  const sign = found && here(found.next)
  if (!found || (sign !== 'plus' && sign !== 'minus' && sign !== '+')) return found
  const step = length(on(found.next))
  const side = sign === 'minus' ? 'before' : 'after'
  return step && leading(step.thing, side, { thing: found.thing, next: step.next })
}

/**
 * A step from a day. No reading if the resulting month lacks the day: people disagree on what a month after
 * January 31 is.
 */
function leading(
  { phrase, months, isWork }: Length,
  side: 'after' | 'before',
  { thing: base, next }: { readonly thing: Day; readonly next: Place },
): Found<Day> {
  if (base.yearless !== undefined || (isWork && !hasWorkRule(next.words))) return undefined
  if (months !== 0 && !hasDay(base, side === 'after' ? months : -months)) return undefined
  const thing = { phrase: `${phrase} ${side} ${base.phrase}` }
  return { thing: base.coming ? { ...thing, coming: true } : thing, next }
}

function hasDay({ iso }: Day, months: number): boolean {
  if (iso === undefined) return false
  const [year, month, dayOfMonth] = partsOf(iso)
  const total = year * 12 + month - 1 + months
  const [toYear, toMonth] = [Math.floor(total / 12), (((total % 12) + 12) % 12) + 1]
  return isoDate(toYear, toMonth, dayOfMonth) !== undefined
}

function halfway(place: Place): Found<Day> {
  const start = past(place, 'exactly') ?? place
  const between = pastAny(start, ['halfway between', 'half way between', 'midway between'])
  const first = between && day(between)
  const link = first && past(first.next, 'and')
  const second = link && day(link)
  if (!first || !second || first.thing.iso === undefined || second.thing.iso === undefined) {
    return undefined
  }
  const phrase = `halfway between ${first.thing.iso} and ${second.thing.iso}`
  return { thing: { phrase }, next: second.next }
}
