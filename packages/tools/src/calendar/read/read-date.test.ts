import { deepEqual, equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { formatDate } from '../format-date.ts'
import { monthName } from './names.ts'
import { readDate } from './read-date.ts'

/** A Monday. The expected dates were computed independently, with another language's calendar. */
const TODAY = Temporal.PlainDate.from('2025-09-08')

const read = (query: string, today = TODAY): string => {
  const reading = readDate(query, today)
  if ('count' in reading) return String(reading.count)
  return 'date' in reading ? reading.date.toString() : reading.error
}

const READINGS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'written with a year': [
    ['September 8, 2025', '2025-09-08'],
    ['What day of the week is September 8, 2025?', '2025-09-08'],
    ['Sept. 8th 2025', '2025-09-08'],
    ['8 September 2025', '2025-09-08'],
    ['the 8th of September, 2025', '2025-09-08'],
    ['8th Sep 2025', '2025-09-08'],
    ["sep 8 '25", '2025-09-08'],
    ['8 sep 25', '2025-09-08'],
    ['8-Sep-2025', '2025-09-08'],
    ['Sep-8-2025', '2025-09-08'],
    ['8september2025', '2025-09-08'],
    ['2025 September 8', '2025-09-08'],
    ['Monday, September 8, 2025', '2025-09-08'],
    ['September 8, 2025 (Monday)', '2025-09-08'],
    ['What weekday was the 4th of July, 1776?', '1776-07-04'],
    ['March the third, twenty fifteen', '2015-03-03'],
    ['march third two thousand and fifteen', '2015-03-03'],
    ['January 3, nineteen eighty four', '1984-01-03'],
    ['May 1, nineteen hundred', '1900-05-01'],
    ['the twenty-ninth of February 2024', '2024-02-29'],
    ['tell me which day of the week December 31, 1999 fell on', '1999-12-31'],
    ['SEPTEMBER 8, 2025', '2025-09-08'],
    ['  september   8  ,2025 ', '2025-09-08'],
  ],
  'in numbers': [
    ['2025-04-03', '2025-04-03'],
    ['2025-4-3', '2025-04-03'],
    ['2025/04/03', '2025-04-03'],
    ['2025.04.03', '2025-04-03'],
    ['20250403', '2025-04-03'],
    ['13/04/2025', '2025-04-13'],
    ['04/13/2025', '2025-04-13'],
    ['13.4.2025', '2025-04-13'],
    ['4-13-2025', '2025-04-13'],
    ['5/5/2025', '2025-05-05'],
    ['12/31/99', '1999-12-31'],
    ['31/12/45', '2045-12-31'],
    ['31/12/69', '1969-12-31'],
    ['04/13,2025', '2025-04-13'],
    ['24/12', '2025-12-24'],
    ['2 / 15', '2026-02-15'],
    ['Monday 2025-09-08', '2025-09-08'],
  ],
  'without a year': [
    ['September 8', '2025-09-08'],
    ['September 9', '2025-09-09'],
    ['September 7', '2026-09-07'],
    ['January 5th', '2026-01-05'],
    ['5 Jan', '2026-01-05'],
    ['the fifth of january', '2026-01-05'],
    ['Jan/5', '2026-01-05'],
    ['Feb 29', '2028-02-29'],
    ['Fri, Sep 12', '2025-09-12'],
    ['Fri, Sep 5', '2025-09-05'],
    ['Sep 8, Tue', '2026-09-08'],
    ['the 27th', '2025-09-27'],
    ['the 8th', '2025-09-08'],
    ['the 7th', '2025-10-07'],
    ['on the 31st', '2025-10-31'],
    ['on 15', '2025-09-15'],
    ['the twenty first', '2025-09-21'],
    ['Friday the 12th', '2025-09-12'],
    ['Friday the 5th', '2025-09-05'],
    ['Friday the 13th', '2026-02-13'],
    ['January 5 next year', '2026-01-05'],
    ['January 5 of last year', '2024-01-05'],
    ['in 2031, January 5', '2031-01-05'],
    ['next September 8', '2026-09-08'],
    ['last September 8', '2024-09-08'],
    ['this January 5', '2025-01-05'],
    ['15 may', '2026-05-15'],
  ],
  'near today': [
    ['today', '2025-09-08'],
    ["What's today's date?", '2025-09-08'],
    ['What day is it?', '2025-09-08'],
    ['what is the date', '2025-09-08'],
    ['now', '2025-09-08'],
    ['this day', '2025-09-08'],
    ['tomorrow', '2025-09-09'],
    ['yesterday', '2025-09-07'],
    ['the day after tomorrow', '2025-09-10'],
    ['day before yesterday', '2025-09-06'],
    ['What date was the day before yesterday?', '2025-09-06'],
    ['in a fortnight', '2025-09-22'],
    ['in 3 days', '2025-09-11'],
    ["in two weeks' time", '2025-09-22'],
    ['3 weeks ago', '2025-08-18'],
    ['what day was it 3 weeks ago', '2025-08-18'],
    ['a week ago today', '2025-09-01'],
    ['100 days from now', '2025-12-17'],
    ['one hundred and one days from today', '2025-12-18'],
    ['two weeks from tomorrow', '2025-09-23'],
    ['three days later', '2025-09-11'],
    ['a couple of days ago', '2025-09-06'],
    ['a month ago', '2025-08-08'],
    ['six months from now', '2026-03-08'],
    ['a year from yesterday', '2026-09-07'],
    ['two decades ago', '2005-09-08'],
    ['1,000 days ago', '2022-12-13'],
  ],
  weekdays: [
    ['Monday', '2025-09-15'],
    ['tue', '2025-09-09'],
    ['on Friday', '2025-09-12'],
    ['this Monday', '2025-09-08'],
    ['this Friday', '2025-09-12'],
    ['this Sunday', '2025-09-14'],
    ['next Monday', '2025-09-15'],
    ['coming Friday', '2025-09-12'],
    ['this coming Friday', '2025-09-12'],
    ['last Monday', '2025-09-01'],
    ['last Sunday', '2025-09-07'],
    ['this past Friday', '2025-09-05'],
    ['Monday after next', '2025-09-22'],
    ['Friday before last', '2025-08-29'],
    ['Friday of this week', '2025-09-12'],
    ['Wednesday of last week', '2025-09-03'],
    ['sunday next week', '2025-09-21'],
    ['next week on Friday', '2025-09-19'],
    ["last week's Sunday", '2025-09-07'],
    ['Thursday of the week after next', '2025-09-25'],
    ['two Sundays from now', '2025-09-21'],
    ['3 Mondays ago', '2025-08-18'],
    ['a week from Friday', '2025-09-19'],
    ['a week from next Monday', '2025-09-22'],
    ['3 Mondays back', '2025-08-18'],
    ['this week - Friday', '2025-09-12'],
    ['Friday 19', '2025-09-19'],
    ['What is due on Tuesday 30?', '2025-09-30'],
  ],
  'of a month or year': [
    ['the third Monday of January 2026', '2026-01-19'],
    ['What is the 3rd Monday in January 2026?', '2026-01-19'],
    ['first friday of july', '2026-07-03'],
    ['last Sunday of March 2014', '2014-03-30'],
    ['second to last Friday of May 2026', '2026-05-22'],
    ['the fifth Friday of October 2025', '2025-10-31'],
    ['the first Friday of this month', '2025-09-05'],
    ['the second Monday of next month', '2025-10-13'],
    ['last day of February 2024', '2024-02-29'],
    ['the last day of February', '2026-02-28'],
    ['third day of october', '2025-10-03'],
    ['the 100th day of 2024', '2024-04-09'],
    ['last day of the year', '2025-12-31'],
    ['end of this month', '2025-09-30'],
    ['the end of June', '2026-06-30'],
    ['beginning of next month', '2025-10-01'],
    ['the last business day of May 2026', '2026-05-29'],
    ['first weekday of November 2025', '2025-11-03'],
    ['the 5th of next month', '2025-10-05'],
    ['next month on the 5th', '2025-10-05'],
    ['the 3rd of this month', '2025-09-03'],
    ['the first day of next week', '2025-09-15'],
    ['first Monday in 2026', '2026-01-05'],
  ],
  holidays: [
    ['Christmas', '2025-12-25'],
    ['When is Christmas 2025?', '2025-12-25'],
    ['What day does Christmas fall on in 2027?', '2027-12-25'],
    ['last Christmas', '2024-12-25'],
    ['Christmas of next year', '2026-12-25'],
    ['Christmas Eve', '2025-12-24'],
    ["What day of the week does New Year's Day fall on next year?", '2026-01-01'],
    ['New Year’s Eve 1999', '1999-12-31'],
    ['Thanksgiving 2025', '2025-11-27'],
    ['Black Friday 2026', '2026-11-27'],
    ['When is Labor Day?', '2026-09-07'],
    ['Memorial Day 2026', '2026-05-25'],
    ['MLK Day 2026', '2026-01-19'],
    ["Mother's Day 2026", '2026-05-10'],
    ['Election Day 2028', '2028-11-07'],
    ['Easter 2025', '2025-04-20'],
    ['Easter Sunday two thousand twenty six', '2026-04-05'],
    ['In 2024, when was Easter?', '2024-03-31'],
    ['Good Friday 2027', '2027-03-26'],
    ['Pentecost 2026', '2026-05-24'],
    ['Mardi Gras 2026', '2026-02-17'],
    ['Halloween', '2025-10-31'],
    ['the 4th of July', '2026-07-04'],
  ],
  computed: [
    ['What date is 45 days after March 3, 2024?', '2024-04-17'],
    ['45 days before 2024-03-03', '2024-01-18'],
    ['a week before the first Friday of May 2026', '2026-04-24'],
    ['Feb 29 2024 plus one year', '2025-02-28'],
    ['January 31, 2025 plus one month', '2025-02-28'],
    ['2025-01-01 + 45 days', '2025-02-15'],
    ['2025-01-01 - 2 weeks', '2024-12-18'],
    ['2025-01-01 minus 1 day plus 1 year', '2025-12-31'],
    ['add 90 days to June 1, 2025', '2025-08-30'],
    ['subtract 2 weeks from May 1, 2026', '2026-04-17'],
    ['one year, two months and three days after January 1, 2024', '2025-03-04'],
    ['2 weeks and 3 days ago', '2025-08-22'],
    ['two business days after Friday', '2025-09-16'],
    ['10 business days before September 8, 2025', '2025-08-25'],
    ['5 working days from September 13, 2025', '2025-09-19'],
    ['250 business days from now', '2026-08-24'],
    ['the day after Christmas 2025', '2025-12-26'],
    ['the Monday after Easter 2026', '2026-04-06'],
    ['the third Tuesday after Christmas 2014', '2015-01-13'],
    ['the last Friday before Christmas 2025', '2025-12-19'],
    ['two days after the day before tomorrow', '2025-09-10'],
    ['three days prior to the end of next month', '2025-10-28'],
    ['100 years after July 4, 1776', '1876-07-04'],
  ],
  'counted from a date before': [
    ['My visa starts on 3 May 2025 and ends six months later. What date is that?', '2025-11-03'],
    ['She left on May 5, 2025 and came back 10 days later.', '2025-05-15'],
    ['We met on May 5, 2025. What date was two weeks after that?', '2025-05-19'],
    ['The fair opens on May 5, 2025; the day before that we rehearse.', '2025-05-04'],
    [
      'The fair opens on May 5, 2025; we rehearse the Friday before that. Which date?',
      '2025-05-02',
    ],
    ['What date is two weeks later?', '2025-09-22'],
  ],
  'counted in words of movement': [
    ['If I go back 3 weeks from May 22, 2025, what date is it?', '2025-05-01'],
    ['count back 30 days from May 31, 2025', '2025-05-01'],
    ['Count 30 days backwards from May 31, 2025', '2025-05-01'],
    ['count forward 30 days from May 1, 2025', '2025-05-31'],
    ['move ahead 2 weeks from May 1, 2025', '2025-05-15'],
    ['10 days back from May 11, 2025', '2025-05-01'],
    ['3 days ahead of Christmas 2025', '2025-12-22'],
    ['take 3 weeks off May 22, 2025', '2025-05-01'],
    ['take 3 weeks from May 22, 2025', '2025-05-01'],
    ['two weeks later than May 1, 2025', '2025-05-15'],
    ['Please go back two days from tomorrow', '2025-09-07'],
  ],
  'before or after a date': [
    ['What date comes immediately after Feb 28, 2023?', '2023-03-01'],
    ['What day follows Feb 28, 2024?', '2024-02-29'],
    ['Which date precedes January 1, 2000?', '1999-12-31'],
    ['What date is just before March 1, 2024?', '2024-02-29'],
    ['the day right after Christmas 2025', '2025-12-26'],
    ['Which day of the week comes after May 5, 2025?', '2025-05-06'],
    ['The day that follows May 5, 2025', '2025-05-06'],
  ],
  'halfway between two dates': [
    ['the midpoint between today and Sep 10, 2025', '2025-09-09'],
    ['midway between May 1 and May 3, 2026', '2026-05-02'],
  ],
  'Friday the 13th and days by number': [
    ['the second Friday the 13th of 2026', '2026-03-13'],
    ['the last Friday the 13th of 2026', '2026-11-13'],
    ['next Friday the 13th', '2026-02-13'],
    ['When was the last Friday the 13th?', '2025-06-13'],
    ['the first Monday the 31st in 2026', '2026-08-31'],
    ['day 200 of 2024', '2024-07-18'],
    ['day number 60 of 2023', '2023-03-01'],
    ['the 60th day of the year 2024', '2024-02-29'],
  ],
  'by ISO week': [
    ['Monday of ISO week 1 of 2026', '2025-12-29'],
    ['Thursday in ISO week 53 of 2026', '2026-12-31'],
    ['the Friday of ISO week 2, 2025', '2025-01-10'],
    ['the first day of ISO week 2 of 2025', '2025-01-06'],
  ],
  'in working days': [
    ['Which date is 5 business days after May 1, 2025? Ignore holidays.', '2025-05-08'],
    ["5 working days after May 1, 2025, weekends don't count", '2025-05-08'],
    ['5 working days after May 1, 2025, counting only Monday to Friday', '2025-05-08'],
  ],
  'as a choice or with an extra word': [
    ['Is May 5, 2025 a Monday or a Tuesday?', '2025-05-05'],
    ['Did May 5, 2025 fall on a Monday or a Tuesday?', '2025-05-05'],
    ['30 calendar days after May 1, 2025', '2025-05-31'],
    ['the last day of the month of February 2028', '2028-02-29'],
    ['the day after the day after tomorrow', '2025-09-11'],
    ['What date is three weeks after a week ago?', '2025-09-22'],
  ],
  'inside a sentence': [
    ["I'll go back on Jan. 2", '2026-01-02'],
    ["I'll go back two days from tomorrow", '2025-09-11'],
    ['Please remind me that the rent is due on the 1st', '2025-10-01'],
    ['Who did I email a month ago?', '2025-08-08'],
    ['May I ask what date is next Monday?', '2025-09-15'],
    ['Is there a time to meet on May 13?', '2026-05-13'],
    ['Book a 1:1 meeting on May 13', '2026-05-13'],
    ['This report is due on May 13', '2026-05-13'],
    ['What does my day look like?', '2025-09-08'],
    ['log-2024-02-03-', '2024-02-03'],
    ['We had a meeting the 20th of next month', '2025-10-20'],
    ['Are you free on 13.5.2015?', '2015-05-13'],
    ['The contract, signed on March 3, 2024, ends there', '2024-03-03'],
    ['around next monday', '2025-09-15'],
    ['How about 3 weeks from now?', '2025-09-29'],
  ],
}

