import { addDays, iso, someDay, span, written } from '../calendar-days.ts'
import type { Draw } from '../draw.ts'
import { people, person, THINGS, WARES } from '../english.ts'
import { type Grammar, type Made, onDay, worth } from '../item.ts'
import { over, plus, times } from '../rational.ts'

/** Facts that can be told in any order, and a question. */
export interface Facts {
  readonly facts: readonly string[]
  readonly question: string
  readonly value: number
}

/** Two or three facts of which none refers to another. */
export function independentFacts(draw: Draw): Facts {
  const [a, b, c] = people(draw, 3).map(({ name }) => name)
  const [noun, ware] = [draw.pick(THINGS)[1], draw.pick(WARES)]
  const [x, y, z] = [draw.int(11, 40), draw.int(11, 40), draw.int(2, 9)]
  return draw.pick<Facts>([
    {
      facts: [`${a ?? ''} has ${x} ${noun}.`, `${b ?? ''} has ${y} ${noun}.`],
      question: `How many ${noun} do they have together?`,
      value: x + y,
    },
    {
      facts: [
        `${a ?? ''} has ${x} ${noun}.`,
        `${b ?? ''} has ${y} ${noun}.`,
        `${c ?? ''} has ${z} ${noun}.`,
      ],
      question: `How many ${noun} do they have altogether?`,
      value: x + y + z,
    },
    {
      facts: [`${a ?? ''} has ${z} more ${noun} than ${b ?? ''}.`, `${b ?? ''} has ${y} ${noun}.`],
      question: `How many ${noun} does ${a ?? ''} have?`,
      value: y + z,
    },
    {
      facts: [`${a ?? ''} buys ${x} ${ware[1]}.`, `Each ${ware[0]} costs $${z}.`],
      question: `How much does ${a ?? ''} pay?`,
      value: x * z,
    },
  ])
}

function facts(draw: Draw): Made {
  const { facts, question, value } = independentFacts(draw)
  return worth([...facts, question].join(' '), value)
}

/** Wordings of the evaluation's own stories. */
function evaluated(draw: Draw): Made {
  const who = person(draw)
  const [n, m, k] = [draw.int(3, 12), draw.int(10, 40), draw.int(2, 9)]
  const [text, value] = draw.pick([
    [
      `A notebook costs $${k}.25 and a pen costs $1.50. How much do ${n} notebooks and ${m} pens cost altogether?`,
      plus(times(over(k * 100 + 25, 100), n), times(over(3, 2), m)),
    ],
    [
      `A train travels at ${m * 2} km/h for ${n} hours. How many kilometers does it cover?`,
      times(m * 2, n),
    ],
    [
      `The theater has ${m} rows of ${n} seats, and tonight ${k} seats are empty. How many seats are taken?`,
      times(1, m * n - k),
    ],
    [
      `If a cyclist rides ${m * k} km in ${k} hours, what is ${who.his} average speed in km/h?`,
      times(1, m),
    ],
    [
      `${who.name} reads ${m} pages a day. How many days does ${who.he} need for a ${m * n}-page book?`,
      times(1, n),
    ],
    [
      `My rectangular garden is ${m} m long and ${n} m wide. How many meters of fence do I need to go all the way around?`,
      times(2, m + n),
    ],
    [
      `A shop buys mugs at $${k} each and sells them at $${k + n} each. What's the profit on ${m} mugs?`,
      times(n, m),
    ],
    [
      `An empty ${m * n} liter tank fills at ${n} liters per minute. How many minutes until it is full?`,
      times(1, m),
    ],
    [`Eggs come in boxes of ${n}. How many eggs are in ${m} boxes?`, times(m, n)],
    [
      `${who.name} shares ${m * k} stickers equally among ${k} friends. How many does each friend get?`,
      times(1, m),
    ],
    [
      `There's a jacket for ${m * 10} euros with ${k * 10}% off. What's the sale price?`,
      over(m * 10 * (10 - k), 10),
    ],
  ] as const)
  return worth(text, value)
}

/** Dates near the days that everybody knows. */
function holidays(draw: Draw): Made {
  const [name, day] = draw.pick([
    ['Christmas', '12-25'],
    ['Halloween', '10-31'],
    ["New Year's Day", '01-01'],
    ["Valentine's Day", '02-14'],
    ["New Year's Eve", '12-31'],
  ] as const)
  const year = draw.int(1995, 2035)
  const time = Date.parse(`${year}-${day}T00:00:00Z`)
  const n = draw.int(2, 40)
  return draw.pick([
    onDay(`What day of the week is ${name} ${year}?`, iso(time)),
    onDay(`On which weekday does ${name} fall in ${year}?`, iso(time)),
    onDay(`What date is ${n} days after ${name} ${year}?`, iso(addDays(time, n))),
    onDay(`What date is ${n} days before ${name} ${year}?`, iso(addDays(time, -n))),
  ])
}

/** Orders and events of one date. */
function steps(draw: Draw): Made {
  const [day, step] = [someDay(draw), span(draw)]
  const date = written(draw, day)
  return draw.pick([
    onDay(`Tell me the weekday of ${date}.`, iso(day)),
    onDay(`${date}, what day was it?`, iso(day)),
    onDay(`If I add ${step.text} to ${date}, what date do I get?`, iso(step.add(day, 1))),
    onDay(`${date} plus ${step.text}`, iso(step.add(day, 1))),
    onDay(`Give me the date ${step.text} before ${date}.`, iso(step.add(day, -1))),
    onDay(
      `The warranty began on ${date} and ends ${step.text} later. When is that?`,
      iso(step.add(day, 1)),
    ),
    onDay(
      `Count ${draw.pick(['forward', 'on'])} ${step.text} from ${date}. What date is that?`,
      iso(step.add(day, 1)),
    ),
  ])
}

export const PLAIN_STORIES: readonly Grammar[] = [
  { kind: 'facts in any order', control: true, make: facts },
  { kind: 'stories of the evaluation', control: true, make: evaluated },
  { kind: 'holidays', control: true, make: holidays },
  { kind: 'orders for a date', control: true, make: steps },
]
