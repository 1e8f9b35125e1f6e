import type { Draw } from '../draw.ts'
import { amount, asking, figure, inWords, type Said } from '../english.ts'
import { type Grammar, type Made, unsettled, worth } from '../item.ts'
import {
  exact,
  isNegative,
  lessBy,
  minus,
  moreBy,
  over,
  percent,
  plus,
  type Rational,
  square,
  times,
} from '../rational.ts'
import { multipleOf, partOf, percentOf, taking } from './phrases.ts'

const fraction = (n: number, d: number): Said => ({ text: `${n}/${d}`, value: over(n, d) })

function someFraction(draw: Draw): Said {
  const d = draw.pick([2, 3, 4, 5, 6, 8, 10])
  return fraction(draw.int(1, d - 1), d)
}

/** `1/2 divided by 1/4`: a fraction is one number. */
function fractions(draw: Draw): Made {
  const [a, b, n] = [someFraction(draw), someFraction(draw), draw.int(2, 40)]
  const [phrase, value] = draw.pick<readonly [string, Rational]>([
    [`${a.text} divided by ${b.text}`, over(a.value, b.value)],
    [`${n} divided by ${b.text}`, over(n, b.value)],
    [`${a.text} ÷ ${b.text}`, over(a.value, b.value)],
    [`${n} ÷ ${b.text}`, over(n, b.value)],
    [`${a.text} divided by ${n}`, over(a.value, n)],
    [`${a.text} times ${b.text}`, times(a.value, b.value)],
    [`${a.text} plus ${b.text}`, plus(a.value, b.value)],
    [`${a.text} minus ${b.text}`, minus(a.value, b.value)],
    [`(${a.text}) / (${b.text})`, over(a.value, b.value)],
    [`${n} divided by a half`, times(n, 2)],
    [`${n} divided by one third`, times(n, 3)],
    [`a half divided by a quarter`, exact(2)],
    [`one half divided by one eighth`, exact(4)],
    [`three quarters divided by one half`, over(3, 2)],
    [`${a.text} of ${n} divided by ${b.text}`, over(times(a.value, n), b.value)],
    [`the quotient of ${a.text} and ${b.text}`, over(a.value, b.value)],
    [`the product of ${a.text} and ${b.text}`, times(a.value, b.value)],
    [`the reciprocal of ${a.text}`, over(1, a.value)],
    [`${a.text} of ${b.text}`, times(a.value, b.value)],
    [`${n} ${a.text} plus ${b.text}`, plus(n, a.value, b.value)],
    [`${n} ${a.text} times ${n + 1}`, times(plus(n, a.value), n + 1)],
    [`${n} ${a.text} divided by ${b.text}`, over(plus(n, a.value), b.value)],
    [`${n} divided by ${n + 1} ${a.text}`, over(n, plus(n + 1, a.value))],
  ])
  return worth(asking(draw, phrase), value)
}

function fractionCommands(draw: Draw): Made {
  const [a, b, n] = [someFraction(draw), someFraction(draw), draw.int(10, 60) * 2]
  const c = draw.int(2, 20)
  const [text, value] = draw.pick<readonly [string, Rational]>([
    [`Divide ${a.text} by ${b.text}.`, over(a.value, b.value)],
    [`Divide ${n} by ${b.text}.`, over(n, b.value)],
    [`Divide ${n} by a half and add ${c}.`, plus(times(n, 2), c)],
    [`Divide ${n} by one half, then add ${c}.`, plus(times(n, 2), c)],
    [`Divide ${n} in half and add ${c}.`, plus(over(n, 2), c)],
    [`How many times does ${b.text} go into ${n}?`, over(n, b.value)],
    [`How many quarters are there in ${n}?`, times(n, 4)],
    [`Multiply ${a.text} by ${b.text}.`, times(a.value, b.value)],
    [`Subtract ${a.text} from ${n}.`, minus(n, a.value)],
  ])
  return worth(text, value)
}

