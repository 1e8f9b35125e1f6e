import type { Temporal } from 'temporal-polyfill'
import { type Duration, duration, times } from './duration.ts'
import { formatDay } from './format-date.ts'
import { holiday } from './holidays/holiday.ts'
import { Ambiguous, Misread } from './read/misread.ts'
import { weekdayName, weekdayNumbers } from './read/names.ts'
import {
  type Found,
  type Parser,
  type Cursor,
  longest,
  named,
  skip,
  skipAll,
  take,
  textBetween,
} from './read/cursor.ts'
import { QUESTION_WORDS } from './read/question-words.ts'
import { type Relation, relation } from './read/relation.ts'
import { year, yearAfterDay } from './year.ts'
import { type Yearly, firstAfter, lastBefore, onOrAfter } from './yearly.ts'
import { type YearlyDay, yearlyDay } from './yearly-day.ts'

/** Words about a day of the year besides its name. */
interface Clues {
  readonly year?: number
  readonly weekday?: number
  readonly relation?: Relation
}

const weekday = named(weekdayNumbers)

/**
 * A day of the year with what determines its year: a year before or after it, a relation (`last
 * Christmas`), or a weekday (`Fri, Jul 18`). Without any it is the next one, today included.
 * @throws Misread if the year has no such day, or the day falls on another weekday
 */
const dayWithClues: Parser<Temporal.PlainDate> = longest(
  (cursor) => day(cursor, cursor, {}),
  (cursor) => {
    const found = weekday(cursor)
    return found && day(cursor, found.rest, { weekday: found.value })
  },
  (cursor) => {
    const found = relation(cursor)
    return found && day(cursor, found.rest, { relation: found.value })
  },
  relatedWeekday,
  (cursor) => {
    const found = year(skip(cursor, 'in'))
    return found && day(cursor, skipAll(found.rest, QUESTION_WORDS), { year: found.value })
  },
)

/** A day of the year as `dayWithClues`, or a holiday at a distance of years or months from today. */
export const dated: Parser<Temporal.PlainDate> = (cursor) =>
  holidayFromNow(cursor) ?? dayWithClues(cursor)

/** `this Friday, June 12`: of this year if it fits, even if past; `next Friday, June 12`. */
function relatedWeekday(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const which = relation(cursor)
  const found = which && weekday(which.rest)
  if (!found) return undefined
  const clues = which.value === 'this' ? {} : { relation: which.value }
  return day(cursor, found.rest, { ...clues, weekday: found.value })
}

/**
 * `Thanksgiving in three years`, `tax day two years ago`: the holiday in that year. `in 9 months`:
 * the holiday in that month.
 * @throws Misread if that month lacks the holiday, or for a distance in days or weeks
 */
function holidayFromNow(cursor: Cursor): Found<Temporal.PlainDate> | undefined {
  const name = holiday(skip(cursor, 'the'))
  const distance = name && fromNow(name.rest)
  if (!distance) return undefined
  const { rest } = distance
  const { years, months, days, businessDays } = distance.value
  const target = cursor.today.add({ years, months })
  const value = days === 0 && businessDays === 0 ? name.value(target.year) : undefined
  if (value && (months === 0 || value.month === target.month)) return { value, rest }
  throw new Misread(`"${textBetween(cursor, rest)}" is not one day; name its year`)
}

/** `in 3 years`, `two years ago`, `six years hence`. A time in the past is negative. */
function fromNow(cursor: Cursor): Found<Duration> | undefined {
  const into = take(cursor, 'in')
  const length = duration(into ?? cursor)
  if (!length) return undefined
  if (into) return { value: length.value, rest: skip(length.rest, 'time', 'from now') }
  const ago = take(length.rest, 'ago', 'back', 'earlier')
  const rest = ago ?? take(length.rest, 'hence', 'from now', 'from today', 'later')
  return rest && { value: times(length.value, ago ? -1 : 1), rest }
}

function day(start: Cursor, cursor: Cursor, clues: Clues): Found<Temporal.PlainDate> | undefined {
  const found = yearlyDay(skip(cursor, 'the'))
  if (!found) return undefined
  const { yearly, year: ownYear } = found.value
  const known = ownYear === undefined ? { ...clues } : { ...clues, year: ownYear }
  const behind = known.year === undefined && !known.relation ? yearAfterDay(found.rest) : undefined
  if (behind) known.year = behind.value
  const trailing = known.weekday === undefined ? weekday(behind?.rest ?? found.rest) : undefined
  if (trailing) known.weekday = trailing.value
  const rest = (trailing ?? behind ?? found).rest
  if (start.tokens.length === rest.index - start.index) requireOneYear(found.value, known, start)
  const value = resolve(yearly, known, start.today)
  if (!value) throw new Misread(`"${textBetween(start, rest)}" does not exist`)
  if (known.weekday !== undefined && known.weekday !== value.dayOfWeek) {
    throw new Misread(`"${textBetween(start, rest)}" is a ${weekdayName(value.dayOfWeek)}`)
  }
  return { value, rest }
}

/**
 * Refuses the bare name of a holiday that was in the past two weeks: it may mean that day or the
 * next one.
 * @throws Ambiguous for such a name
 */
function requireOneYear({ yearly, isHoliday }: YearlyDay, clues: Clues, { today }: Cursor): void {
  const isBare = clues.year === undefined && !clues.relation && clues.weekday === undefined
  const coming = isBare && isHoliday ? onOrAfter(yearly, today) : undefined
  const past = coming && !coming.equals(today) ? lastBefore(yearly, today) : undefined
  if (!coming || !past || past.until(today).days > RECENT_DAYS) return
  throw new Ambiguous(
    `it can be ${formatDay(past)} or ${formatDay(coming)}; write "last" or "next" before it, or the year`,
    [past, coming],
  )
}

const RECENT_DAYS = 14

function resolve(
  yearly: Yearly,
  { year, weekday, relation }: Clues,
  today: Temporal.PlainDate,
): Temporal.PlainDate | undefined {
  if (year !== undefined) return yearly(year)
  const matching = weekday === undefined ? yearly : onWeekday(yearly, weekday)
  if (relation === 'this') return matching(today.year)
  if (relation === 'last') return lastBefore(matching, today)
  if (relation) return firstAfter(matching, today)
  // A weekday prefers this year's day, even if past.
  return (weekday === undefined ? undefined : matching(today.year)) ?? onOrAfter(matching, today)
}

const onWeekday =
  (yearly: Yearly, weekday: number): Yearly =>
  (year) => {
    const date = yearly(year)
    return date?.dayOfWeek === weekday ? date : undefined
  }
