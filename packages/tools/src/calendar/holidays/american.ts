import { monthDay, type Yearly } from '../yearly.ts'
import {
  FRIDAY,
  type Holidays,
  MONDAY,
  SATURDAY,
  SUNDAY,
  THURSDAY,
  except,
  listed,
  nearestWorkday,
  nthOfMonth,
  shifted,
  weekdayBefore,
} from './rules.ts'

const thanksgiving = nthOfMonth(11, THURSDAY, 4)
const laborDay = nthOfMonth(9, MONDAY, 1)
const mothersDay = nthOfMonth(5, SUNDAY, 2)
const emancipation = monthDay(4, 16)

/**
 * April 15, or the next day that is neither on a weekend nor, since 2006, the observed Emancipation
 * Day of Washington (26 U.S.C. 7503). None in 2020 and 2021, when the deadline was postponed.
 */
const taxDay: Yearly = (year) => {
  if (year < 1955 || year === 2020 || year === 2021) return undefined
  const free = year < 2006 ? undefined : nearestWorkday(emancipation)(year)
  return [15, 16, 17, 18, 19]
    .flatMap((day) => monthDay(4, day)(year) ?? [])
    .find((day) => day.dayOfWeek <= FRIDAY && !(free && day.equals(free)))
}

/** Clock changes by the Uniform Time Act as amended in 1986 and 2005. */
const clocks =
  (before: Yearly, now: Yearly): Yearly =>
  (year) => {
    if (year < 1987) return undefined
    return year < 2007 ? before(year) : now(year)
  }

const CLOCKS_ON = clocks(nthOfMonth(4, SUNDAY, 1), nthOfMonth(3, SUNDAY, 2))
const CLOCKS_BACK = clocks(nthOfMonth(10, SUNDAY, -1), nthOfMonth(11, SUNDAY, 1))
const SUMMER_TIME = 'daylight (saving|savings)'

/** The Wednesday of the last whole week of April, which ends on a Saturday. */
const SECRETARIES_DAY = shifted(nthOfMonth(4, SATURDAY, -1), -3)

/** The day of most presidential primaries. */
const SUPER_TUESDAY = listed({
  1988: [3, 8],
  1992: [3, 10],
  1996: [3, 12],
  2000: [3, 7],
  2004: [3, 2],
  2008: [2, 5],
  2012: [3, 6],
  2016: [3, 1],
  2020: [3, 3],
  2024: [3, 5],
})

/**
 * Holidays of the United States (federal ones: 5 U.S.C. 6103). Where the law moves a holiday that
 * falls on a weekend, this is the original day.
 */