/** `1/2 / 1/4`: one chain of slashes. */
function slashes(draw: Draw): Made {
  const [a, b] = [someFraction(draw), someFraction(draw)]
  const n = draw.int(2, 9)
  return unsettled(
    asking(
      draw,
      draw.pick([
        `${a.text} / ${b.text}`,
        `${n}/2(1+${n})`,
        `${n * 6} / ${n}(2+1)`,
        `1/2x${n}`,
        `1.${n}50 + 3,5`,
        `${n},5 plus 2,25`,
      ]),
    ),
    'what the mark takes is not clear',
  )
}

/** `5 less than 20`, `subtract 5 from 20`: the second number comes first. */
function turned(draw: Draw): Made {
  const [a, b] = [amount(draw, 3, 60), amount(draw, 3, 90)]
  const [x, y] = [a.value, b.value]
  const share = draw.pick([5, 10, 20, 25, 40, 50])
  const [text, value] = draw.pick<readonly [string, Rational]>([
    [asking(draw, `${a.text} less than ${b.text}`), minus(y, x)],
    [asking(draw, `${a.text} more than ${b.text}`), plus(y, x)],
    [asking(draw, `${a.text} fewer than ${b.text}`), minus(y, x)],
    [asking(draw, `${a.text} greater than ${b.text}`), plus(y, x)],
    [asking(draw, `${a.text} subtracted from ${b.text}`), minus(y, x)],
    [asking(draw, `${a.text} taken away from ${b.text}`), minus(y, x)],
    [asking(draw, `${a.text} added to ${b.text}`), plus(y, x)],
    [asking(draw, `${a.text} less ${b.text}`), minus(x, y)],
    [asking(draw, `${a.text} divided into ${b.text}`), over(y, x)],
    [`Subtract ${a.text} from ${b.text}.`, minus(y, x)],
    [`Take ${a.text} away from ${b.text}.`, minus(y, x)],
    [`Take ${a.text} from ${b.text}.`, minus(y, x)],
    [`Deduct ${a.text} from ${b.text}.`, minus(y, x)],
    [`Divide ${a.text} into ${b.text}.`, over(y, x)],
    [`How much more is ${b.text} than 2?`, minus(y, 2)],
    [asking(draw, `${share}% less than ${b.text}`), lessBy(y, share)],
    [asking(draw, `${share}% more than ${b.text}`), moreBy(y, share)],
    [asking(draw, `${b.text} increased by ${share}%`), moreBy(y, share)],
    [asking(draw, `${b.text} decreased by ${share} percent`), lessBy(y, share)],
    [asking(draw, `${b.text} reduced by ${a.text}`), minus(y, x)],
    [asking(draw, `${b.text} increased by ${a.text}`), plus(y, x)],
    [`Increase ${b.text} by ${a.text}.`, plus(y, x)],
    [`Decrease ${b.text} by ${a.text}.`, minus(y, x)],
    [`Reduce ${b.text} by ${share}%.`, lessBy(y, share)],
    [`Take ${share}% off ${b.text}.`, lessBy(y, share)],
    [`Add ${share}% to ${b.text}.`, moreBy(y, share)],
    [`What percent of ${b.text} is ${a.text}?`, times(100, over(x, y))],
    [`${a.text} is what percent of ${b.text}?`, times(100, over(x, y))],
    [`${a.text} is ${share}% of what number?`, over(x, percent(share))],
    [`What number is ${share}% of ${b.text}?`, times(percent(share), y)],
    [`What must be added to ${a.text} to get ${b.text}?`, minus(y, x)],
    [`What must be subtracted from ${b.text} to get ${a.text}?`, minus(y, x)],
    [`What number plus ${a.text} is ${b.text}?`, minus(y, x)],
    [`${a.text} plus what number is ${b.text}?`, minus(y, x)],
    [`What number times ${a.text} is ${b.text}?`, over(y, x)],
  ])
  const isLargerInto = /divided? .*into/i.test(text) && !isNegative(minus(x, y))
  return isLargerInto ? undefined : worth(text, value)
}