for (const [name, rows] of Object.entries(READINGS)) {
  suite(`[R25.3] read: ${name}`, () => {
    for (const [query, expected] of rows) test(query, () => equal(read(query), expected))
  })
}

const REFUSALS: Readonly<Record<string, readonly (readonly [string, RegExp])[]>> = {
  '[R25.4] an ambiguous day and month is refused with both readings': [
    ['03/04/2025', /March 4, 2025 or April 3, 2025/],
    ['3.4.2025', /March 4, 2025 or April 3, 2025/],
    ['What day of the week was 11-12-99?', /November 12, 1999 or December 11, 1999/],
    ['45 days after 1/2/2024', /January 2, 2024 or February 1, 2024/],
    ['3/4', /March 4 or April 3/],
  ],
  'a weekday of this week or the next': [
    ['how about next friday', /September 12, 2025 or September 19, 2025/],
    ['next Sunday', /September 14, 2025 or September 21, 2025/],
    ['Friday after next', /September 19, 2025 or September 26, 2025/],
    ['a week from next Tuesday', /"next tuesday" can be September 9, 2025 or September 16, 2025/],
    ['around next tuesday', /September 9, 2025 or September 16, 2025/],
  ],
  'a two-digit year with two conventions': [
    ['31/12/68', /1968 or 2068/],
    ["May 3 '60", /1960 or 2060/],
  ],
  'a holiday on which almanacs, calendars or people differ': [
    ['Labor Day', /September 1, 2025 or September 7, 2026/],
    ['Passover 2027', /April 21, 2027, when it begins at sunset, or April 22, 2027/],
    ['How many days until Purim?', /March 2, 2026, when it begins at sunset, or March 3, 2026/],
    ['Diwali 2024', /October 31, 2024 or November 1, 2024/],
    ['Eid al-Fitr 1990', /known for the years 2002 to 2076 only/],
    ['Ashura 2009', /December 27, 2009/],
    ['Christmas in 2 months', /name its year/],
    ['Easter in 40 days', /name its year/],
  ],
  'a day that does not exist': [
    ['February 30, 2025', /February 30 does not exist/],
    ['31 April', /April 31 does not exist/],
    ['Feb 29, 2025', /"feb 29 2025" does not exist/],
    ['2025-02-29', /does not exist/],
    ['2025-13-01', /not a date/],
    ['32/13/2025', /not a date/],
    ['20251301', /not a date/],
    ['0000-01-01', /not a date/],
    ['the fifth Monday of February 2026', /does not exist/],
    ['the 366th day of 2025', /not one day/],
    ['the 31st of next February', /does not exist/],
    ['Tuesday, September 8, 2025', /is a Monday/],
    ['Easter 1500', /does not exist/],
    ['9999-12-31 plus 1 day', /outside the years/],
    ['99999999999 days from now', /outside the years/],
  ],
  'unknown words, which are named': [
    ['Friday Septembr', /not understood: "septembr"/],
    ['tomorow', /not understood: "tomorow"/],
    ['the 1st Monday of Smarch', /"1st".*"of"/],
    ['since Monday', /"since"/],
    ['every Monday', /"every"/],
    ['a few days ago', /"few"/],
    ['half a year ago', /"half"/],
    ['2.5 weeks from now', /"2.5"/],
    ['tomorrow at 3pm', /"3", "pm"/],
    ['2025-09-08T10:00:00Z', /"10"/],
    ['What party comes after Friday?', /"after"/],
    ['45 days afer March 3, 2024', /"45", "days"/],
    ['I have 3 meetings on Friday', /"3"/],
    ['8 septembre 2025', /"8"/],
    ['the first day of the fiscal year 2025', /"fiscal"/],
    ['45 moons after Friday', /"45", "after"/],
  ],
  'a name that is unknown or another day elsewhere': [
    ["When is Mother's Day in the UK?", /"uk"/],
    ['Canadian Thanksgiving 2025', /"canadian"/],
    ['coptic Easter 2026', /"coptic"/],
    ['frost day two years ago', /"frost"/],
    ['When was the Winter Gala three years ago?', /"winter"/],
    ['Zorbfest in 3 years', /"zorbfest"/],
    ['my day off', /no date/],
    ['What about a 1:1 on Friday?', /"1"/],
    ['Clean Monday', /"clean"/],
    ['Super Bowl Sunday', /"bowl"/],
    ['Monday of the Holy Spirit', /"of"/],
  ],
  'more than one date, or a span': [
    ['March 3, 2025 or April 5, 2025', /two dates/],
    ['Monday to Friday', /two dates/],
    ['Is September 8 a Friday?', /two dates/],
    ['next week', /"next week" is a span/],
    ['in 2025', /"2025" is a span/],
    ['What about May 2026?', /"may 2026" is a span/],
    ['the end of next week', /not one day/],
    ['July 13-15', /not a date/],
    ['from 13 to 15 July', /"from", "13"/],
  ],
  'words that may change the date': [
    ['I go back 3 weeks from May 22, 2025', /may mean to return/],
    ['We take 3 weeks off from May 1, 2025', /not understood/],
    ['I take 3 weeks off May 1, 2025', /not understood/],
    ['What date is before March 1, 2024?', /"before"/],
    ['Christmas comes before New Year', /not understood/],
    ['The party comes after May 5, 2025', /"after"/],
    ['The recession that followed May 5, 2025', /"followed"/],
    ['halfway between May 1, 2025 and May 2, 2025', /lies between two days/],
    ['the fourth Friday the 13th of 2026', /not one day/],
    ['Thursday in ISO week 53 of 2025', /does not exist/],
    ['Monday of week 10 of 2026', /"10"/],
    ["5 days after May 1, 2025, weekends don't count", /"weekends"/],
    ['5 days after May 1, 2025, excluding weekends', /"excluding"/],
    ['5 working days after May 1, 2025, excluding holidays', /"excluding"/],
    ['The 10 days from May 5, 2025 including today', /"including"/],
    ['What date is about two weeks after May 5, 2025?', /"about"/],
    ['at least two weeks after May 5, 2025', /"least"/],
    ['about 10 days before Christmas', /"about"/],
    ['He left on May 5, 2025 and came back about two weeks later.', /"about"/],
  ],
  'no date at all': [
    ['hello', /no date was found/],
    ['?', /no date was found/],
    ['demain', /no date was found/],
  ],
}

