import { equal, match } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { readDate } from '../read/read-date.ts'

const TODAY = Temporal.PlainDate.from('2025-09-08')

function read(query: string, today = TODAY): string {
  const reading = readDate(query, today)
  if ('count' in reading) return String(reading.count)
  return 'date' in reading ? reading.date.toString() : reading.error
}

/** Dates as calendars and almanacs printed them. */
const HOLIDAYS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'of the United States': [
    ['Juneteenth 2026', '2026-06-19'],
    ['MLK Jr. Day 2026', '2026-01-19'],
    ['tax day 2018', '2018-04-17'],
    ['tax day 2016', '2016-04-18'],
    ['tax day 2024', '2024-04-15'],
    ['the start of daylight saving time 2026', '2026-03-08'],
    ['daylight saving time ends 2005', '2005-10-30'],
    ["national boss's day 2027", '2027-10-15'],
    ["Secretaries' Day 2025", '2025-04-23'],
    ['Giving Tuesday 2025', '2025-12-02'],
    ['Super Tuesday 2016', '2016-03-01'],
  ],
  'of other countries, and of the world': [
    ["King's Day 2025", '2025-04-26'],
    ["International Women's Day 2026", '2026-03-08'],
    ['Bastille Day 2026', '2026-07-14'],
    ['the feast of the Assumption 2026', '2026-08-15'],
    ['Commonwealth Day 2026', '2026-03-09'],
  ],
  'counted from Easter': [
    ['Orthodox Easter 2024', '2024-05-05'],
    ['Orthodox Easter 2025', '2025-04-20'],
    ['orthodox palm sunday 2026', '2026-04-05'],
    ['Mothering Sunday 2026', '2026-03-15'],
    ['Advent Sunday 2025', '2025-11-30'],
  ],
  'by the Islamic calendar': [
    ['Eid al-Fitr 2026', '2026-03-20'],
    ['Eid ul Adha 2025', '2025-06-06'],
    ['the first day of Ramadan 2026', '2026-02-18'],
    ['Islamic New Year 2025', '2025-06-26'],
    ['when is bakrid 2024', '2024-06-16'],
  ],
  'by the Chinese calendar': [
    ['Chinese New Year', '2026-02-17'],
    ['last Chinese New Year', '2025-01-29'],
    ['Mid-Autumn Festival 2025', '2025-10-06'],
    ['Dragon Boat Festival 2023', '2023-06-22'],
  ],
  'by the Hindu calendar, whatever the spelling': [
    ['Diwali 2023', '2023-11-12'],
    ['Divali 2026', '2026-11-08'],
    ['Holi 2024', '2024-03-25'],
    ['Ganesha Chaturthi 2024', '2024-09-07'],
    ['Maha Shivaratri 2025', '2025-02-26'],
    ['Mahaa Shivaraathri 2025', '2025-02-26'],
    ['Makar Sankranti 2024', '2024-01-15'],
    ['Ram Navami 2024', '2024-04-17'],
    ['Karwa Chauth 2023', '2023-11-01'],
    ['Guru Nanak Jayanti 2025', '2025-11-05'],
    ['Guru Gobind Singh Jayanti 2019', '2019-01-13'],
  ],
  'beside a number of years or months': [
    ['Thanksgiving in two years', '2027-11-25'],
    ['Easter 3 years ago', '2022-04-17'],
    ['tax day one year ago', '2024-04-15'],
    ['Christmas in 3 months', '2025-12-25'],
    ['Eid al-Fitr two years hence', '2027-03-09'],
  ],
  'the nearest to, or the next after, a day or a year': [
    ['the closest Christmas to today', '2025-12-25'],
    ['the second closest Christmas to March 1, 2025', '2025-12-25'],
    ['the nearest Monday to May 1, 2025', '2025-04-28'],
    ['the closest Thursday to May 1, 2025', '2025-05-01'],
    ['the first Easter after 2026', '2027-03-28'],
    ['the second closest Christmas to 2019', '2018-12-25'],
    ['the closest Diwali to January 1, 2031', '2030-10-26'],
    ['the second Thanksgiving before May 1, 2025', '2023-11-23'],
  ],
}

for (const [name, rows] of Object.entries(HOLIDAYS)) {
  suite(`[R25.3] holidays ${name}`, () => {
    for (const [query, expected] of rows) test(query, () => equal(read(query), expected))
  })
}

test('[R25.4] a holiday that falls twice in a year is refused with both days', () => {
  match(read('Islamic New Year 2008'), /January 10, 2008 or December 29, 2008/)
  match(read('Guru Gobind Singh Jayanti 2017'), /January 5, 2017 or December 25, 2017/)
})

test('[R25.4] a search takes the first of two days in a year that it meets', () => {
  const day = Temporal.PlainDate.from('2017-03-01')
  equal(read('When is Guru Gobind Singh Jayanti?', day), '2017-12-25')
  equal(read('last Guru Gobind Singh Jayanti', day), '2017-01-05')
})

test('[R25.4] a year in which almanacs differ does not stop the search for the next day', () =>
  equal(read('When is Diwali?'), '2025-10-20'))