export const AMERICAN: Holidays = [
  [nthOfMonth(1, MONDAY, 3), 'martin luther king, martin luther king (jr|junior), mlk, mlk jr'],
  [monthDay(2, 1), 'freedom day'],
  [monthDay(2, 2), 'groundhog, groundhogs'],
  [monthDay(2, 12), '(lincoln|lincolns|abraham lincoln) birthday'],
  [nthOfMonth(2, MONDAY, 3), 'presidents day, president day, washington birthday'],
  [SUPER_TUESDAY, 'super tuesday'],
  [CLOCKS_ON, `start of ${SUMMER_TIME}, start of ${SUMMER_TIME} time`],
  [CLOCKS_ON, `${SUMMER_TIME} (start|starts|begin|begins)`],
  [CLOCKS_ON, `${SUMMER_TIME} time (start|starts|begin|begins)`],
  [CLOCKS_BACK, `end of ${SUMMER_TIME}, end of ${SUMMER_TIME} time`],
  [CLOCKS_BACK, `${SUMMER_TIME} (end|ends), ${SUMMER_TIME} time (end|ends)`],
  [monthDay(2, 15), 'susan b anthony day'],
  [nthOfMonth(3, MONDAY, 1), 'casimir pulaski day, pulaski day'],
  [monthDay(3, 31), 'cesar chavez day'],
  [monthDay(4, 13), '(thomas jefferson|jefferson) birthday'],
  [monthDay(4, 14), 'pan american day'],
  [nthOfMonth(4, THURSDAY, 4), 'take our daughters and sons to work day'],
  [taxDay, '(tax|taxes) day, income tax day'],
  [emancipation, 'emancipation day'],
  [nthOfMonth(4, MONDAY, 3), 'patriots day'],
  [nthOfMonth(4, FRIDAY, -1), 'arbor day'],
  [SECRETARIES_DAY, 'administrative (professional|professionals|assistant|assistants) day'],
  [SECRETARIES_DAY, '(admin|admins|secretary|secretaries) day'],
  [monthDay(5, 1), 'loyalty day, law day, lei day'],
  [nthOfMonth(5, THURSDAY, 1), 'day of prayer'],
  [
    weekdayBefore(mothersDay, FRIDAY),
    'military spouse day, military (spouse|spouses) appreciation',
  ],
  [mothersDay, 'mother day, mothers day'],
  [nthOfMonth(5, SATURDAY, 3), 'armed forces day'],
  [nthOfMonth(5, MONDAY, -1), 'memorial day, decoration day'],
  [monthDay(5, 8), 've day, victory in europe day'],
  [monthDay(5, 15), 'peace officers memorial day'],
  [monthDay(5, 22), 'maritime day'],
  [monthDay(6, 6), 'd day'],
  [monthDay(6, 11), 'kamehameha day, king kamehameha day'],
  [monthDay(6, 14), 'flag day'],
  [nthOfMonth(6, SUNDAY, 3), 'father day, fathers day'],
  [monthDay(6, 19), 'juneteenth'],
  [monthDay(7, 4), 'independence day'],
  [nthOfMonth(7, SUNDAY, 4), 'parents day, parent day'],
  [monthDay(8, 7), 'purple heart day'],
  [monthDay(8, 19), 'aviation day'],
  [monthDay(8, 26), 'women equality day, womens equality day'],
  [laborDay, 'labor day'],
  [shifted(laborDay, 6), 'grandparents day, grandparent day'],
  [monthDay(9, 11), 'patriot day'],
  [monthDay(9, 17), 'constitution day, citizenship day'],
  [nthOfMonth(9, FRIDAY, 3), 'pow mia recognition day, pow mia day'],
  [nthOfMonth(9, SUNDAY, -1), 'gold star mother day, gold star mothers day'],
  [monthDay(10, 9), 'leif erikson day'],
  [monthDay(10, 18), 'alaska day'],
  [
    nthOfMonth(10, MONDAY, 2),
    'columbus day, (indigenous|indigenous people|indigenous peoples) day',
  ],
  [nearestWorkday(monthDay(10, 16)), '(boss|bosses) day'],
  [nthOfMonth(10, SATURDAY, 3), 'sweetest day'],
  [nthOfMonth(10, SUNDAY, 4), 'mother in law day, mothers in law day'],
  [monthDay(10, 27), 'navy day'],
  [shifted(nthOfMonth(11, MONDAY, 1), 1), 'election day'],
  [monthDay(11, 11), 'veterans day, veteran day'],
  [thanksgiving, 'thanksgiving'],
  [shifted(thanksgiving, 1), 'black friday'],
  [shifted(thanksgiving, 2), 'small business saturday'],
  [shifted(thanksgiving, 4), 'cyber monday'],
  [except(shifted(thanksgiving, 5), (year) => year < 2012), 'giving tuesday'],
  [monthDay(12, 7), 'pearl harbor, pearl harbor remembrance'],
  [monthDay(12, 15), 'bill of rights day'],
  [monthDay(12, 17), 'wright brothers day'],
  [weekdayBefore(monthDay(12, 25), SATURDAY), 'super saturday, panic saturday'],
]
