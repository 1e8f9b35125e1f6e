import type { Draw } from '../draw.ts'
import { amount, capital, figure, type Said } from '../english.ts'
import { type Grammar, type Made, unsettled, worth } from '../item.ts'
import { minus, over, plus, type Rational, square, times } from '../rational.ts'
import { partOf, percentOf } from './phrases.ts'

/** A whole order with its result. */
function order(draw: Draw): Said {
  const [a, b] = [amount(draw, 10, 90), amount(draw, 2, 30)]
  const [x, y] = [a.value, b.value]
  return draw.pick<Said>([
    { text: `increase ${a.text} by ${b.text}`, value: plus(x, y) },
    { text: `decrease ${a.text} by ${b.text}`, value: minus(x, y) },
    { text: `reduce ${a.text} by ${b.text}`, value: minus(x, y) },
    { text: `add ${b.text} to ${a.text}`, value: plus(x, y) },
    { text: `add ${a.text} and ${b.text}`, value: plus(x, y) },
    { text: `subtract ${b.text} from ${a.text}`, value: minus(x, y) },
    { text: `multiply ${a.text} by ${b.text}`, value: times(x, y) },
    { text: `divide ${a.text} by ${b.text}`, value: over(x, y) },
    { text: `double ${a.text}`, value: times(2, x) },
    { text: `triple ${a.text}`, value: times(3, x) },
    { text: `halve ${a.text}`, value: over(x, 2) },
    { text: `square ${b.text}`, value: square(y) },
  ])
}

/** A phrase with its value. */
function sum(draw: Draw): Said {
  const [a, b] = [amount(draw, 10, 90), amount(draw, 2, 30)]
  const [x, y] = [a.value, b.value]
  const part = draw.pick([partOf, percentOf])(draw)
  return draw.pick<Said>([
    { text: `${a.text} plus ${b.text}`, value: plus(x, y) },
    { text: `${a.text} + ${b.text}`, value: plus(x, y) },
    { text: `${a.text} minus ${b.text}`, value: minus(x, y) },
    { text: `${a.text} times ${b.text}`, value: times(x, y) },
    { text: `${a.text} * ${b.text}`, value: times(x, y) },
    { text: `${a.text} divided by ${b.text}`, value: over(x, y) },
    { text: `${part.text} ${a.text}`, value: part.of(x) },
    { text: `the sum of ${a.text} and ${b.text}`, value: plus(x, y) },
  ])
}

const TWO = 'two things are asked for'

/** `Increase 50 by 10 and increase 20 by 5.` */
function twoOrders(draw: Draw): Made {
  const [one, two] = [order(draw), order(draw)]
  if (minus(one.value, two.value).n === 0n) return undefined
  const join = draw.pick([
    ' and ',
    ', and ',
    ', then ',
    '. Then ',
    '. ',
    '; ',
    '. Also ',
    ' and also ',
    '; now ',
    '. Next, ',
  ])
  const next = join.endsWith('. ') ? capital(two.text) : two.text
  return unsettled(`${capital(one.text)}${join}${next}.`, TWO)
}

/** `What is 2 + 2? And what is 3 * 3?` */
function twoQuestions(draw: Draw): Made {
  const [one, two] = [sum(draw), sum(draw)]
  if (minus(one.value, two.value).n === 0n) return undefined
  return unsettled(
    draw.pick([
      `What is ${one.text}? And what is ${two.text}?`,
      `What is ${one.text}? What is ${two.text}?`,
      `What is ${one.text} and what is ${two.text}?`,
      `What are ${one.text} and ${two.text}?`,
      `What is ${one.text}, and ${two.text}?`,
      `What's ${one.text}? Also ${two.text}?`,
      `Calculate ${one.text}. Then calculate ${two.text}.`,
      `Compute ${one.text} and ${two.text}.`,
      `First compute ${one.text}, then compute ${two.text}.`,
      `Is it ${one.text} or ${two.text}?`,
      `What is ${one.text} or ${two.text}?`,
      `What is ${one.text}; what is ${two.text}?`,
      `I need ${one.text} as well as ${two.text}.`,
      `Tell me ${one.text} and then ${two.text}.`,
      `Which is larger: ${one.text} or ${two.text}? Or are they the same?`,
      `Find ${one.text}. ${capital(order(draw).text)}.`,
    ]),
    TWO,
  )
}

