import type { BigNumber } from 'mathjs'
import { create } from '../../packages/tools/src/calculator/mathjs.ts'
import type { Draw } from './draw.ts'

/** An expression with a discontinuous step, close to where it jumps, and its value. */
export interface NearInteger {
  readonly text: string
  readonly value: BigNumber
}

/** Enough digits for what 10^-120 leaves of a square, and fewer than the package has of pi. */
const DIGITS = 400
const MOST_PLACES = 120

const math = create({ number: 'BigNumber', precision: DIGITS })
const big = (text: string): BigNumber => math.bignumber(text)

type Around = (n: number, by: string) => string

/** Each comes close to the whole number; with nothing added it is exactly that number. */
const AROUND: readonly Around[] = [
  (n, by) => `sqrt(${n}^2${by})`,
  (n, by) => `cbrt(${n}^3${by})`,
  (n, by) => `log10(10^${n}${by})`,
  (n, by) => `log2(2^${n}${by})`,
  (n, by) => `log(7^${n}${by})/log(7)`,
  (n, by) => `log(exp(${n})${by})`,
  (n, by) => `exp(log(${n})${by})`,
  (n, by) => `${n}+sin(pi${by})`,
  (n, by) => `${n}+cos(pi/2${by})`,
  (n, by) => `${n}*tan(pi/4${by})`,
  (n, by) => `${n}+atan(1${by})-pi/4`,
  (n, by) => `${n}*exp(0${by})`,
]

/** Exactly `n` with `by` added, which no number of digits of a root gives: so the sum itself is the reference. */
const EXACT: readonly Around[] = [
  (n, by) => `sqrt(${n})^2${by}`,
  (n, by) => `sqrt(${n}${by})^2`,
  (n, by) => `sqrt(2)*sqrt(3)/sqrt(6)*${n}${by}`,
]

type Outer = readonly [
  text: (x: string, n: number, k: number) => string,
  value: (x: BigNumber, n: number, k: number) => BigNumber,
]

/** Halves do not occur here. */
const OUTER: readonly Outer[] = [
  [(x) => `floor(${x})`, (x) => x.floor()],
  [(x) => `ceil(${x})`, (x) => x.ceil()],
  [(x) => `round(${x})`, (x) => x.round()],
  [(x) => `floor(-(${x}))`, (x) => x.negated().floor()],
  [(x) => `(${x}) % 1`, (x) => x.minus(x.floor())],
  [(x, n) => `sign(${x}-${n})`, (x, n) => big(String(x.comparedTo(n)))],
  [(x, n) => `(${x})-${n}`, (x, n) => x.minus(n)],
  [(x, n, k) => `(${x}-${n})*1e${k}`, (x, n, k) => x.minus(n).times(`1e${k}`)],
  [(x, n, k) => `floor((${x}-${n})*1e${k}*7)`, (x, n, k) => x.minus(n).times(`7e${k}`).floor()],
  [(x, n) => `max(${x}, ${n})`, (x, n) => (x.gt(n) ? x : big(String(n)))],
]

const pick = <Item>(draw: Draw, items: readonly Item[]): Item => {
  const item = items[draw.int(0, items.length - 1)]
  if (item === undefined) throw new RangeError('an empty list has nothing to draw')
  return item
}

/** One in five is exactly the whole number, which the calculator must recognize despite its rounding. */
export function nearInteger(draw: Draw): NearInteger {
  const [n, k] = [draw.int(2, 60), draw.int(1, MOST_PLACES)]
  const by = draw.int(0, 4) === 0 ? '' : `${pick(draw, ['+', '-'])}${draw.int(1, 9)}e-${k}`
  const around = pick(draw, [...AROUND, ...EXACT])
  const inner = around(n, by)
  const [text, value] = pick(draw, OUTER)
  const x: unknown =
    by === '' ? big(String(n)) : math.evaluate(EXACT.includes(around) ? `${n}${by}` : inner)
  if (!math.isBigNumber(x)) throw new TypeError(`${inner} has no real value`)
  return {
    text: text(inner, n, k).replaceAll('log(', 'ln('),
    value: value(x, n, k),
  }
}
