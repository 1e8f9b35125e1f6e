import {
  addBusinessDays,
  addDays,
  dayOf,
  daysBetween,
  fromIso,
  iso,
  ordinal,
  someDay,
  span,
  weekdayAfter,
  weekdayOf,
  written,
  writtenWithWeekday,
  yearOf,
} from '../calendar-days.ts'
import type { Draw } from '../draw.ts'
import { capital, inWords, MONTHS, person, WEEKDAYS } from '../english.ts'
import { type Grammar, type Made, onDay, unsettled, worth } from '../item.ts'
import { TODAY } from '../judge.ts'

const today = fromIso(TODAY)

/** 03/04/2025, or a date that does not exist. */
function numeric(draw: Draw): Made {
  const [a, b, year] = [draw.int(1, 12), draw.int(1, 12), draw.int(1990, 2030)]
  if (a === b) return undefined
  const mark = draw.pick(['/', '/', '-'])
  const two = (n: number): string => (draw.chance(0.5) ? String(n).padStart(2, '0') : String(n))
  const date = `${two(a)}${mark}${two(b)}${mark}${draw.chance(0.8) ? year : String(year).slice(2)}`
  return unsettled(
    draw.pick([
      `What day of the week is ${date}?`,
      `What date is ${span(draw).text} after ${date}?`,
      `What date is ${span(draw).text} before ${date}?`,
      `Which weekday was ${date}?`,
      `How many days are there between ${date} and December 25, 2031?`,
      `The party is on ${date}. What day of the week is that?`,
    ]),
    'month and day can change places',
  )
}

const UNKNOWN_DAYS = [
  'tax day',
  "the company's founding day",
  'my birthday',
  'our anniversary',
  'payday',
  'moving day',
  'the first day of school',
  'graduation day',
  "Tom's birthday",
  'the wedding day',
  'the deadline',
  'the next full moon',
  'sports day',
  'the last election',
  'bin day',
  'the start of the season',
  'her due date',
  'the last frost',
  'the exam',
  'opening day',
  'the parade',
  'market day',
  'the next solar eclipse',
  'my last day at work',
  'the release',
  'Founders Day',
  'open house day',
  'the end of the holidays',
  'the school fair',
  'laundry day',
  "the king's birthday",
  'Prize Day',
] as const

/** Days that do not exist. */
function unknownDay(draw: Draw): Made {
  const day = draw.pick(UNKNOWN_DAYS)
  const { text } = span(draw)
  return unsettled(
    draw.pick([
      `What date was ${day} ${text} ago?`,
      `What date is ${text} after ${day}?`,
      `What date was ${text} before ${day}?`,
      `When is ${day}?`,
      `What day of the week is ${day} in ${draw.int(2024, 2030)}?`,
      `${day} ${text} ago`,
      `What date is ${day} this year?`,
      `How many days are left until ${day}?`,
      `What date is the Monday after ${day}?`,
      `${day} ${draw.int(2024, 2030)}: which weekday?`,
    ]),
    'nobody knows that day',
  )
}

/** Money, counts and house numbers are not years or days. */
function noYears(draw: Draw): Made {
  const month = draw.pick(MONTHS)
  const [a, b] = [draw.int(10, 28), draw.int(2, 31)]
  const one = person(draw).name
  return unsettled(
    draw.pick([
      `$${a} ${month} ${b}`,
      `${one} paid $${b} on ${month} ${a}. What date is that?`,
      `What date is ${month} ${a} at number ${b}?`,
      `${month} ${a} $20${b}`,
      `${one} bought ${b} tickets on ${month} ${a} for $2,0${a}. What day of the week was that?`,
      `Room 20${a}, ${month} ${(b % 28) + 1}. What day of the week?`,
      `${a} euros ${month} ${b}`,
      `${month} ${(b % 28) + 1} costs $20${a}. Which weekday is it?`,
      `Flight 20${a} left on ${month} ${(b % 28) + 1}. What day of the week was that?`,
      `${a} apples ${month} ${b}`,
      `What date is ${b} dollars after ${month} ${a}?`,
      `${one} weighs 20${a} pounds on ${month} ${(b % 28) + 1}. What day of the week is that?`,
      `The score was ${a}-${b} in ${month}. What date was that?`,
    ]),
    'the number is not a year',
  )
}