/** `the sum of 4 and the product of 2 and 3`: one way only. */
function nested(draw: Draw): Made {
  const a = amount(draw, 2, 30)
  const { text, value } = grow(draw, draw.int(1, 3))
  return draw.pick([
    worth(asking(draw, text), value),
    worth(asking(draw, text), value),
    worth(asking(draw, `${a.text} more than ${text}`), plus(value, a.value)),
    worth(asking(draw, `${a.text} less than ${text}`), minus(value, a.value)),
  ])
}

/** `5 more than …` only outermost: text after `and` would be taken for its own. */
function grow(draw: Draw, depth: number): Said {
  const a = amount(draw, 2, 30)
  if (depth === 0) return amount(draw, 2, 30)
  const b = grow(draw, depth - 1)
  const [x, y] = [a.value, b.value]
  const options: Said[] = [
    { text: `the sum of ${a.text} and ${b.text}`, value: plus(x, y) },
    { text: `the product of ${a.text} and ${b.text}`, value: times(x, y) },
    { text: `the average of ${a.text} and ${b.text}`, value: over(plus(x, y), 2) },
  ]
  if (isNegative(minus(y, 100))) {
    options.push({ text: `the difference between 100 and ${b.text}`, value: minus(100, y) })
  }
  if (b.text.startsWith('the ')) {
    options.push(taking(draw.pick([partOf, percentOf, multipleOf])(draw), b))
  }
  return draw.pick(options)
}

/** `the square root of the sum of 9 and 16`, `the sum of the squares of 3 and 4`. */
function roots(draw: Draw): Made {
  const [a, b, c] = draw.pick([
    [3, 4, 5],
    [6, 8, 10],
    [5, 12, 13],
    [8, 15, 17],
    [9, 12, 15],
  ] as const)
  const [text, value] = draw.pick<readonly [string, number]>([
    [`the square root of the sum of ${a * a} and ${b * b}`, c],
    [`the sum of the square roots of ${a * a} and ${b * b}`, a + b],
    [`the sum of the squares of ${a} and ${b}`, a * a + b * b],
    [`the square of the sum of ${a} and ${b}`, (a + b) ** 2],
    [`the square of the difference between ${b} and ${a}`, (b - a) ** 2],
    [`the difference between the squares of ${b} and ${a}`, b * b - a * a],
    [`the square root of the product of ${a * a} and ${b * b}`, a * b],
    [`sqrt(${a * a} + ${b * b})`, c],
    [`sqrt(${a * a}) + ${b * b}`, a + b * b],
    [`half of the square of ${2 * a}`, 2 * a * a],
    [`the square of half of ${2 * a}`, a * a],
    [`the cube of ${a}`, a ** 3],
    [`the cube root of ${a ** 3}`, a],
    [`${a} squared minus ${b}`, a * a - b],
    [`${a} to the power of 3`, a ** 3],
  ])
  return worth(asking(draw, text), value)
}

