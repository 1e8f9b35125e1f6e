import {
  addDays,
  addMonths,
  daysBetween,
  iso,
  someDay,
  weekdayAfter,
  weekdayOf,
  written,
} from '../calendar-days.ts'
import type { Draw } from '../draw.ts'
import { inWords, person, RELATIVES, WEEKDAYS } from '../english.ts'
import { type Grammar, type Made, onDay, unsettled, worth } from '../item.ts'

/** A three-day festival that starts on the 1st ends on the 3rd. */
function lasting(draw: Draw): Made {
  const day = someDay(draw)
  const n = draw.int(2, 20)
  const [long, thing] = [
    draw.pick([`${n}-day`, `${inWords(n)}-day`]),
    draw.pick(['festival', 'trip', 'fair', 'conference', 'course', 'sale', 'tour']),
  ]
  const [question, right] = draw.pick([
    [
      `A ${long} ${thing} starts on ${written(draw, day)}. On what date is its last day?`,
      addDays(day, n - 1),
    ],
    [
      `The last day of a ${long} ${thing} is ${written(draw, day)}. What date is its first day?`,
      addDays(day, 1 - n),
    ],
    [
      `We check in on ${written(draw, day)} and stay for ${n} nights. On what date do we check out?`,
      addDays(day, n),
    ],
    [
      `We check out on ${written(draw, day)} after ${n} nights. On what date did we check in?`,
      addDays(day, -n),
    ],
    [
      `The shop was open until ${written(draw, day)}, that day included. What was the first date when it was closed?`,
      addDays(day, 1),
    ],
    [
      `The ${thing} starts on ${written(draw, day)} and lasts ${n} days. On what date does it start?`,
      day,
    ],
    [
      `Milk is good for ${n} days after ${written(draw, day)}. What is the last date on which it is good?`,
      addDays(day, n),
    ],
    [
      `${person(draw).name} rented a car from ${written(draw, day)} until ${written(draw, addDays(day, n))}. On what date did the rental begin?`,
      day,
    ],
    [
      `${person(draw).name} rented a car from ${written(draw, day)} until ${written(draw, addDays(day, n))}. On what date did the rental end?`,
      addDays(day, n),
    ],
  ] as const)
  return onDay(question.replace(/\bA (?=8|11|18|eight|eleven)/, 'An '), iso(right))
}

/** Every two weeks: the next, the third, the one before. */
function repeated(draw: Draw): Made {
  const day = someDay(draw)
  const n = draw.int(2, 9)
  const [question, right] = draw.pick([
    [
      `The club meets every ${n} weeks. It met on ${written(draw, day)}. On what date did it meet next?`,
      addDays(day, 7 * n),
    ],
    [
      `The club meets every ${n} weeks. It met on ${written(draw, day)}. On what date had it met before that?`,
      addDays(day, -7 * n),
    ],
    [
      `The rent is paid every ${10 * n} days, for the first time on ${written(draw, day)}. On what date is it paid for the third time?`,
      addDays(day, 20 * n),
    ],
    [
      `The filter is changed every ${n} days. It was changed on ${written(draw, day)}. What date was that?`,
      day,
    ],
    [
      `A pill is taken every other day, first on ${written(draw, day)}. On what date is the second pill taken?`,
      addDays(day, 2),
    ],
  ] as const)
  return onDay(question, iso(right))
}

/** Hours that pass midnight, or do not. */
function clock(draw: Draw): Made {
  const day = someDay(draw)
  const [hour, n] = [draw.int(6, 11), draw.int(2, 20)]
  const end = hour + 12 + n
  const name = person(draw).name
  const [question, right] = draw.pick([
    [
      `The train left on ${written(draw, day)} at ${hour} pm and arrived ${n} hours later. On what date did it arrive?`,
      addDays(day, Math.floor(end / 24)),
    ],
    [
      `The train left on ${written(draw, day)} at ${hour} pm and arrived ${n} hours later. On what date did it leave?`,
      day,
    ],
    [
      `It is ${hour} pm on ${written(draw, day)}. What date will it be in ${n} hours?`,
      addDays(day, Math.floor(end / 24)),
    ],
    [
      `${name} fell asleep at ${hour} pm on ${written(draw, day)} and slept for 9 hours. On what date did ${name} wake up?`,
      addDays(day, Math.floor((hour + 21) / 24)),
    ],
    [`What date is 48 hours after noon on ${written(draw, day)}?`, addDays(day, 2)],
    [
      `The shop opened at ${hour} am on ${written(draw, day)} and closed ${(n % 9) + 1} hours later. On what date did it close?`,
      day,
    ],
  ] as const)
  return onDay(question, iso(right))
}

/** Questions about an age on a day. */
function ages(draw: Draw): Made {
  const day = someDay(draw, 1940, 2000)
  const years = draw.int(5, 60)
  const off = draw.pick([-40, -7, -1, 0, 1, 9, 30])
  const then = addDays(addMonths(day, 12 * years), off)
  const age = off < 0 ? years - 1 : years
  const relative = draw.pick(RELATIVES)
  return draw.pick([
    worth(
      `I was born on ${written(draw, day)}. How many years old was I on ${written(draw, then)}?`,
      age,
    ),
    worth(
      `My ${relative} was born on ${written(draw, day)}. How old was my ${relative} on ${written(draw, then)}?`,
      age,
    ),
    onDay(
      `I was born on ${written(draw, day)}. On what date did I turn ${years}?`,
      iso(addMonths(day, 12 * years)),
    ),
    onDay(
      `I turned ${years} on ${written(draw, day)}. On what date was I born?`,
      iso(addMonths(day, -12 * years)),
    ),
    onDay(
      `I was ${years} years old on ${written(draw, then)}, and I was born on ${written(draw, day)}. On what date was I born?`,
      iso(day),
    ),
  ])
}