/** Digits by themselves: a date to some people and a calculation to others. */
function bareDigits(draw: Draw): Made {
  const [a, b] = [draw.int(1, 12), draw.int(13, 28)]
  const year = draw.int(1970, 2030)
  const short = String(year).slice(2)
  return unsettled(
    draw.pick([
      `${a}/${b}/${short}`,
      `${a}-${b}-${short}`,
      `${year}-${String(a).padStart(2, '0')}`,
      `${a}/${year}`,
      `${a}/${b}`,
      `${a}/${a + 1}/${a + 2}`,
      `${a}/${b}-${a + 1}/${b}/${year}`,
    ]),
    'a date or a calculation',
  )
}

/** Digits that are clearly a date with its year. */
function bareDate(draw: Draw): Made {
  const [year, month, day] = [draw.int(1970, 2030), draw.int(1, 12), draw.int(13, 28)]
  const [two, time] = [String(month).padStart(2, '0'), dayOf(year, month, day)]
  const date = draw.pick([
    `${month}/${day}/${year}`,
    `${month}-${day}-${year}`,
    `${day}/${month}/${year}`,
    `${day}.${month}.${year}`,
    `${year}-${two}-${day}`,
    `${year}/${two}/${day}`,
  ])
  return onDay(draw.pick([date, `What is ${date}?`, `${date}?`]), iso(time))
}

/** It is unclear which day is meant. */
function vague(draw: Draw): Made {
  const [day, { text }] = [someDay(draw), span(draw)]
  const weekday = draw.pick(WEEKDAYS)
  const month = draw.pick(MONTHS)
  return unsettled(
    draw.pick([
      `What date is about ${text} after ${written(draw, day)}?`,
      `What date is a few days after ${written(draw, day)}?`,
      `What date is some weeks before ${written(draw, day)}?`,
      `What date is ${inWords(draw.int(2, 4))} or ${inWords(draw.int(5, 8))} days after ${written(draw, day)}?`,
      `What date is a ${weekday} in ${month}?`,
      `What date is early ${month} ${yearOf(day)}?`,
      `What date is the weekend after ${written(draw, day)}?`,
      `What date is ${text} before or after ${written(draw, day)}?`,
      `What date is at least ${text} after ${written(draw, day)}?`,
      `What date is within ${text} of ${written(draw, day)}?`,
      `What date is ${text} from ${written(draw, day)}, give or take a day?`,
      `What date is every ${inWords(draw.int(2, 9))} days after ${written(draw, day)}?`,
      `What date is not ${text} after ${written(draw, day)}?`,
      `What dates are ${text} before and ${text} after ${written(draw, day)}?`,
      `What date is ${text} after ${written(draw, day)} or ${written(draw, addDays(day, 40))}?`,
      `What date is the next holiday after ${written(draw, day)}?`,
      `What date is ${text} after the day when ${person(draw).name} left?`,
      `What day of the week is ${month} ${draw.int(1, 28)} in a leap year?`,
      `What date is ${draw.int(2, 40)} working days after ${written(draw, day)} in Germany, holidays included?`,
      `What was the date when ${person(draw).name} was ${draw.int(2, 40)} years old?`,
      `What date is the ${weekday} near ${written(draw, day)}?`,
    ]),
    'no one day is meant',
  )
}

