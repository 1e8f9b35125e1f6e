import type { Draw } from './draw.ts'
import { minus, over, type Rational, ratio, times, plus } from './rational.ts'

/** An expression as written, with its exact value; none if it divides by zero. */
export interface Exact {
  readonly text: string
  readonly value: Rational | undefined
}

const WHOLE = 1n

const floorOf = ({ n, d }: Rational): bigint => n / d - (n % d < 0n ? 1n : 0n)
const whole = (n: bigint): Rational => ratio(n, WHOLE)
const negated = ({ n, d }: Rational): Rational => ({ n: -n, d })

/** Halves away from zero. */
function roundOf(x: Rational, places: number): Rational {
  const unit = whole(10n ** BigInt(places))
  const size = times(x.n < 0n ? negated(x) : x, unit)
  const rounded = over(whole(floorOf(plus(size, ratio(1n, 2n)))), unit)
  return x.n < 0n ? negated(rounded) : rounded
}

const moduloOf = (x: Rational, y: Rational): Rational =>
  minus(x, times(y, whole(floorOf(over(x, y)))))

const powerOf = (x: Rational, exponent: number): Rational =>
  exponent < 0
    ? over(whole(1n), powerOf(x, -exponent))
    : ratio(x.n ** BigInt(exponent), x.d ** BigInt(exponent))

const isLess = (x: Rational, y: Rational): boolean => x.n * y.d < y.n * x.d

/** Undefined instead of a division by zero. */
function valueOr(run: () => Rational): Rational | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Of<Values extends readonly Rational[]> = (...values: Values) => Rational

const TWO: readonly (readonly [(x: string, y: string) => string, Of<[Rational, Rational]>])[] = [
  [(x, y) => `(${x} + ${y})`, (x, y) => plus(x, y)],
  [(x, y) => `(${x} - ${y})`, (x, y) => minus(x, y)],
  [(x, y) => `(${x} * ${y})`, (x, y) => times(x, y)],
  [(x, y) => `(${x} / ${y})`, (x, y) => over(x, y)],
  [(x, y) => `mod(${x}, ${y})`, moduloOf],
  [(x, y) => `(${x} % (${y}))`, moduloOf],
  [(x, y) => `min(${x}, ${y})`, (x, y) => (isLess(y, x) ? y : x)],
  [(x, y) => `max(${x}, ${y})`, (x, y) => (isLess(x, y) ? y : x)],
  [(x, y) => `mean(${x}, ${y})`, (x, y) => over(plus(x, y), 2)],
]

const ONE: readonly (readonly [(x: string) => string, Of<[Rational]>])[] = [
  [(x) => `floor(${x})`, (x) => whole(floorOf(x))],
  [(x) => `ceil(${x})`, (x) => whole(-floorOf(negated(x)))],
  [(x) => `round(${x})`, (x) => roundOf(x, 0)],
  [(x) => `round(${x}, 3)`, (x) => roundOf(x, 3)],
  [(x) => `abs(${x})`, (x) => (x.n < 0n ? negated(x) : x)],
  [(x) => `sign(${x})`, (x) => whole(x.n === 0n ? 0n : x.n < 0n ? -1n : 1n)],
  [(x) => `(-${x})`, negated],
  [(x) => `((${x})%)`, (x) => over(x, 100)],
  // Operations that cancel out, so that one lost digit shows in the step around them.
  [(x) => `(${x} / 3 * 3)`, (x) => x],
  [(x) => `((${x} + 1/7) - 1/7)`, (x) => x],
  [(x) => `sqrt((${x})^2)`, (x) => (x.n < 0n ? negated(x) : x)],
]

/** A number as people write it: whole, with a point, or with an exponent. */
function number(draw: Draw): Exact {
  const n = draw.int(0, draw.pick([9, 12, 12, 100, 99_999]))
  if (draw.chance(0.6)) return { text: String(n), value: whole(BigInt(n)) }
  const places = draw.int(1, 4)
  const power = 10n ** BigInt(places)
  if (draw.chance(0.2)) return { text: `${n}e${places}`, value: whole(BigInt(n) * power) }
  const digits = String(n).padStart(places + 1, '0')
  return {
    text: `${digits.slice(0, -places)}.${digits.slice(-places)}`,
    value: ratio(BigInt(n), power),
  }
}

/** Draws an expression of rational steps, to this depth. */
export function exactExpression(draw: Draw, depth: number): Exact {
  if (depth === 0 || draw.chance(0.1)) return number(draw)
  const x = exactExpression(draw, depth - 1)
  const at = x.value
  if (draw.chance(0.25)) {
    const [write, compute] = draw.pick(ONE)
    return { text: write(x.text), value: at && compute(at) }
  }
  if (draw.chance(0.1)) {
    const exponent = draw.int(-5, 5)
    return {
      text: `(${x.text})^(${exponent})`,
      value: at && valueOr(() => powerOf(at, exponent)),
    }
  }
  const y = exactExpression(draw, depth - 1)
  const [write, compute] = draw.pick(TWO)
  const other = y.value
  return {
    text: write(x.text, y.text),
    value: at && other && valueOr(() => compute(at, other)),
  }
}

const DIGITS = 50n
const MOST_WHOLE_DIGITS = 1000

/**
 * A fraction as the calculator writes it, computed with integers only: a whole number in full if it is short
 * enough, else with 50 significant digits.
 */
export function asCalculated({ n, d }: Rational): string {
  if (n % d === 0n && String(n / d).replace('-', '').length <= MOST_WHOLE_DIGITS)
    return String(n / d)
  return inFiftyDigits({ n, d })
}

function inFiftyDigits({ n, d }: Rational): string {
  if (n === 0n) return '0'
  const size = n < 0n ? -n : n
  let exponent = BigInt(String(size).length - String(d).length)
  if (!isAtLeast(size, d, exponent)) exponent -= 1n
  const shift = DIGITS - 1n - exponent
  const [above, below] = shift < 0n ? [size, d * 10n ** -shift] : [size * 10n ** shift, d]
  let digits = (2n * above + below) / (2n * below)
  if (String(digits).length > DIGITS) {
    digits /= 10n
    exponent += 1n
  }
  return (n < 0n ? '-' : '') + written(String(digits).replace(/0+$/, ''), Number(exponent))
}

const isAtLeast = (n: bigint, d: bigint, exponent: bigint): boolean =>
  exponent < 0n ? n * 10n ** -exponent >= d : n >= d * 10n ** exponent

function written(digits: string, exponent: number): string {
  if (exponent < -30 || exponent >= 50) {
    const [first, rest] = [digits.slice(0, 1), digits.slice(1)]
    return `${first}${rest && '.'}${rest}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
  }
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const padded = digits.padEnd(exponent + 1, '0')
  const part = padded.slice(exponent + 1)
  return padded.slice(0, exponent + 1) + (part && `.${part}`)
}