/** An order to two numbers, or a bare list. */
function twoObjects(draw: Draw): Made {
  const [a, b, c] = [amount(draw, 10, 90), amount(draw, 2, 30), amount(draw, 2, 9)]
  if (minus(a.value, b.value).n === 0n) return undefined
  return unsettled(
    draw.pick([
      `Double ${a.text} and ${b.text}.`,
      `Triple ${a.text} and ${b.text}.`,
      `Halve ${a.text} and ${b.text}.`,
      `Square ${a.text} and ${b.text}.`,
      `Divide ${a.text} and ${b.text} by ${c.text}.`,
      `Multiply ${a.text} and ${b.text} by ${c.text}.`,
      `Increase ${a.text} and ${b.text} by ${c.text}.`,
      `Increase ${a.text} by ${b.text} and by ${c.text}%.`,
      `Subtract ${c.text} from ${a.text} and ${b.text}.`,
      `Subtract ${c.text} from ${a.text} and from ${b.text}.`,
      `Add ${c.text} to ${a.text} and to ${b.text}.`,
      `Add ${c.text} to ${a.text} and ${b.text}.`,
      `Increase ${a.text} by ${b.text} or by ${c.text}.`,
      `What is ${a.text} plus ${b.text} or ${c.text}?`,
      `What is ${a.text} plus or minus ${b.text}?`,
      `What is the square root of ${a.text} and ${b.text}?`,
      `What is ${a.text} increased by ${b.text} and ${c.text}% respectively?`,
    ]),
    TWO,
  )
}

/** Something is missing, or is a bound or a guess. */
function incomplete(draw: Draw): Made {
  const [a, b] = [figure(draw, 10, 90), figure(draw, 2, 30)]
  return unsettled(
    draw.pick([
      `What is ${a.text} plus?`,
      `What is ${a.text} plus a number?`,
      `What is ${a.text} plus x?`,
      `What is half of it plus ${a.text}?`,
      `What is ${a.text} plus a few?`,
      `What is about ${a.text} plus ${b.text}, more or less?`,
      `What is at least ${a.text} plus ${b.text}?`,
      `What is some of ${a.text} plus ${b.text}?`,
      `What is most of ${a.text}?`,
      `What is a part of ${a.text}?`,
      `What is more than ${a.text}?`,
      `What is less than ${a.text} plus ${b.text}?`,
      `What is between ${a.text} and ${b.text}?`,
      `What is ${a.text} to ${b.text}?`,
      `What is ${a.text}:30 plus ${b.text}?`,
      `Is ${a.text} plus ${b.text} more than 50?`,
      `Is ${a.text} plus ${b.text} an even number?`,
      `Why is ${a.text} plus ${b.text} not 100?`,
      `Who says that ${a.text} plus ${b.text} is 100?`,
      `How is ${a.text} plus ${b.text} written in words?`,
      `What is ${a.text} ${b.text}?`,
      `What is ${a.text} plus ${b.text} apples minus some apples?`,
      `Increase ${a.text}.`,
      `Divide ${a.text}.`,
      `${a.text} plus ${b.text} is not what?`,
      `What is not ${a.text} plus ${b.text}?`,
      `What is ${a.text} plus ${b.text} roughly to the nearest something?`,
      `What is ${a.text} plus ${b.text} in base 7?`,
      `What is ${a.text} plus ${b.text} in Roman numerals?`,
      `What is ${a.text} plus ${b.text} degrees in the other scale?`,
    ]),
    'it asks for something else, or something is missing',
  )
}

/** Steps of one calculation: each uses the last result. */
function steps(draw: Draw): Made {
  const start = amount(draw, 10, 60)
  const made = Array.from({ length: draw.int(1, 3) }, () => step(draw))
  const value = made.reduce<Rational>((x, { of }) => of(x), start.value)
  const told = made.map(({ text }) => text)
  const text = draw.pick([
    `Start with ${start.text}, ${told.join(', then ')}. What do you get?`,
    `Take ${start.text}, ${told.join(', ')}. What is the result?`,
    `Begin with ${start.text}. ${told.map(capital).join('. Then ')}. What is the result?`,
    `I have the number ${start.text}. I ${told.join(', and then I ')}. Which number do I have in the end?`,
  ])
  return worth(text, value)
}

function step(draw: Draw): { text: string; of: (x: Rational) => Rational } {
  const b = amount(draw, 2, 12)
  return draw.pick([
    { text: `add ${b.text} to it`, of: (x: Rational) => plus(x, b.value) },
    { text: `subtract ${b.text} from it`, of: (x: Rational) => minus(x, b.value) },
    { text: 'double it', of: (x: Rational) => times(2, x) },
    { text: 'halve it', of: (x: Rational) => over(x, 2) },
    { text: `multiply it by ${b.text}`, of: (x: Rational) => times(x, b.value) },
    { text: `divide it by ${b.text}`, of: (x: Rational) => over(x, b.value) },
    { text: `subtract it from ${b.text}`, of: (x: Rational) => minus(b.value, x) },
    { text: 'square it', of: square },
  ])
}

export const COMMANDS: readonly Grammar[] = [
  { kind: 'commands: two orders', make: twoOrders },
  { kind: 'commands: two questions', make: twoQuestions },
  { kind: 'commands: an order to two numbers', make: twoObjects },
  { kind: 'commands: incomplete, or not for a number', make: incomplete },
  { kind: 'commands: steps of one calculation', make: steps },
]
