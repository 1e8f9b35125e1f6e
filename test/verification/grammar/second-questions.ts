import { someDay, span, written } from '../calendar-days.ts'
import type { Draw } from '../draw.ts'
import { people, RELATIVES, THINGS, WARES } from '../english.ts'
import { type Grammar, type Made, unsettled, worth } from '../item.ts'

/** Two questions about one story: an answer to one of them is not the answer. */
function stories(draw: Draw): Made {
  const [a, b] = people(draw, 2)
  const [one, two] = draw.some(THINGS, 2)
  if (a === undefined || b === undefined || one === undefined || two === undefined) return undefined
  const [x, y, z] = [draw.int(12, 60), draw.int(12, 60), draw.int(2, 9)]
  const things = one[1]
  if (x === y) return undefined
  return unsettled(
    draw.pick([
      `${a.name} has ${x} ${things} and ${b.name} has ${y} ${things}. How many ${things} do they have together? And how many more does ${a.name} have?`,
      `${a.name} has ${x} ${things}. ${a.He} buys ${z} more ${things}. How many ${things} does ${a.he} have now, and how many did ${a.he} have before?`,
      `${a.name} had ${x} ${things}. ${a.He} lost ${z} ${things}. How many ${things} does ${a.he} have left? How many did ${a.he} lose?`,
      `${a.name} has ${x} ${things} and ${b.name} has ${y} ${things}. How many ${things} does ${a.name} have, and how many does ${b.name} have?`,
      `${a.name} has ${x} ${things} and ${y} ${two[1]}. How many ${things} or ${two[1]} does ${a.he} have?`,
      `${a.name} buys ${x} ${things} for $${z} each. How much does ${a.he} pay? How much would ${b.name} pay for ${y} ${things}?`,
      `A train travels at ${x} miles per hour. How many miles does it travel in ${z} hours? And in ${z + 1} hours?`,
      `${a.name} has ${x} ${things}. ${b.name} has ${y}. Who has more?`,
      `${a.name} has ${x} ${things}. ${a.He} gives away ${z} ${things}. Does ${a.he} have more than ${x - z - 1} left?`,
      `${a.name} has ${x} ${things}. ${a.He} gives ${z} ${things} to ${b.name}. How many ${things} does ${a.he} have left? Add that to ${y}.`,
    ]),
    'two things are asked for, or none that is a number',
  )
}

function dates(draw: Draw): Made {
  const [a, b, one, two] = [someDay(draw), someDay(draw), span(draw), span(draw)]
  if (a === b || one.text === two.text) return undefined
  return unsettled(
    draw.pick([
      `What date is ${one.text} after ${written(draw, a)} and ${two.text} after ${written(draw, b)}?`,
      `What date is ${one.text} after ${written(draw, a)}? And ${two.text} after?`,
      `What day of the week was ${written(draw, a)}, and what day of the week was ${written(draw, b)}?`,
      `What dates are ${one.text} and ${two.text} after ${written(draw, a)}?`,
      `Add ${one.text} to ${written(draw, a)} and subtract ${two.text} from ${written(draw, b)}.`,
      `What date is ${one.text} after ${written(draw, a)}, or ${two.text} after it if that is a Sunday?`,
      `What date is later, ${written(draw, a)} or ${written(draw, b)}, and by how many days?`,
      `What is ${one.text} before ${written(draw, a)}, and how many days is that from today?`,
    ]),
    'two dates are asked for',
  )
}

/** Somebody near the one who is asked about does it. */
function relatives(draw: Draw): Made {
  const [a] = people(draw, 1)
  const relative = draw.pick(RELATIVES)
  const [ware, thing] = [draw.pick(WARES), draw.pick(THINGS)]
  const [n, price, had] = [draw.int(2, 12), draw.int(2, 15), draw.int(15, 60)]
  if (a === undefined) return undefined
  return unsettled(
    draw.pick([
      `${a.name}'s ${relative} buys ${n} ${ware[1]} at $${price} each. How much does ${a.name} pay?`,
      `${a.name}'s ${relative} has ${had} ${thing[1]} and buys ${n} more. How many ${thing[1]} does ${a.name} have?`,
      `${a.name} and ${a.his} ${relative} buy ${n} ${ware[1]} at $${price} each. How much does ${a.name} pay?`,
      `${a.name} buys ${n} ${ware[1]} at $${price} each, and ${a.his} ${relative} pays a part. How much does ${a.name} pay?`,
      `${a.name} gets ${n} ${ware[1]} at $${price} each from ${a.his} ${relative} as a present. How much does ${a.name} still have to pay for the wrapping?`,
      `${a.name}'s ${relative} earns $${price} an hour and works ${n} hours. How much does ${a.name} earn?`,
      `${a.name}'s ${relative} had ${had} ${thing[1]} and gave some to ${a.name}. How many ${thing[1]} does ${a.name} have?`,
      `${a.name} has ${had} ${thing[1]}. ${a.His} ${relative} lost ${n} ${thing[1]}. How many ${thing[1]} does ${a.his} ${relative} have?`,
    ]),
    'another person does it',
  )
}

