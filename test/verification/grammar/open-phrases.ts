import type { Draw } from '../draw.ts'
import { amount, asking } from '../english.ts'
import { eitherOf, type Grammar, type Made } from '../item.ts'
import { minus, over, plus, square, times } from '../rational.ts'
import {
  added,
  changed,
  type Closer,
  multipleOf,
  multiplied,
  type Opener,
  pairWith,
  partOf,
  percentOf,
  squareOf,
} from './phrases.ts'

const REACH = 'the phrase may end before the operation or behind it'

/** `half of 90 increased by 10`: 55 or 50. */
const open =
  (opener: (draw: Draw) => Opener, closer: (draw: Draw) => Closer) =>
  (draw: Draw): Made => {
    const [phrase, then] = [opener(draw), closer(draw)]
    const a = amount(draw, 6, 120)
    const text = asking(draw, `${phrase.text} ${a.text} ${then.text}`)
    return eitherOf(text, REACH, [then.of(phrase.of(a.value)), phrase.of(then.of(a.value))])
  }

/** `5% of 400 less than 100`: 80 or -15. */
const openThan =
  (opener: (draw: Draw) => Opener) =>
  (draw: Draw): Made => {
    const phrase = opener(draw)
    const [a, b] = [amount(draw, 6, 120), amount(draw, 20, 200)]
    const isLess = draw.chance(0.5)
    const than = (x: typeof a.value) => (isLess ? minus(b.value, x) : plus(b.value, x))
    const text = asking(draw, `${phrase.text} ${a.text} ${isLess ? 'less' : 'more'} than ${b.text}`)
    return eitherOf(text, REACH, [than(phrase.of(a.value)), phrase.of(than(a.value))])
  }

/** `the square root of 16 plus 9`: 13 or 5. */
function openRoot(draw: Draw): Made {
  const [x, y] = draw.ints(2, 2, 15)
  if (x === undefined || y === undefined || y < x) return undefined
  const [a, b] = [x * x, y * y - x * x]
  const text = asking(
    draw,
    `the square root of ${a} ${draw.pick(['plus', '+', 'increased by'])} ${b}`,
  )
  return eitherOf(text, REACH, [x + b, y])
}

function openRootTimes(draw: Draw): Made {
  const [x, y] = [draw.int(2, 12), draw.int(2, 6)]
  const text = asking(
    draw,
    `the square root of ${x * x} ${draw.pick(['times', 'multiplied by'])} ${y * y}`,
  )
  return eitherOf(text, REACH, [x * y * y, x * y])
}

/** `the sum of 3 and 4 squared`: 19 or 49. */
function openSquared(draw: Draw): Made {
  const phrase = draw.pick([pairWith, multipleOf, partOf, percentOf])(draw)
  const a = amount(draw, 3, 12)
  const text = asking(draw, `${phrase.text} ${a.text} squared`)
  return eitherOf(text, REACH, [phrase.of(square(a.value)), square(phrase.of(a.value))])
}

/** `half of 4 and 6`: of both, or of one. */
function openAnd(draw: Draw): Made {
  const phrase = draw.pick([partOf, percentOf, multipleOf])(draw)
  const [a, b] = [amount(draw), amount(draw)]
  const text = asking(draw, `${phrase.text} ${a.text} and ${b.text}`)
  return eitherOf(text, 'half of one, of each or of both together', [
    plus(phrase.of(a.value), b.value),
    phrase.of(plus(a.value, b.value)),
  ])
}

/** `multiply 3 by 4 plus 5`: 17 or 27. */
function openCommand(draw: Draw): Made {
  const [a, b, c] = [amount(draw, 10, 90), amount(draw, 2, 9), amount(draw, 2, 9)]
  const [x, y, z] = [a.value, b.value, c.value]
  const [text, ...readings] = draw.pick([
    [`Multiply ${a.text} by ${b.text} plus ${c.text}.`, plus(times(x, y), z), times(x, plus(y, z))],
    [`Divide ${a.text} by ${b.text} plus ${c.text}.`, plus(over(x, y), z), over(x, plus(y, z))],
    [
      `Subtract ${b.text} from ${a.text} times ${c.text}.`,
      minus(times(x, z), y),
      times(minus(x, y), z),
    ],
    [`Add ${a.text} and ${b.text} times ${c.text}.`, plus(x, times(y, z)), times(plus(x, y), z)],
    [`Double ${a.text} plus ${c.text}.`, plus(times(2, x), z), times(2, plus(x, z))],
    [`Halve ${a.text} plus ${c.text}.`, plus(over(x, 2), z), over(plus(x, z), 2)],
    [`Square ${b.text} plus ${c.text}.`, plus(square(y), z), square(plus(y, z))],
    [
      `Increase ${a.text} by ${b.text} times ${c.text}.`,
      plus(x, times(y, z)),
      times(plus(x, y), z),
    ],
    [
      `Decrease ${a.text} by ${b.text} times ${c.text}.`,
      minus(x, times(y, z)),
      times(minus(x, y), z),
    ],
    [`Triple ${a.text} minus ${c.text}.`, minus(times(3, x), z), times(3, minus(x, z))],
  ] as const)
  return eitherOf(text, REACH, readings)
}

