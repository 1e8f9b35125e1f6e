import { weekdayNumbers } from './names.ts'
import { type Place, named, skip, take } from './place.ts'

const weekday = named(weekdayNumbers)

/** Behind words that look like a date, or part of one, and ask or explain. */
export function skipIdiom(place: Place): Place | undefined {
  return take(place, ...IDIOMS) ?? choice(place) ?? workdayRule(place)
}

const ASKING = 'day of the week, day of week, may i, may we, starting from, starting on'
/** Where the holidays of this calendar are at home. */
const AT_HOME = 'in the us, in the usa, in the united states, in america'
const IDIOMS = `${ASKING}, ${AT_HOME}`.split(', ')

/** `a Saturday or a Sunday`: which one is asked. */
function choice(place: Place): Place | undefined {
  const first = take(place, 'on a', 'a')
  const one = first && weekday(first)
  const second = one && take(one.rest, 'or')
  const other = second && weekday(skip(second, 'on a', 'a'))
  return other?.rest
}

/**
 * How working days are counted here anyway: `Count Monday to Friday only`, `ignoring holidays`,
 * `weekends do not count`. Said of other days it would be another question.
 */
function workdayRule(place: Place): Place | undefined {
  return speaksOfWorkdays(place)
    ? (mondayToFriday(place) ?? noHolidays(place) ?? noWeekends(place))
    : undefined
}

const speaksOfWorkdays = ({ tokens }: Place): boolean =>
  /\b(?:business|working|work) days?\b|\b(?:work|week)days?\b/u.test(
    tokens.map(({ text }) => text).join(' '),
  )

function mondayToFriday(place: Place): Place | undefined {
  const counting = take(place, 'count only', 'counting only', 'count', 'counting', 'only')
  const from = weekday(counting ?? place)
  const joint = from?.value === MONDAY ? take(from.rest, 'to', 'through', '-') : undefined
  const to = joint && weekday(joint)
  if (to?.value !== FRIDAY) return undefined
  return take(to.rest, 'only') ?? (counting && to.rest)
}

const [MONDAY, FRIDAY] = [1, 5] as const

function noHolidays(place: Place): Place | undefined {
  const ignored = take(place, 'ignore', 'ignoring', 'disregard', 'disregarding')
  const none = ignored ? skip(ignored, 'all', 'any') : take(place, 'assume no', 'assuming no')
  return none && take(skip(none, 'public', 'bank', 'federal'), 'holidays')
}

function noWeekends(place: Place): Place | undefined {
  const without = take(place, 'excluding', 'skipping', 'skip', 'not counting')
  if (without) return take(without, 'weekends')
  return take(place, 'weekends do not count', 'weekends don t count', 'weekends excluded')
}