/** Symbols and words of two precedences: times before plus. */
function precedence(draw: Draw): Made {
  const isInWords = draw.chance(0.5)
  const number = isInWords ? amount : figure
  const [a, b, c] = [number(draw, 2, 60), number(draw, 2, 12), number(draw, 2, 12)]
  const [x, y, z] = [a.value, b.value, c.value]
  const d = draw.int(2, 9)
  const [phrase, value] = draw.pick<readonly [string, Rational]>([
    [`${a.text} + ${b.text} * ${c.text}`, plus(x, times(y, z))],
    [`${a.text} - ${b.text} * ${c.text}`, minus(x, times(y, z))],
    [`${a.text} - ${b.text} / ${c.text}`, minus(x, over(y, z))],
    [`${a.text} plus ${b.text} times ${c.text}`, plus(x, times(y, z))],
    [`${a.text} minus ${b.text} times ${c.text}`, minus(x, times(y, z))],
    [`${a.text} minus ${b.text} divided by ${c.text}`, minus(x, over(y, z))],
    [`${a.text} times ${b.text} plus ${c.text}`, plus(times(x, y), z)],
    [`${a.text} times ${b.text} minus ${c.text} times ${d}`, minus(times(x, y), times(z, d))],
    [`${a.text} - ${b.text} - ${c.text}`, minus(minus(x, y), z)],
    [`${a.text} minus ${b.text} plus ${c.text}`, plus(minus(x, y), z)],
    [`(${a.text} + ${b.text}) * ${c.text}`, times(plus(x, y), z)],
    [`(${a.text} - ${b.text})(${c.text} + ${d})`, times(minus(x, y), plus(z, d))],
    [`${d}(${a.text} + ${b.text})`, times(d, plus(x, y))],
    [`${a.text} - (${b.text} - ${c.text})`, minus(x, minus(y, z))],
    [`${a.text} + ${d}^2`, plus(x, square(d))],
    [`-${d} + ${a.text}`, minus(x, d)],
    [`${a.text} - -${d}`, plus(x, d)],
    [`${a.text} times -${d}`, times(x, -d)],
  ])
  return /[a-z]/.test(phrase) === isInWords ? worth(asking(draw, phrase), value) : undefined
}

/** Rounding, remainders, and results other than the plain one. */
function rounded(draw: Draw): Made {
  const [n, k] = [draw.int(4, 12), draw.int(3, 20)]
  const rest = draw.int(1, n - 1)
  const a = n * k + rest
  const [text, value] = draw.pick<readonly [string, number]>([
    [`What is ${a} divided by ${n}, rounded up to a whole number?`, k + 1],
    [`What is ${a} divided by ${n}, rounded down to a whole number?`, k],
    [`What is ${a} divided by ${n} without the remainder?`, k],
    [`What is the remainder of ${a} divided by ${n}?`, rest],
    [`What is the remainder when ${a} is divided by ${n}?`, rest],
    [`What is ${a} modulo ${n}?`, rest],
    [`How many digits does ${a} times 1000 have?`, String(a * 1000).length],
    [`What is the last digit of ${a} times ${n}?`, (a * n) % 10],
    [`What is the larger of ${a} and ${n}?`, a],
    [`Which is smaller, ${a} or ${n}?`, n],
    [`How many whole times does ${n} go into ${a}?`, k],
    [`What is ${a}.4 rounded to the nearest whole number?`, a],
    [`What is ${a} rounded up to the next multiple of ${n}?`, a - rest + n],
    [`What is the absolute value of ${n} minus ${a}?`, a - n],
    [`What is the opposite of ${a}?`, -a],
    [`What is the next whole number after ${a}?`, a + 1],
    [`What is the median of ${n}, ${a} and ${a + n}?`, a],
    [`What is the range of ${n}, ${a} and ${a + n}?`, a],
    [`How many numbers are in the list ${n}, ${a}, ${k}?`, 3],
  ])
  return worth(text, value)
}

/** Other sums beside the requested one. */
function beside(draw: Draw): Made {
  const [a, b, c, d] = draw.ints(4, 2, 40)
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined
  const [text, value] = draw.pick<readonly [string, number]>([
    [`If ${a} plus ${b} is ${a + b}, what is ${c} plus ${d}?`, c + d],
    [`Given that ${a} times ${b} is ${a * b}, what is ${c} times ${d}?`, c * d],
    [`Tom says that ${a} + ${b} is ${a + b + 1}. What is ${a} + ${b}?`, a + b],
    [`Not ${a} plus ${b} but ${c} plus ${d}: what is it?`, c + d],
    [`What is ${a} plus ${b}, not ${c} plus ${d}?`, a + b],
    [`I know that ${a} + ${b} = ${a + b}. What is ${c} + ${d}?`, c + d],
    [`Forget ${a} times ${b}. What is ${c} minus ${d}?`, c - d],
    [`Instead of adding ${a} and ${b}, multiply them.`, a * b],
    [`Do not add ${a} to ${b}; multiply ${a} by ${b}.`, a * b],
    [`Let x be ${a}. What is x plus ${b}?`, a + b],
    [`Suppose that x is ${a} and y is ${b}. What is x times y?`, a * b],
    [`What would ${a} plus ${b} be if ${a} were ${c}?`, b + c],
    [`If x plus ${a} is ${b}, what is x?`, b - a],
    [`I think of a number, add ${a} and get ${a + b}. What is my number?`, b],
    [`I think of a number, double it and get ${2 * a}. What is my number?`, a],
    [`Add ${a} to ${b} twice.`, b + 2 * a],
    [`Double ${a} three times.`, 8 * a],
    [`Increase ${a} by ${b} twice.`, a + 2 * b],
    [`Count down from ${a + b} by ${a}. What is the first number after ${a + b}?`, b],
    [`What is ${inWords(a)} hundred plus ${b}?`, a * 100 + b],
    [`What is ${inWords(a * 10 + 100)} plus ${b}?`, a * 10 + 100 + b],
    [`What is ${a} dozen plus ${b}?`, 12 * a + b],
    [`What is a dozen times ${b}?`, 12 * b],
  ])
  return worth(text, value)
}

