import type { Temporal } from 'temporal-polyfill'
import { dated } from './dated.ts'
import { dayOfMonth } from './day-of-month.ts'
import { duration, shift } from './duration.ts'
import { Misread } from './read/misread.ts'
import { isOrder, moving } from './moving.ts'
import { nthOfSpan } from './nth-of.ts'
import { pairOf } from './read/pair.ts'
import {
  type Found,
  type Parser,
  type Place,
  longest,
  named,
  peek,
  skip,
  take,
  textBetween,
} from './read/place.ts'
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

const simple = longest(near, dated, dayOfMonth, weekday, nthOfSpan)

/** One date, however it is put together: `a week before the first Friday of May 2026`. */
export const date: Parser<Temporal.PlainDate> = (place) => {
  const found = longest(fromToday, fromDate, neighbour, moved, adding, halfway, simple)(place)
  return found && adjusted(found)
}

/** A step from the day said last: `ten years later`, `the Monday after that`, `add 3 days`. */
export function continued(place: Place, said: Temporal.PlainDate): DateFound | undefined {
  const add = take(place, 'add', 'adding')
  const verb = add ?? take(place, 'subtract', 'subtracting', 'deduct')
  const length = verb && duration(verb)
  if (length) return { value: shift(said, length.value, add ? 1 : -1), rest: length.rest }
  const step = counted(place) ?? single(place)
  if (!step) return undefined
  const after = take(step.rest, ...LATER)
  const rest = after ?? take(step.rest, ...EARLIER)
  return rest && { value: step.value(said, after ? 1 : -1), rest: skip(rest, 'day', 'date') }
}

const LATER = ['later', 'afterwards', 'thereafter', 'after that', 'after this', 'from then']
const EARLIER = ['earlier', 'beforehand', 'before that', 'before this', 'before then']

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

/** `45 days after`, `the third Tuesday after`, `the day right before` a date. */
function fromDate(place: Place): DateFound | undefined {
  const step = counted(skip(place, 'in')) ?? single(place)
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
function neighbour(place: Place): DateFound | undefined {
  if (!isOfDay(place)) return undefined
  const verb = take(place, 'comes', 'came', 'come')
  const directly = take(verb ?? skip(place, 'is', 'was', 'falls', 'lies'), ...DIRECTLY)
  const start = directly ?? verb
  const on = (start && take(start, 'after')) ?? take(directly ?? place, 'follows', 'followed')
  const back = (start && take(start, 'before')) ?? take(directly ?? place, 'precedes', 'preceded')
  const behind = on ?? back
  const base = behind && date(behind)
  return base && { value: base.value.add({ days: on ? 1 : -1 }), rest: base.rest }
}

/** `what day`, `the date that`: what comes before something else may be a long time before it. */
function isOfDay(place: Place): boolean {
  const before = peek(place, -1)?.text ?? ''
  const noun = before === 'that' || before === 'which' ? peek(place, -2)?.text : before
  return noun === 'day' || noun === 'date' || noun === 'week'
}

/** `go back 3 weeks from` a date. */
function moved(place: Place): DateFound | undefined {
  const move = moving(place)
  const base = move && date(move.rest)
  return base && { value: move.value.step(base.value, move.value.sign), rest: base.rest }
}

/** `add 3 days to`, `subtract 3 days from` and `take 3 days off` a date. */
function adding(place: Place): DateFound | undefined {
  const add = take(place, 'add', 'adding')
  const off = isOrder(place) ? take(place, 'take away', 'take') : undefined
  const start = add ?? off ?? take(place, 'subtract', 'subtracting', 'deduct')
  const length = start && duration(start)
  const base = length && take(length.rest, ...(add ? ['to', 'onto'] : ['from', 'off', 'away from']))
  const found = base && date(base)
  return found && { value: shift(found.value, length.value, add ? 1 : -1), rest: found.rest }
}

/** `halfway between` two dates that have a day in the middle. */
function halfway(place: Place): DateFound | undefined {
  const rest = take(skip(place, 'the'), 'halfway', 'half way', 'midway', 'midpoint', 'middle')
  const found = rest && pairOf(date, ['between', 'of'])(rest)
  if (!found) return undefined
  const { first, second } = found.value
  const { days } = first.until(second)
  if (days % 2 === 0) return { value: first.add({ days: days / 2 }), rest: found.rest }
  throw new Misread(`"${textBetween(place, found.rest)}" lies between two days`)
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