for (const [name, rows] of Object.entries(REFUSALS)) {
  suite(name.startsWith('[') ? name : `[R25.4] refused: ${name}`, () => {
    for (const [query, reason] of rows) test(query, () => match(read(query), reason))
  })
}

test('a repeated date is one date', () => equal(read('today, September 8, 2025'), '2025-09-08'))

const day = fc
  .integer({ min: 0, max: 3_652_000 })
  .map((days) => Temporal.PlainDate.from('0001-01-01').add({ days }))
const nearDay = fc.integer({ min: -20_000, max: 20_000 }).map((days) => TODAY.add({ days }))

const pad = (value: number, length = 2): string => String(value).padStart(length, '0')

test('[R25.2] every printed date reads back', () => {
  fc.assert(
    fc.property(
      day.filter(({ year }) => year >= 1000),
      (date) => {
        const { year, month, day } = date
        const forms = [
          formatDate(date),
          date.toString(),
          `${day} ${monthName(month)} ${year}`,
          `${monthName(month).slice(0, 3).toUpperCase()} ${day} ${year}`,
          `What day of the week was the ${day} of ${monthName(month)}, ${year}?`,
          `${year}${pad(month)}${pad(day)}`,
          ...(day > 12 ? [`${pad(day)}/${pad(month)}/${year}`, `${month}.${day}.${year}`] : []),
        ]
        for (const form of forms) equal(read(form), date.toString())
      },
    ),
  )
})

