import { deepEqual, equal, match } from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { readDate } from './read/read-date.ts'

/** A Monday. The expected numbers were computed independently. */
const TODAY = Temporal.PlainDate.from('2025-09-08')

const read = (query: string, today = TODAY): number | string => {
  const reading = readDate(query, today)
  if ('count' in reading) return reading.count
  return 'date' in reading ? reading.date.toString() : reading.error
}

const COUNTS: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  'until a day': [
    ['How many days are there until Halloween?', 53],
    ['how many days till Christmas', 108],
    ["How many days remain until New Year's Eve?", 114],
    ['How many more days until October 1?', 23],
    ['Days remaining until Thanksgiving 2025', 80],
    ['number of days left until Jan 1 2026', 115],
    ['How many days until 25/12?', 108],
    ['How many days will it be until 1 March 2026?', 174],
    ['How many days do I have to wait until Halloween?', 53],
    ['How many days before Christmas is it?', 108],
    ['how many days away is Easter 2026', 209],
    ['Christmas is how many days away?', 108],
    ['In how many days is Halloween?', 53],
    ['How many days from now is October 8?', 30],
    ['How many days from today is Dec 31, 2025?', 114],
    ['weeks until December 1', 12],
  ],
  'since a day': [
    ['How many days have passed since August 1?', 38],
    ['How many days since July 4, 2025?', 66],
    ["How many days has it been since New Year's Day?", 250],
    ['How many days ago was last Friday?', 3],
    ['How many days ago was Christmas?', 257],
    ['days since 2025-01-01', 250],
  ],
  'between two days': [
    ['The number of days between now and Christmas', 108],
    ['How many days from now until Christmas?', 108],
    ['How many days lie between March 3 and May 5, 2026?', 63],
    ['How many days between March 3 and May 5?', 63],
    ['How many days are there between Dec 20 and Jan 5, 2026', 16],
    ['How many days between last Christmas and next Christmas?', 365],
    ["What's the number of days between 1 May 2025 and 31 May 2025?", 30],
    ['What is the difference in days between 2025-01-01 and 2025-02-01?', 31],
    ['count the days from May 5 2025 to June 5 2025', 31],
    ['From May 5 2025 to June 5 2025, how many days is that?', 31],
    ['between 2025-05-05 and 2025-06-05 how many days are there', 31],
    ['How many days between June 1, 2025 and May 1, 2025?', 31],
    ['How many days apart are May 5, 2025 and June 5, 2025?', 31],
    ['How many days are May 5, 2025 and June 5, 2025 apart?', 31],
    ['How many days after May 5, 2025 is June 5, 2025?', 31],
    ['How many days before Christmas 2025 is December 1, 2025?', 24],
    ['How many days were there from 1 Jan 2024 to 1 Jan 2025?', 366],
    ['How many days from May 1, 2025 to May 31, 2025 inclusive?', 31],
    ['What number of days lies between Easter 2026 and Pentecost 2026', 49],
    ['How many days are there between today and 2025-09-08?', 0],
  ],
  'in other units, and within a span': [
    ['How many weeks are there between 2025-01-01 and 2025-03-05?', 9],
    ['How many months from Jan 15 2024 to Mar 15 2025?', 14],
    ['How many years between 2000-02-29 and 2024-02-29?', 24],
    ['How many days are in February 2028?', 29],
    ['How many days does 2024 have?', 366],
  ],
}

for (const [name, rows] of Object.entries(COUNTS)) {
  suite(`counted: ${name}`, () => {
    for (const [query, expected] of rows) test(query, () => equal(read(query), expected))
  })
}

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['How many days between 03/04/2025 and 05/06/2025?', /March 4, 2025 or April 3, 2025/],
  ['How many days until Feb 30?', /February 30 does not exist/],
  ['How many days from June 1, 2025 to May 1, 2025?', /leads back in time/],
  ['How many days until August 1, 2025?', /August 1, 2025 is before/],
  ['How many days away is August 1, 2025?', /August 1, 2025 is before/],
  ['How many days ago was October 1, 2025?', /is before October 1, 2025/],
  ['How many days between Feb 1 and March 15?', /depends on the year/],
  ['How many days between the 1st and the 5th of May 2025?', /"between"/],
  ['How many days between Monday and Friday next week?', /"between"/],
  ['How many days is it from May 1, 2025 through May 31, 2025?', /"through"/],
  ['How many days are left in 2025?', /not clear/],
  ['How many days in a week?', /not clear|not understood/],
  ['How many days are there in February?', /"february"/],
  ['How many days until Christmas and New Year?', /two dates are needed/],
  ['How many days off do I have until Christmas?', /not clear/],
  ['How many days of school until Christmas?', /"school"/],
  ['How many days until my exam?', /"exam"/],
  ['How many rainy days between May 1, 2025 and May 5, 2025?', /not understood/],
  ['How many days did it rain between May 1, 2025 and May 5, 2025?', /"rain"/],
  ['How many working days until Christmas?', /not understood/],
  ['How many hours until Christmas?', /not understood/],
  ['How many weeks between 2025-01-01 and 2025-03-06?', /not a whole number of weeks/],
  ['How many weeks does 2024 have?', /ask for days/],
  ['days', /not understood|no date/],
]

suite('[R25.4] no number is returned', () => {
  for (const [query, reason] of REFUSED) test(query, () => match(String(read(query)), reason))
})

const day = fc
  .integer({ min: 0, max: 73_000 })
  .map((days) => Temporal.PlainDate.from('1900-01-01').add({ days }))

test('a number of days is the distance between two days in any wording', () => {
  fc.assert(
    fc.property(day, fc.nat({ max: 40_000 }), (first, days) => {
      const second = first.add({ days })
      const [one, two] = [first.toString(), second.toString()]
      const questions = [
        `How many days are there between ${one} and ${two}?`,
        `number of days from ${one} to ${two}`,
        `How many days after ${one} is ${two}?`,
      ]
      const answers = questions.map((query) => read(query))
      deepEqual(answers, [days, days, days])
      equal(read(`How many days until ${two}?`, first), days)
      equal(read(`How many days ago was ${one}?`, second), days)
      equal(read(`How many days since ${one}?`, second), days)
    }),
  )
})

test('a day without a year is the one nearest to the other day', () => {
  fc.assert(
    fc.property(day, day, (today, date) => {
      const name = date.toLocaleString('en-US', { month: 'long', day: 'numeric' })
      const days = Number(read(`How many days until ${name}?`, today))
      const ago = Number(read(`How many days ago was ${name}?`, today))
      const [next, last] = [today.add({ days }), today.subtract({ days: ago })]
      deepEqual(
        [next.month, next.day, last.month, last.day],
        [date.month, date.day, date.month, date.day],
      )
      equal(days + ago === 0 || (days > 0 && ago > 0), true)
    }),
  )
})