/** The difference or the ratio is asked for, not the sum. */
function compared(draw: Draw): Made {
  const [a, b] = people(draw, 2)
  if (a === undefined || b === undefined) return undefined
  const ware = draw.pick(WARES)
  const [x, k, z] = [draw.int(5, 20), draw.int(2, 5), draw.int(2, 9)]
  const [text, value] = draw.pick([
    [
      `${a.name} has ${x * k} ${ware[1]} and ${b.name} has ${x} ${ware[1]}. How many times as many ${ware[1]} does ${a.name} have as ${b.name}?`,
      k,
    ],
    [
      `${a.name} has ${x + z} ${ware[1]} and ${b.name} has ${x} ${ware[1]}. How many fewer ${ware[1]} does ${b.name} have than ${a.name}?`,
      z,
    ],
    [
      `${a.name} buys ${k} ${ware[1]} at $${x} each and ${b.name} buys ${k} ${ware[1]} at $${x + z} each. How much more does ${b.name} pay than ${a.name}?`,
      k * z,
    ],
    [
      `${a.name} buys ${k + z} ${ware[1]} and ${b.name} buys ${z} ${ware[1]}. Each costs $${x}. How much more does ${a.name} pay than ${b.name}?`,
      k * x,
    ],
    [
      `${a.name} runs ${x + z} miles in the time in which ${b.name} runs ${x}. By how many miles does ${a.name} win?`,
      z,
    ],
    [
      `${a.name} has ${x} red and ${x + z} blue ${ware[1]}. How many more blue ${ware[1]} than red ones does ${a.he} have?`,
      z,
    ],
    [
      `${a.name} needs ${x + z} ${ware[1]} and has ${x}. Each costs $${k}. How much does ${a.he} pay for those that are missing?`,
      z * k,
    ],
    [
      `${a.name} had $${x * k} and spent all of it on ${k} ${ware[1]} of the same price. How much did one ${ware[0]} cost?`,
      x,
    ],
  ] as const)
  return worth(text, value)
}

/** A unit is said twice, or units that do not fit. */
function unitsTwice(draw: Draw): Made {
  const [a] = people(draw, 1)
  if (a === undefined) return undefined
  const [n, k, m] = [draw.int(2, 9), draw.int(5, 20), draw.int(2, 9)]
  return unsettled(
    draw.pick([
      `${a.name} earns $${k} an hour an hour. How much does ${a.he} earn in ${n} hours?`,
      `${a.name} runs ${k} miles a day a week. How many miles does ${a.he} run in ${n} weeks?`,
      `${a.name} works ${n} hours for ${m} hours a day. How many hours does ${a.he} work?`,
      `${a.name} has ${n} dozen dozen eggs or so. How many eggs does ${a.he} have?`,
      `${a.name} reads ${k} pages of ${k + 20} pages a day. How many pages does ${a.he} read in ${n} days?`,
      `${a.name} sleeps ${n} nights a night. How many nights does ${a.he} sleep in ${m} nights?`,
      `A car goes ${k * 5} miles per hour per mile. How many miles does it go in ${n} hours?`,
      `${a.name} pays $${k} a week a month. How much does ${a.he} pay in ${n} months?`,
      `A class of ${k} classes has ${n} pupils. How many pupils are there?`,
    ]),
    'a unit is said twice',
  )
}

export const SECOND_QUESTIONS: readonly Grammar[] = [
  { kind: 'stories: two questions', make: stories },
  { kind: 'stories: a relative does it', make: relatives },
  { kind: 'stories: compared', make: compared },
  { kind: 'stories: a unit twice', make: unitsTwice },
  { kind: 'dates: two questions', make: dates },
]
