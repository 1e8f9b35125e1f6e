import type { Temporal } from 'temporal-polyfill'
import { Misread } from './read/misread.ts'
import { weekdayName, weekdayNumbers } from './read/names.ts'
import {
  type Found,
  type Parser,
  type Place,
  longest,
  named,
  skip,
  skipAll,
  textBetween,
} from './read/place.ts'
import { QUESTION_WORDS } from './read/question-words.ts'
import { type Relation, relation } from './read/relation.ts'
import { year, yearBehind } from './year.ts'
import { type Yearly, firstAfter, lastBefore, onOrAfter } from './yearly.ts'
import { yearlyDay } from './yearly-day.ts'

/** What is said of a day of the year besides its name. */
interface Clues {
  readonly year?: number
  readonly weekday?: number
  readonly relation?: Relation
}

const weekday = named(weekdayNumbers)

/**
 * A day of the year and what tells its year: a year behind or in front of it, a relation
 * (`last Christmas`), a weekday (`Fri, Jul 18`). With none of them it is the coming one, today
 * included.
 * @throws Misread if the year has no such day, or the day falls on another weekday
 */
export const dated: Parser<Temporal.PlainDate> = longest(
  (place) => day(place, place, {}),
  (place) => {
    const found = weekday(place)
    return found && day(place, found.rest, { weekday: found.value })
  },
  (place) => {
    const found = relation(place)
    return found && day(place, found.rest, { relation: found.value })
  },
  (place) => {
    const found = year(skip(place, 'in'))
    return found && day(place, skipAll(found.rest, QUESTION_WORDS), { year: found.value })
  },
)

function day(start: Place, place: Place, clues: Clues): Found<Temporal.PlainDate> | undefined {
  const found = yearlyDay(skip(place, 'the'))
  if (!found) return undefined
  const { yearly, ...own } = found.value
  const known = { ...clues, ...own }
  const behind = known.year === undefined && !known.relation ? yearBehind(found.rest) : undefined
  if (behind) known.year = behind.value
  const trailing = known.weekday === undefined ? weekday(behind?.rest ?? found.rest) : undefined
  if (trailing) known.weekday = trailing.value
  const rest = (trailing ?? behind ?? found).rest
  const value = resolve(yearly, known, start.today)
  if (!value) throw new Misread(`"${textBetween(start, rest)}" does not exist`)
  if (known.weekday !== undefined && known.weekday !== value.dayOfWeek) {
    throw new Misread(`"${textBetween(start, rest)}" is a ${weekdayName(value.dayOfWeek)}`)
  }
  return { value, rest }
}

function resolve(
  yearly: Yearly,
  { year, weekday, relation }: Clues,
  today: Temporal.PlainDate,
): Temporal.PlainDate | undefined {
  if (year !== undefined) return yearly(year)
  if (weekday !== undefined) return agreeing(yearly, weekday, today)
  if (relation === 'this') return yearly(today.year)
  if (relation === 'last') return lastBefore(yearly, today)
  return relation ? firstAfter(yearly, today) : onOrAfter(yearly, today)
}

/** This year's if it falls on the weekday, even if it is over; else the next that does. */
function agreeing(
  yearly: Yearly,
  weekday: number,
  today: Temporal.PlainDate,
): Temporal.PlainDate | undefined {
  const onWeekday: Yearly = (year) => {
    const date = yearly(year)
    return date?.dayOfWeek === weekday ? date : undefined
  }
  return onWeekday(today.year) ?? onOrAfter(onWeekday, today)
}