/** Does not exist. */
function impossible(draw: Draw): Made {
  const [month, last] = draw.pick([
    ['February', 30],
    ['February', 31],
    ['April', 31],
    ['June', 31],
    ['September', 31],
    ['November', 31],
    ['March', 32],
  ] as const)
  const year = draw.int(1990, 2030)
  const isLeap = year % 4 === 0
  const date = isLeap || draw.chance(0.6) ? `${month} ${last}, ${year}` : `February 29, ${year}`
  const [weekday, day] = [draw.int(0, 6), someDay(draw)]
  const wrong = weekday === weekdayOf(day) ? (weekday + 1) % 7 : weekday
  return unsettled(
    draw.pick([
      `What day of the week is ${date}?`,
      `What date is ${span(draw).text} after ${date}?`,
      `What date is the day before ${date}?`,
      `What date is two weeks after ${WEEKDAYS[wrong] ?? ''}, ${writtenWithWeekday(day).replace(/^\w+, /, '')}?`,
      `What date is the sixth ${WEEKDAYS[weekday] ?? ''} of ${month} ${year}?`,
      `What date is the ${draw.int(54, 60)}th week of ${year}?`,
    ]),
    'there is no such day',
  )
}

/** Weekdays that two people count differently. */
function nextWeekday(draw: Draw): Made {
  const weekday = WEEKDAYS[weekdayOf(addDays(today, draw.int(2, 4)))] ?? ''
  return unsettled(
    draw.pick([
      `What date is next ${weekday}?`,
      `When is next ${weekday}?`,
      `What date is the ${weekday} after next?`,
      `What date is ${draw.int(2, 9)} days after next ${weekday}?`,
      `The meeting was moved forward by two days from ${weekday}. What date is it?`,
      `What date is next ${weekday} or the one after?`,
    ]),
    'next may be the coming one or the one after',
  )
}

/** Business days, with the weekday stated. */
function businessDays(draw: Draw): Made {
  const day = someDay(draw, 2000, 2024)
  if (weekdayOf(day) > 4) return undefined
  const n = draw.int(1, 25)
  const noun = draw.pick(['business days', 'working days', 'weekdays'])
  const isBack = draw.chance(0.3)
  return onDay(
    `What date is ${n} ${n === 1 ? noun.slice(0, -1) : noun} ${isBack ? 'before' : 'after'} ${writtenWithWeekday(day)}? Count Monday to Friday only and ignore holidays.`,
    iso(addBusinessDays(day, isBack ? -n : n)),
  )
}

/** Not a date: a weekday, its own day, the date of another day. */
function asked(draw: Draw): Made {
  const day = someDay(draw, 1950, 2024)
  const n = draw.int(2, 60)
  const { text, add } = span(draw)
  const weekday = draw.int(0, 6)
  const [question, right] = draw.pick([
    [`${writtenWithWeekday(day)} is a date. What date is the day after?`, addDays(day, 1)],
    [
      `What date is the first ${WEEKDAYS[weekday] ?? ''} after ${written(draw, day)}?`,
      weekdayAfter(day, weekday),
    ],
    [`What date is the day before the day before ${written(draw, day)}?`, addDays(day, -2)],
    [`Today it is ${written(draw, day)}. What date was yesterday?`, addDays(day, -1)],
    [`Suppose today is ${written(draw, day)}. What date will it be in ${n} days?`, addDays(day, n)],
    [`Yesterday was ${written(draw, day)}. What date is today?`, addDays(day, 1)],
    [`Yesterday was ${written(draw, day)}. What date is tomorrow?`, addDays(day, 2)],
    [`Tomorrow will be ${written(draw, day)}. What date was yesterday?`, addDays(day, -2)],
    [`If ${n} days ago it was ${written(draw, day)}, what date is it today?`, addDays(day, n)],
    [`In ${n} days it will be ${written(draw, day)}. What date is it today?`, addDays(day, -n)],
    [`What date is ${n} days after ${written(draw, day)}, not counting that day?`, addDays(day, n)],
    [`${written(draw, day)} is ${n} days after which date?`, addDays(day, -n)],
    [`${written(draw, day)} is ${text} before which date?`, add(day, 1)],
    [`Which date is ${text} earlier than ${written(draw, day)}?`, add(day, -1)],
    [`${text} before which date is ${written(draw, day)}?`, add(day, 1)],
    [`What date comes ${n} days later than ${written(draw, day)}?`, addDays(day, n)],
    [
      `What date is the last day of a ${n}-day trip that starts on ${written(draw, day)}, if that day is day one?`,
      addDays(day, n - 1),
    ],
    [`The ${ordinal(n)} day after ${written(draw, day)} is which date?`, addDays(day, n)],
  ] as const)
  return onDay(capital(question), iso(right))
}

