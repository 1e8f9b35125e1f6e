import { weekdayNumbers } from './names.ts'
import { type Cursor, named, skip, take } from './cursor.ts'

const weekday = named(weekdayNumbers)

/** The position after an idiom: words that look like part of a date, but only ask or explain. */
export function skipIdiom(cursor: Cursor): Cursor | undefined {
  return take(cursor, ...IDIOMS) ?? choice(cursor) ?? workdayRule(cursor)
}

const ASKING = 'day of the week, day of week, may i, may we, starting from, starting on'
/** The country of the holidays that are named without one. */
const COUNTRY = 'in the us, in the usa, in the united states, in america'
/** An unspecified time of the day. */
const SOME_TIME = 'a time to, a time for, a time on, find time to, some time'
const IDIOMS = `${ASKING}, ${COUNTRY}, ${SOME_TIME}`.split(', ')

/** `a Saturday or a Sunday`: a choice between two answers. */
function choice(cursor: Cursor): Cursor | undefined {
  const first = take(cursor, 'on a', 'a')
  const one = first && weekday(first)
  const second = one && take(one.rest, 'or')
  const other = second && weekday(skip(second, 'on a', 'a'))
  return other?.rest
}

/**
 * Descriptions of how the calendar counts working days: `Count Monday to Friday only`, `ignoring
 * holidays`, `weekends do not count`. For other days these would change the question.
 */
function workdayRule(cursor: Cursor): Cursor | undefined {
  return mentionsWorkdays(cursor)
    ? (mondayToFriday(cursor) ?? noHolidays(cursor) ?? noWeekends(cursor))
    : undefined
}

const mentionsWorkdays = ({ tokens }: Cursor): boolean =>
  /\b(?:business|working|work) days?\b|\b(?:work|week)days?\b/u.test(
    tokens.map(({ text }) => text).join(' '),
  )

function mondayToFriday(cursor: Cursor): Cursor | undefined {
  const counting = take(cursor, 'count only', 'counting only', 'count', 'counting', 'only')
  const from = weekday(counting ?? cursor)
  const joint = from?.value === MONDAY ? take(from.rest, 'to', 'through', '-') : undefined
  const to = joint && weekday(joint)
  if (to?.value !== FRIDAY) return undefined
  return take(to.rest, 'only') ?? (counting && to.rest)
}

const [MONDAY, FRIDAY] = [1, 5] as const

function noHolidays(cursor: Cursor): Cursor | undefined {
  const ignored = take(cursor, 'ignore', 'ignoring', 'disregard', 'disregarding')
  const none = ignored ? skip(ignored, 'all', 'any') : take(cursor, 'assume no', 'assuming no')
  return none && take(skip(none, 'public', 'bank', 'federal'), 'holidays')
}

function noWeekends(cursor: Cursor): Cursor | undefined {
  const without = take(cursor, 'excluding', 'skipping', 'skip', 'not counting')
  if (without) return take(without, 'weekends')
  return take(cursor, 'weekends do not count', 'weekends don t count', 'weekends excluded')
}
