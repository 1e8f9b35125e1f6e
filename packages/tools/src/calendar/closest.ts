import { Temporal } from 'temporal-polyfill'
import { dated } from './dated.ts'
import { formatDay } from './format-date.ts'
import { holiday } from './holidays/holiday.ts'
import { nthWeekday } from './nth-weekday.ts'
import { Ambiguous } from './read/misread.ts'
import { weekdayNumbers } from './read/names.ts'
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
} from './read/cursor.ts'
import { span } from './read/span.ts'
import type { Yearly } from './yearly.ts'

type DateParser = Parser<Temporal.PlainDate>

/** The days from which distances are counted: one date or a whole span. */
interface Stretch {
  readonly first: Temporal.PlainDate
  readonly last: Temporal.PlainDate
}

/**
 * The nth day of a kind by its distance from a date or a span: `the closest Monday to May 5`, `the
 * second closest Easter to 2019`, `the first Thanksgiving after 2019`.
 * @throws Ambiguous if two such days are equally far
 */
export const closest = (date: DateParser): DateParser =>
  longest(nearestOf(date), holidayBeside(date))

const nearestOf =
  (date: DateParser): DateParser =>
  (cursor) => {
    const nth = ordinal(skip(cursor, 'the'))
    const near = take(nth.rest, 'closest', 'nearest')
    const kind = near && kindOfDay(near)
    const start = kind && take(kind.rest, 'to', 'from', 'of')
    const base = start && stretch(date)(start)
    const value = base && nearest(kind.value(base.value, nth.value), base.value, nth.value)
    return value && { value, rest: base.rest }
  }

/** `the second Christmas after 2019`. The parser of steps reads weekdays before or after a date. */
const holidayBeside =
  (date: DateParser): DateParser =>
  (cursor) => {
    const nth = ordinal(skip(cursor, 'the'))
    const name = holiday(skip(nth.rest, 'next', 'last'))
    const after = name && take(name.rest, 'after', 'following')
    const start = after ?? (name && take(name.rest, 'before', 'preceding'))
    const base = start && stretch(date)(start)
    if (!name || !base) return undefined
    const { first, last } = base.value
    const days = around(name.value, base.value, 2 * nth.value + 2)
    const beyond = after
      ? days.filter((day) => last.until(day).sign > 0)
      : days.filter((day) => day.until(first).sign > 0).toReversed()
    const value = beyond[nth.value - 1]
    return value && { value, rest: base.rest }
  }

/** `second`; 1 if no ordinal is given. */
function ordinal(cursor: Cursor): Found<number> {
  const token = peek(cursor)
  return token?.type === 'ordinal' && token.value > 0
    ? { value: token.value, rest: advance(cursor) }
    : { value: 1, rest: cursor }
}

/** Returns at least `count` days of a kind near a stretch, if there are as many nearby. */
type Kind = (near: Stretch, count: number) => readonly Temporal.PlainDate[]

const kindOfDay: Parser<Kind> = longest<Kind>(
  (cursor) => {
    const found = holiday(cursor)
    return found && { value: (near, count) => around(found.value, near, count), rest: found.rest }
  },
  (cursor) => {
    const found = named(weekdayNumbers)(cursor)
    const value: Kind = ({ first, last }) => [
      ...STEPS.map((n) => nthWeekday(first, found?.value ?? 0, -n)).toReversed(),
      ...(first.equals(last) && first.dayOfWeek === found?.value ? [first] : []),
      ...STEPS.map((n) => nthWeekday(last, found?.value ?? 0, n)),
    ]
    return found && { value, rest: found.rest }
  },
)

const STEPS = Array.from({ length: 12 }, (_, index) => index + 1)

/** Years to search before and after. A day that recurs every four years occurs three times. */
const MAX_YEARS = 12

/**
 * At least `count` days around a stretch, in order, if there are as many nearby. Looks at no more
 * years than needed, since in some years a day is disputed.
 */
function around(
  yearly: Yearly,
  { first, last }: Stretch,
  count: number,
): readonly Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = []
  let isEnough = false
  for (let years = 0; years <= MAX_YEARS && !isEnough; years += 1) {
    // A day of the next year may be nearer than one of this year.
    isEnough = days.length >= count
    const before = yearly(first.year - years)
    const after = last.year + years > first.year - years ? yearly(last.year + years) : undefined
    days.push(...(before ? [before] : []), ...(after ? [after] : []))
  }
  return days.toSorted((one, other) => Temporal.PlainDate.compare(one, other))
}

const stretch =
  (date: DateParser): Parser<Stretch> =>
  (cursor) => {
    const day = longest(date, dated)(cursor)
    const days = span(cursor)
    if (days && days.rest.index > (day?.rest.index ?? 0)) return days
    return day && { value: { first: day.value, last: day.value }, rest: day.rest }
  }

function nearest(
  days: readonly Temporal.PlainDate[],
  { first, last }: Stretch,
  nth: number,
): Temporal.PlainDate | undefined {
  const distance = (day: Temporal.PlainDate): number =>
    Math.max(day.until(first).days, last.until(day).days, 0)
  const sorted = days.toSorted((one, other) => distance(one) - distance(other))
  const value = sorted[nth - 1]
  const rival = value && sorted.find((day) => day !== value && distance(day) === distance(value))
  if (!value || !rival) return value
  throw new Ambiguous(
    `it can be ${formatDay(value)} or ${formatDay(rival)}, which are equally far; name the date`,
    [value, rival],
  )
}