/** Weekdays that are counted, or looked for. */
function weekdays(draw: Draw): Made {
  const day = someDay(draw)
  const n = draw.int(5, 60)
  const last = addDays(day, n)
  const weekday = draw.int(0, 6)
  const days = Array.from({ length: n + 1 }, (_, nth) => addDays(day, nth))
  const matching = days.filter((one) => weekdayOf(one) === weekday).length
  const working = days.filter((one) => weekdayOf(one) < 5).length
  const name = WEEKDAYS[weekday] ?? ''
  const next = weekdayAfter(day, weekday)
  return draw.pick([
    worth(
      `How many ${name}s are there from ${written(draw, day)} to ${written(draw, last)}, both days included?`,
      matching,
    ),
    worth(
      `How many days from Monday to Friday are there from ${written(draw, day)} to ${written(draw, last)}, both days included?`,
      working,
    ),
    onDay(`What date is the second ${name} after ${written(draw, day)}?`, iso(addDays(next, 7))),
    onDay(
      `The exam is on the first ${name} after ${written(draw, day)}. What date is the exam?`,
      iso(next),
    ),
    onDay(
      `The exam is one week after the first ${name} after ${written(draw, day)}. What date is the exam?`,
      iso(addDays(next, 7)),
    ),
    onDay(
      `What date is the last ${name} before ${written(draw, day)}?`,
      iso(weekdayAfter(addDays(day, -8), weekday)),
    ),
  ])
}

/** Two dates of two people, and one person is asked about. */
function twoDates(draw: Draw): Made {
  const [a, b] = [person(draw), person(draw)]
  const [one, two] = [someDay(draw, 1950, 2020), someDay(draw, 1950, 2020)]
  if (a.name === b.name || one === two) return undefined
  const did = draw.pick(['was born', 'was hired', 'was elected', 'was baptized'])
  const [was, done = ''] = did.split(' ')
  const told = draw.pick([
    `${a.name} ${did} on ${written(draw, one)} and ${b.name} on ${written(draw, two)}.`,
    `${a.name} ${did} on ${written(draw, one)}. ${b.name} ${did} on ${written(draw, two)}.`,
  ])
  const ask = draw.pick(['On what date', 'What day of the week', 'What date'])
  const apart = Math.abs(daysBetween(one, two))
  return draw.pick([
    onDay(`${told} ${ask} ${was ?? ''} ${a.name} ${done}?`, iso(one)),
    onDay(`${told} ${ask} ${was ?? ''} ${b.name} ${done}?`, iso(two)),
    worth(`${told} How many days are there between the two dates?`, apart),
    unsettled(`${told} What day of the week was that?`, 'two dates are told'),
  ])
}

/** One step from another: each starts where the other ends. */
function chained(draw: Draw): Made {
  const day = someDay(draw)
  const [n, weeks] = [draw.int(2, 30), draw.int(2, 9)]
  const weekday = draw.int(0, 6)
  const name = WEEKDAYS[weekday] ?? ''
  const date = written(draw, day)
  const [question, right] = draw.pick([
    [`What date is ${n} days before ${weeks} weeks after ${date}?`, addDays(day, 7 * weeks - n)],
    [`What date is ${n} days after ${weeks} weeks before ${date}?`, addDays(day, n - 7 * weeks)],
    [`What date is ${weeks} weeks and ${n} days after ${date}?`, addDays(day, 7 * weeks + n)],
    [`What date is ${weeks} weeks and ${n} days before ${date}?`, addDays(day, -7 * weeks - n)],
    [`What date is a year and a day after ${date}?`, addDays(addMonths(day, 12), 1)],
    [`What date is a week after the day before ${date}?`, addDays(day, 6)],
    [
      `What date is ${n} days after the first ${name} after ${date}?`,
      addDays(weekdayAfter(day, weekday), n),
    ],
    [
      `Go ${weeks} weeks forward from ${date} and then ${n} days back. What date is that?`,
      addDays(day, 7 * weeks - n),
    ],
    [
      `Start on ${date}. Go ${n} days back, then ${weeks} weeks forward. What date do you reach?`,
      addDays(day, 7 * weeks - n),
    ],
    [`The day after tomorrow is ${date}. What date is today?`, addDays(day, -2)],
    [`Two days before yesterday it was ${date}. What date is today?`, addDays(day, 3)],
    [`Three days after tomorrow it will be ${date}. What date is today?`, addDays(day, -4)],
  ] as const)
  return onDay(question, iso(right))
}

export const SPANS: readonly Grammar[] = [
  { kind: 'dates: something that lasts', make: lasting },
  { kind: 'dates: something repeated', make: repeated },
  { kind: 'dates: hours', make: clock },
  { kind: 'dates: steps from steps', make: chained },
  { kind: 'dates: ages', make: ages },
  { kind: 'dates: weekdays counted and found', make: weekdays },
  { kind: 'dates: two persons with a date each', make: twoDates },
]