/** A number of days, with both ends or one. */
function counts(draw: Draw): Made {
  const [a, b] = [someDay(draw), someDay(draw)]
  if (a >= b) return undefined
  const apart = daysBetween(a, b)
  const [question, right] = draw.pick([
    [
      `How many days are there from ${written(draw, a)} to ${written(draw, b)}, both days included?`,
      apart + 1,
    ],
    [`How many days after ${written(draw, a)} is ${written(draw, b)}?`, apart],
    [`How many days before ${written(draw, b)} is ${written(draw, a)}?`, apart],
    [`How many days later than ${written(draw, a)} is ${written(draw, b)}?`, apart],
    [
      `How many full weeks are there between ${written(draw, a)} and ${written(draw, b)}?`,
      Math.floor(apart / 7),
    ],
    [
      `How many days lie strictly between ${written(draw, a)} and ${written(draw, b)}, neither of them counted?`,
      apart - 1,
    ],
    [
      `The shop was closed from ${written(draw, a)} to ${written(draw, b)} inclusive. How many days was it closed?`,
      apart + 1,
    ],
  ] as const)
  return right <= 0 ? undefined : worth(question, right)
}

/** Leap days and ends of months. */
function leaps(draw: Draw): Made {
  const year = draw.int(1990, 2030)
  const isLeap = year % 4 === 0
  const endOfFebruary = dayOf(year, 3, 1) - 86_400_000
  const n = draw.int(1, 40)
  const [question, right] = draw.pick([
    [`What date is the day after February 28, ${year}?`, addDays(dayOf(year, 2, 28), 1)],
    [`What date is the day before March 1, ${year}?`, endOfFebruary],
    [`What date is ${n} days after February 28, ${year}?`, addDays(dayOf(year, 2, 28), n)],
    [`What date is ${n} days before March 1, ${year}?`, addDays(dayOf(year, 3, 1), -n)],
    [`What is the last day of February ${year}?`, endOfFebruary],
    [`What date is the ${ordinal(59 + n)} day of ${year}?`, addDays(dayOf(year, 1, 1), 58 + n)],
    [`What date is ${n} weeks after February 28, ${year}?`, addDays(dayOf(year, 2, 28), 7 * n)],
  ] as const)
  if (draw.chance(0.1)) {
    return worth(`How many days did February ${year} have?`, isLeap ? 29 : 28)
  }
  return onDay(question, iso(right))
}

/** The nth weekday of a month, and dates relative to it. */
function nthWeekday(draw: Draw): Made {
  const [year, month, weekday] = [draw.int(2000, 2030), draw.int(1, 12), draw.int(0, 6)]
  const n = draw.int(1, 4)
  const first = weekdayAfter(addDays(dayOf(year, month, 1), -1), weekday)
  const day = addDays(first, 7 * (n - 1))
  const nth = ['first', 'second', 'third', 'fourth'][n - 1] ?? ''
  const name = `the ${nth} ${WEEKDAYS[weekday] ?? ''} of ${MONTHS[month - 1] ?? ''} ${year}`
  const apart = draw.int(1, 12)
  return draw.pick([
    onDay(`What date is ${name}?`, iso(day)),
    onDay(`What date is the day after ${name}?`, iso(addDays(day, 1))),
    onDay(`What date is ${apart} days before ${name}?`, iso(addDays(day, -apart))),
    onDay(`What date is ${apart} weeks after ${name}?`, iso(addDays(day, 7 * apart))),
    onDay(
      `The club meets on ${name}. Three days before that the hall is cleaned. What date does the club meet?`,
      iso(day),
    ),
  ])
}

