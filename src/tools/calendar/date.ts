import type { Temporal } from 'temporal-polyfill'
import { dated } from './dated.ts'
import { dayOfMonth } from './day-of-month.ts'
import { type Duration, duration, shift } from './duration.ts'
import { pluralWeekdays, weekdayNumbers } from './names.ts'
import { nthOfSpan } from './nth-of.ts'
import { nthWeekday } from './nth-weekday.ts'
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
} from './place.ts'
import { weekday } from './weekday.ts'

const weekdays = named(new Map([...weekdayNumbers, ...pluralWeekdays]))

type DateFound = Found<Temporal.PlainDate>

/** Steps from a day: so many days on, or back if negative. */
type Step = (from: Temporal.PlainDate, sign: 1 | -1) => Temporal.PlainDate

const NEAR: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['now', 0],
  ['tomorrow', 1],
  ['tomorrows', 1],
  ['tmrw', 1],
  ['yesterday', -1],
])

const simple = longest(near, dated, dayOfMonth, weekday, nthOfSpan)

/** One date, however it is put together: `a week before the first Friday of May 2026`. */
export const date: Parser<Temporal.PlainDate> = (place) => {
  const found = longest(fromToday, fromDate, adding, simple)(place)
  return found && adjusted(found)
}

function near(place: Place): DateFound | undefined {
  const thisDay = take(place, 'this day')
  if (thisDay) return { value: place.today, rest: thisDay }
  const found = named(NEAR)(skip(place, 'right'))
  return found && { value: place.today.add({ days: found.value }), rest: found.rest }
}

/** `3 weeks ago`, `in a fortnight`, `two Sundays from now`. */
function fromToday(place: Place): DateFound | undefined {
  const into = take(place, 'in')
  const step = counted(into ?? place)
  if (!step) return undefined
  const ago = into ? undefined : take(step.rest, 'ago', 'earlier')
  if (ago) return { value: step.value(place.today, -1), rest: skip(ago, 'today') }
  const rest = into ? skip(step.rest, 'time') : take(step.rest, 'hence', 'later')
  return rest && { value: step.value(place.today, 1), rest }
}

/** `45 days after`, `the third Tuesday after`, `the day before` a date. */
function fromDate(place: Place): DateFound | undefined {
  const step = counted(skip(place, 'in')) ?? single(place)
  if (!step) return undefined
  const after = take(step.rest, 'after', 'from', 'following', 'past')
  const behind = after ?? take(step.rest, 'before', 'prior to', 'preceding')
  const base = behind && date(behind)
  return base && { value: step.value(base.value, after ? 1 : -1), rest: base.rest }
}

/** `add 3 days to` and `subtract 3 days from` a date. */
function adding(place: Place): DateFound | undefined {
  const add = take(place, 'add', 'adding')
  const start = add ?? take(place, 'subtract', 'subtracting')
  const length = start && duration(start)
  const base = length && take(length.rest, add ? 'to' : 'from')
  const found = base && date(base)
  return found && { value: shift(found.value, length.value, add ? 1 : -1), rest: found.rest }
}

/** Behind a date: `plus one year`, `- 3 days`. */
function adjusted(found: DateFound): DateFound {
  const plus = take(found.rest, 'plus', '+')
  const start = plus ?? take(found.rest, 'minus', 'less', '-')
  const length = start && duration(start)
  if (!length) return found
  const value = shift(found.value, length.value, plus ? 1 : -1)
  return adjusted({ value, rest: length.rest })
}

/** A counted stretch: `3 weeks`, `two Sundays`. */
const counted: Parser<Step> = longest<Step>(
  (place) => {
    const found = duration(place)
    return found && { value: lasting(found.value), rest: found.rest }
  },
  (place) => {
    const token = peek(place)
    const found = token?.type === 'number' ? weekdays(advance(place)) : undefined
    if (!found || token?.type !== 'number' || token.value < 1) return undefined
    return { value: stepping(found.value, token.value), rest: found.rest }
  },
)

/** One that needs no number: `the day`, `the Friday`, `the first Monday`. */
const single: Parser<Step> = (place) => {
  const start = skip(place, 'the')
  const day = take(start, 'day')
  if (day) return { value: (from, sign) => from.add({ days: sign }), rest: day }
  const token = peek(start)
  const nth = token?.type === 'ordinal' && token.value > 0 ? token.value : undefined
  const numberless = nth === undefined ? skip(start, 'last') : advance(start)
  const found = named(weekdayNumbers)(numberless)
  return found && { value: stepping(found.value, nth ?? 1), rest: found.rest }
}

const lasting =
  (duration: Duration): Step =>
  (from, sign) =>
    shift(from, duration, sign)

const stepping =
  (weekday: number, n: number): Step =>
  (from, sign) =>
    nthWeekday(from, weekday, n * sign)