test('[R25.4] a numeric date is refused exactly when day and month can be swapped', () => {
  fc.assert(
    fc.property(nearDay, ({ year, month, day }) => {
      const text = read(`${pad(day)}/${pad(month)}/${year}`)
      if (day <= 12 && day !== month) match(text, / can be /)
      else equal(text, `${year}-${pad(month)}-${pad(day)}`)
    }),
  )
})

test('n units before and after a date agree with the calendar', () => {
  const unit = fc.constantFrom(
    'days' as const,
    'weeks' as const,
    'months' as const,
    'years' as const,
  )
  fc.assert(
    fc.property(
      nearDay,
      nearDay,
      fc.integer({ min: 2, max: 900 }),
      unit,
      (today, date, n, unit) => {
        const ask = (query: string): string => read(query, today)
        equal(ask(`${n} ${unit} after ${date.toString()}`), date.add({ [unit]: n }).toString())
        equal(ask(`${date.toString()} minus ${n} ${unit}`), date.subtract({ [unit]: n }).toString())
        equal(ask(`in ${n} ${unit}`), today.add({ [unit]: n }).toString())
      },
    ),
  )
})

test('a bare weekday is the next one, and a day without a year is never past', () => {
  fc.assert(
    fc.property(nearDay, nearDay, (today, date) => {
      const weekday = formatDate(date).split(',')[0] ?? ''
      const coming = Temporal.PlainDate.from(read(weekday, today))
      equal(coming.dayOfWeek, date.dayOfWeek)
      equal(Math.ceil(today.until(coming).days / 7), 1)
      const yearless = Temporal.PlainDate.from(read(`${monthName(date.month)} ${date.day}`, today))
      deepEqual([yearless.month, yearless.day], [date.month, date.day])
      equal(today.until(yearless).sign >= 0, true)
      equal(yearless.year - today.year <= 8, true)
    }),
  )
})

