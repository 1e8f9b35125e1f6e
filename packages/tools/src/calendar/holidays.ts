import { Temporal } from 'temporal-polyfill'
import { easter } from './easter.ts'
import { nthWeekday } from './nth-weekday.ts'
import { type Found, type Place, advance, skip, textBetween } from './read/place.ts'
import { type Yearly, monthDay } from './yearly.ts'

const [MONDAY, THURSDAY, SUNDAY] = [1, 4, 7] as const

/**
 * Holidays with a rule, as they are kept in the United States (federal ones: 5 U.S.C. 6103) and,
 * for the movable feasts, in the Western churches. Where the law moves a holiday that falls on a
 * weekend, this is the day itself. Names as tokens: `mother's day` is
 * `mother day`; where `day` may be left out, it is.
 */
const HOLIDAYS: readonly (readonly [Yearly, string])[] = [
  [monthDay(1, 1), 'new year, new years'],
  [nthOfMonth(1, MONDAY, 3), 'martin luther king, martin luther king jr, mlk'],
  [monthDay(2, 2), 'groundhog, groundhogs'],
  [monthDay(2, 14), 'valentine, valentines, saint valentine, st valentine'],
  [nthOfMonth(2, MONDAY, 3), 'presidents day, president day, washington birthday'],
  [monthDay(2, 29), 'leap day'],
  [monthDay(3, 14), 'pi day'],
  [monthDay(3, 15), 'ides of march'],
  [monthDay(3, 17), 'saint patrick, st patrick, saint patricks, st patricks, st paddy'],
  [monthDay(4, 1), 'april fools, april fool, all fools'],
  [monthDay(4, 22), 'earth day'],
  [monthDay(5, 1), 'may day'],
  [monthDay(5, 5), 'cinco de mayo'],
  [nthOfMonth(5, SUNDAY, 2), 'mother day, mothers day'],
  [nthOfMonth(5, MONDAY, -1), 'memorial day'],
  [monthDay(6, 19), 'juneteenth'],
  [nthOfMonth(6, SUNDAY, 3), 'father day, fathers day'],
  [monthDay(7, 4), 'independence day'],
  [nthOfMonth(9, MONDAY, 1), 'labor day'],
  [nthOfMonth(10, MONDAY, 2), 'columbus day, indigenous peoples day'],
  [monthDay(10, 31), 'halloween, hallowe en, all hallows eve'],
  [monthDay(11, 1), 'all saints'],
  [monthDay(11, 2), 'all souls'],
  [monthDay(11, 11), 'veterans day, veteran day, armistice day'],
  [shifted(nthOfMonth(11, MONDAY, 1), 1), 'election day'],
  [nthOfMonth(11, THURSDAY, 4), 'thanksgiving'],
  [shifted(nthOfMonth(11, THURSDAY, 4), 1), 'black friday'],
  [shifted(nthOfMonth(11, THURSDAY, 4), 4), 'cyber monday'],
  [monthDay(12, 24), 'christmas eve, xmas eve'],
  [monthDay(12, 25), 'christmas, xmas, x mas'],
  [monthDay(12, 26), 'boxing day'],
  [monthDay(12, 31), 'new year eve, new years eve'],
  [fromEaster(-47), 'shrove tuesday, pancake day, mardi gras, fat tuesday'],
  [fromEaster(-46), 'ash wednesday'],
  [fromEaster(-7), 'palm sunday'],
  [fromEaster(-3), 'maundy thursday, holy thursday'],
  [fromEaster(-2), 'good friday'],
  [fromEaster(-1), 'holy saturday'],
  [fromEaster(0), 'easter, easter sunday'],
  [fromEaster(1), 'easter monday, easter mon'],
  [fromEaster(39), 'ascension, ascension thursday'],
  [fromEaster(49), 'pentecost, whit sunday, whitsunday'],
  [fromEaster(50), 'whit monday, pentecost monday'],
  [fromEaster(56), 'trinity sunday'],
  [fromEaster(60), 'corpus christi'],
]

const byName: ReadonlyMap<string, Yearly> = new Map(
  HOLIDAYS.flatMap(([yearly, names]) => names.split(', ').map((name) => [name, yearly] as const)),
)
const LONGEST_NAME = 4

/** A holiday by name, the longest name that stands here; `day` may follow. */
export function holiday(place: Place): Found<Yearly> | undefined {
  for (let length = LONGEST_NAME; length > 0; length -= 1) {
    const rest = advance(place, length)
    const value = byName.get(textBetween(place, rest))
    if (value) return { value, rest: skip(rest, 'day') }
  }
  return undefined
}

/** The nth weekday of a month; the last with -1. */
function nthOfMonth(month: number, weekday: number, n: number): Yearly {
  return (year) => {
    const first = Temporal.PlainDate.from({ year, month, day: 1 })
    return nthWeekday(n > 0 ? first.subtract({ days: 1 }) : first.add({ months: 1 }), weekday, n)
  }
}

function fromEaster(days: number): Yearly {
  return shifted(easter, days)
}

function shifted(yearly: Yearly, days: number): Yearly {
  return (year) => yearly(year)?.add({ days })
}