/** Plain: a day of the week, a step from a date. */
function plain(draw: Draw): Made {
  const [day, step] = [someDay(draw), span(draw)]
  const isBack = draw.chance(0.4)
  const [question, right] = draw.pick([
    [`What day of the week was ${written(draw, day)}?`, day],
    [`What weekday was ${written(draw, day)}?`, day],
    [`On which day of the week did ${written(draw, day)} fall?`, day],
    [
      `What date is ${step.text} ${isBack ? 'before' : 'after'} ${written(draw, day)}?`,
      step.add(day, isBack ? -1 : 1),
    ],
    [
      `Which date is ${step.text} ${isBack ? 'before' : 'after'} ${written(draw, day)}?`,
      step.add(day, isBack ? -1 : 1),
    ],
    [`Add ${step.text} to ${written(draw, day)}.`, step.add(day, 1)],
    [`Subtract ${step.text} from ${written(draw, day)}.`, step.add(day, -1)],
  ] as const)
  return onDay(question, iso(right))
}

function plainEvents(draw: Draw): Made {
  const [day, step] = [someDay(draw), span(draw)]
  const born = draw.pick([
    'I was born on',
    'We met on',
    'She got married on',
    'The store opened on',
    'We signed the lease on',
  ])
  return draw.pick([
    onDay(`${born} ${written(draw, day)}. What day of the week was that?`, iso(day)),
    onDay(
      `${born} ${written(draw, day)}. What date was ${step.text} later?`,
      iso(step.add(day, 1)),
    ),
  ])
}

function plainNear(draw: Draw): Made {
  const { text, add } = span(draw)
  return draw.pick([
    onDay(`What date will it be in ${text}?`, iso(add(today, 1))),
    onDay(`What date was it ${text} ago?`, iso(add(today, -1))),
    onDay(`What is the date ${text} from today?`, iso(add(today, 1))),
    onDay('What date is tomorrow?', iso(addDays(today, 1))),
    onDay('What date was yesterday?', iso(addDays(today, -1))),
  ])
}

function plainCounts(draw: Draw): Made {
  const [a, b] = [someDay(draw), someDay(draw)]
  if (a >= b) return undefined
  return worth(
    draw.pick([
      `How many days are there between ${written(draw, a)} and ${written(draw, b)}?`,
      `How many days are there from ${written(draw, a)} to ${written(draw, b)}?`,
    ]),
    daysBetween(a, b),
  )
}

export const DATES: readonly Grammar[] = [
  { kind: 'dates: month and day change places', make: numeric },
  { kind: 'dates: unknown days', make: unknownDay },
  { kind: 'dates: numbers that are no years', make: noYears },
  { kind: 'dates: bare digits', make: bareDigits },
  { kind: 'dates: bare date in digits', make: bareDate },
  { kind: 'dates: vague', make: vague },
  { kind: 'dates: impossible', make: impossible },
  { kind: 'dates: next weekday', make: nextWeekday },
  { kind: 'dates: business days', make: businessDays },
  { kind: 'dates: other days than the one named', make: asked },
  { kind: 'dates: how many days', make: counts },
  { kind: 'dates: leap days', make: leaps },
  { kind: 'dates: nth weekday', make: nthWeekday },
  { kind: 'weekdays and steps', control: true, make: plain },
  { kind: 'an event and its date', control: true, make: plainEvents },
  { kind: 'from today', control: true, make: plainNear },
  { kind: 'days between', control: true, make: plainCounts },
]