test('a date beyond the calendar is refused', () => {
  for (const query of ['in 999999999 Friday', '999999999 days from now', '99999999 years ago']) {
    equal(/^\d{4}-/.test(read(query)), false, query)
  }
})

test('any question returns a date or a reason', () => {
  const words = fc.constantFrom(
    ...'the a first last next this day week month year Monday Friday May March 3 31 2025 03/04 13/14/2025 2nd of after before from ago in plus - and easter christmas two hundred thousand what is date today couple eve 0 999999999 00000000'.split(
      ' ',
    ),
  )
  const question = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 500 }),
    fc.array(words, { maxLength: 60 }).map((parts) => parts.join(' ')),
  )
  fc.assert(
    fc.property(question, (query) => {
      equal(typeof read(query), 'string')
    }),
    { numRuns: 2000 },
  )
})

test('[R25.3] language and time zone of the host have no effect', () => {
  const queries = ['today', 'Monday', 'September 8', '45 days after March 3, 2024', 'Easter 2026']
  const script = `
    import { Temporal } from 'temporal-polyfill'
    import { formatDate } from ${JSON.stringify(new URL('../format-date.ts', import.meta.url).href)}
    import { readDate } from ${JSON.stringify(new URL('read-date.ts', import.meta.url).href)}
    for (const query of ${JSON.stringify(queries)}) {
      console.log(formatDate(readDate(query, Temporal.PlainDate.from('2025-09-08')).date))
    }`
  for (const [TZ, LANG] of [
    ['Pacific/Kiritimati', 'de_DE.UTF-8'],
    ['Pacific/Pago_Pago', 'tr_TR.UTF-8'],
  ]) {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=echelon-source', '--input-type=module', '--eval', script],
      {
        encoding: 'utf8',
        env: { ...process.env, TZ, LANG, LC_ALL: LANG },
        cwd: import.meta.dirname,
      },
    )
    equal(stderr, '')
    deepEqual(stdout.trim().split('\n'), [
      'Monday, September 8, 2025',
      'Monday, September 15, 2025',
      'Monday, September 8, 2025',
      'Wednesday, April 17, 2024',
      'Sunday, April 5, 2026',
    ])
  }
})