/** A share of the number itself: `90 reduced by a third`. */
function ownShare(draw: Draw): Made {
  const a = amount(draw, 6, 120)
  const b = amount(draw, 2, 30)
  const [x, y] = [a.value, b.value]
  const [text, value] = draw.pick<readonly [string, Rational]>([
    [asking(draw, `${a.text} reduced by half`), over(x, 2)],
    [asking(draw, `${a.text} increased by half`), times(x, over(3, 2))],
    [asking(draw, `${a.text} reduced by a third`), times(x, over(2, 3))],
    [asking(draw, `${a.text} increased by a quarter`), times(x, over(5, 4))],
    [asking(draw, `half as much again as ${a.text}`), times(x, over(3, 2))],
    [asking(draw, `twice as much as ${a.text}`), times(2, x)],
    [asking(draw, `half as much as ${a.text}`), over(x, 2)],
    [asking(draw, `a third more than ${a.text}`), times(x, over(4, 3))],
    [asking(draw, `a quarter less than ${a.text}`), times(x, over(3, 4))],
    [asking(draw, `${b.text} more than half of ${a.text}`), plus(over(x, 2), y)],
    [asking(draw, `${b.text} less than twice ${a.text}`), minus(times(2, x), y)],
    [`Double ${a.text}, then add ${b.text}.`, plus(times(2, x), y)],
    [`Add ${b.text} to twice ${a.text}.`, plus(times(2, x), y)],
    [`Subtract ${b.text} from half of ${a.text}.`, minus(over(x, 2), y)],
    [`Add ${b.text} to half of ${a.text}.`, plus(over(x, 2), y)],
    [`Reduce ${a.text} by a third.`, times(x, over(2, 3))],
    [`Reduce ${a.text} to a third.`, over(x, 3)],
    [`Reduce ${a.text} to ${b.text}. By how much was it reduced?`, minus(x, y)],
    [`Increase ${a.text} by 100%.`, times(2, x)],
    [`Increase ${a.text} to 150%.`, times(x, over(3, 2))],
  ])
  const isIncrease = /was it reduced/.test(text) && isNegative(minus(x, y))
  return isIncrease ? undefined : worth(text, value)
}

export const ARITHMETIC: readonly Grammar[] = [
  { kind: 'arithmetic: fractions', make: fractions },
  { kind: 'arithmetic: fractions in commands', make: fractionCommands },
  { kind: 'arithmetic: slashes and signs', make: slashes },
  { kind: 'arithmetic: turned around', make: turned },
  { kind: 'arithmetic: a share of itself', make: ownShare },
  { kind: 'arithmetic: nested', make: nested },
  { kind: 'arithmetic: roots and squares', make: roots },
  { kind: 'arithmetic: precedence', make: precedence },
  { kind: 'arithmetic: rounded and left over', make: rounded },
  { kind: 'arithmetic: other sums beside it', make: beside },
]
