import type { Draw } from '../draw.ts'
import { amount, MULTIPLES, PARTS, type Said } from '../english.ts'
import {
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

/** A phrase that takes what follows, and may take more: `half of`, `the sum of 3 and`. */
export interface Opener {
  readonly text: string
  readonly of: (value: Rational) => Rational
}

/** An operation behind a phrase: `increased by 10`. */
export interface Closer {
  readonly text: string
  readonly of: (value: Rational) => Rational
}

export function partOf(draw: Draw): Opener {
  const [words, n, d] = draw.pick(PARTS)
  return { text: `${words} of`, of: (value) => times(over(n, d), value) }
}

export function percentOf(draw: Draw): Opener {
  const share = draw.pick([5, 10, 15, 20, 25, 40, 50, 60, 75, 80, 120])
  return {
    text: `${share}${draw.pick(['%', '%', ' percent'])} of`,
    of: (value) => times(percent(share), value),
  }
}

export function multipleOf(draw: Draw): Opener {
  const [words, factor] = draw.pick(MULTIPLES)
  return { text: words, of: (value) => times(factor, value) }
}

export function squareOf(draw: Draw): Opener {
  return { text: draw.pick(['the square of', 'the square of']), of: square }
}

/** `the sum of 3 and`. */
export function pairWith(draw: Draw): Opener {
  const a = amount(draw, 2, 40)
  return draw.pick<Opener>([
    { text: `the sum of ${a.text} and`, of: (b) => plus(a.value, b) },
    { text: `the product of ${a.text} and`, of: (b) => times(a.value, b) },
    { text: `the difference between ${a.text} and`, of: (b) => minus(a.value, b) },
    { text: `the quotient of ${a.text} and`, of: (b) => over(a.value, b) },
    { text: `the average of ${a.text} and`, of: (b) => over(plus(a.value, b), 2) },
  ])
}

/** `increased by 10`, `decreased by 10 %`. */
export function changed(draw: Draw): Closer {
  const b = amount(draw, 2, 30)
  const share = draw.pick([5, 10, 20, 25, 30, 50])
  const sign = draw.pick(['%', '%', ' percent'])
  return draw.pick<Closer>([
    { text: `increased by ${b.text}`, of: (a) => plus(a, b.value) },
    { text: `decreased by ${b.text}`, of: (a) => minus(a, b.value) },
    { text: `reduced by ${b.text}`, of: (a) => minus(a, b.value) },
    { text: `diminished by ${b.text}`, of: (a) => minus(a, b.value) },
    { text: `lowered by ${b.text}`, of: (a) => minus(a, b.value) },
    { text: `raised by ${b.text}`, of: (a) => plus(a, b.value) },
    { text: `increased by ${share}${sign}`, of: (a) => moreBy(a, share) },
    { text: `reduced by ${share}${sign}`, of: (a) => lessBy(a, share) },
    { text: `decreased by ${share}${sign}`, of: (a) => lessBy(a, share) },
  ])
}

/** `plus 3`, `take away 3`. */
export function added(draw: Draw): Closer {
  const b = amount(draw, 2, 30)
  return draw.pick<Closer>([
    { text: `plus ${b.text}`, of: (a) => plus(a, b.value) },
    { text: `minus ${b.text}`, of: (a) => minus(a, b.value) },
    { text: `+ ${b.text}`, of: (a) => plus(a, b.value) },
    { text: `- ${b.text}`, of: (a) => minus(a, b.value) },
    { text: `less ${b.text}`, of: (a) => minus(a, b.value) },
    { text: `take away ${b.text}`, of: (a) => minus(a, b.value) },
  ])
}

export function multiplied(draw: Draw): Closer {
  const b = amount(draw, 2, 12)
  return draw.pick<Closer>([
    { text: `times ${b.text}`, of: (a) => times(a, b.value) },
    { text: `multiplied by ${b.text}`, of: (a) => times(a, b.value) },
    { text: `divided by ${b.text}`, of: (a) => over(a, b.value) },
    { text: `* ${b.text}`, of: (a) => times(a, b.value) },
  ])
}

/** The phrase with what it certainly takes. */
export const taking = ({ text, of }: Opener, said: Said): Said => ({
  text: `${text} ${said.text}`,
  value: of(said.value),
})