/** `10 plus 20 increased by 50%`: 40 or 45. */
function openBefore(draw: Draw): Made {
  const a = amount(draw, 5, 90)
  const then = changed(draw)
  const b = amount(draw, 2, 40)
  const [op, whole] = draw.pick([
    ['plus', plus(a.value, b.value)],
    ['minus', minus(a.value, b.value)],
    ['times', times(a.value, b.value)],
    ['divided by', over(a.value, b.value)],
  ] as const)
  const late = {
    plus: plus(a.value, then.of(b.value)),
    minus: minus(a.value, then.of(b.value)),
    times: times(a.value, then.of(b.value)),
    'divided by': then.of(b.value).n === 0n ? a.value : over(a.value, then.of(b.value)),
  }[op]
  return eitherOf(asking(draw, `${a.text} ${op} ${b.text} ${then.text}`), REACH, [
    then.of(whole),
    late,
  ])
}

/** `20 increased by 5 times 3`: 35 or 75. */
function changedThenTimes(draw: Draw): Made {
  const [a, b, c] = [amount(draw, 10, 90), amount(draw, 2, 9), amount(draw, 2, 9)]
  const isMore = draw.chance(0.5)
  const change = isMore ? plus : minus
  const words = isMore
    ? draw.pick(['increased by', 'raised by'])
    : draw.pick(['decreased by', 'reduced by'])
  return eitherOf(
    asking(draw, `${a.text} ${words} ${b.text} ${draw.pick(['times', 'multiplied by'])} ${c.text}`),
    REACH,
    [times(change(a.value, b.value), c.value), change(a.value, times(b.value, c.value))],
  )
}

/** `100 plus 10%`: of 100, or a tenth. */
function plusPercent(draw: Draw): Made {
  const [a, share] = [amount(draw, 20, 300), draw.pick([5, 10, 20, 25, 50])]
  const [sign, op] = draw.pick([
    ['+', plus],
    ['-', minus],
    ['plus', plus],
    ['minus', minus],
  ] as const)
  const tenth = over(share, 100)
  return eitherOf(
    asking(draw, `${a.text} ${sign} ${share}%`),
    'percent of the number, or a share of one',
    [op(a.value, times(a.value, tenth)), op(a.value, tenth)],
  )
}

export const OPEN_PHRASES: readonly Grammar[] = [
  { kind: 'open: part of, then changed', make: open(partOf, changed) },
  { kind: 'open: part of, then plus', make: open(partOf, added) },
  { kind: 'open: percent of, then changed', make: open(percentOf, changed) },
  { kind: 'open: percent of, then plus', make: open(percentOf, added) },
  { kind: 'open: twice, then changed', make: open(multipleOf, changed) },
  { kind: 'open: square of, then changed', make: open(squareOf, changed) },
  { kind: 'open: square of, then plus', make: open(squareOf, added) },
  { kind: 'open: square of, then times', make: open(squareOf, multiplied) },
  { kind: 'open: sum of, then changed', make: open(pairWith, changed) },
  { kind: 'open: sum of, then plus', make: open(pairWith, added) },
  { kind: 'open: sum of, then times', make: open(pairWith, multiplied) },
  { kind: 'open: part of, than', make: openThan(partOf) },
  { kind: 'open: percent of, than', make: openThan(percentOf) },
  { kind: 'open: twice, than', make: openThan(multipleOf) },
  { kind: 'open: square root, then plus', make: openRoot },
  { kind: 'open: square root, then times', make: openRootTimes },
  { kind: 'open: phrase squared', make: openSquared },
  { kind: 'open: phrase of one or of both', make: openAnd },
  { kind: 'open: command, then operation', make: openCommand },
  { kind: 'open: operation, then changed', make: openBefore },
  { kind: 'open: changed, then times', make: changedThenTimes },
  { kind: 'open: plus percent', make: plusPercent },
]
