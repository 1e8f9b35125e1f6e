import type { BigNumber, Fraction } from './mathjs.ts'
import { fraction } from './value.ts'

/*
 * Steps from fractions to a fraction. Each returns `undefined` if the result is not a fraction, as in a
 * division by zero, or would be too long; the step is then done with decimals.
 */
type Step = (x: Fraction, y: Fraction) => Fraction | undefined

/** Limit of a numerator or denominator: 4,932 decimal digits, where a step takes microseconds. */
const MAX_BITS = 16_384
/** Limit of numerator bits times denominator bits, the cost of reducing a fraction: 0.3 ms. */
const MAX_AREA = 2048 ** 2

const bits = (x: bigint): number => x.toString(2).length

/** Checked before a step, since the step itself takes the time. */
const fits = (numerator: number, denominator: number): boolean =>
  Math.max(numerator, denominator) <= MAX_BITS && numerator * denominator <= MAX_AREA

export const plus: Step = (x, y) => {
  const [left, right] = [bits(x.n) + bits(y.d), bits(y.n) + bits(x.d)]
  return fits(Math.max(left, right), bits(x.d) + bits(y.d)) ? x.add(y) : undefined
}

export const times: Step = (x, y) =>
  fits(bits(x.n) + bits(y.n), bits(x.d) + bits(y.d)) ? x.mul(y) : undefined

export const over: Step = (x, y) => {
  if (y.n === 0n) return undefined
  // A whole quotient needs no reduction: 1000!/998!.
  if (x.d === 1n && y.d === 1n && x.n % y.n === 0n) return fraction((x.s * x.n * y.s) / y.n)
  return fits(bits(x.n) + bits(y.d), bits(x.d) + bits(y.n)) ? x.div(y) : undefined
}

/** The remainder with the sign of the divisor, as in Python: -7 mod 3 is 2. */
export const modulo: Step = (x, y) => {
  const quotient = over(x, y)
  const multiple = quotient && times(quotient.floor(), y)
  return multiple && plus(x, multiple.neg())
}

/** An integer power, or a rational root. */
export const power: Step = (x, y) => {
  if (x.n === 0n && y.s < 0n) return undefined
  if (y.d !== 1n) return rootPower(x, y)
  const isOne = x.n <= 1n && x.d === 1n
  const long = (part: bigint): number => (part === 1n ? 1 : bits(part) * Number(y.n))
  return isOne || fits(long(x.n), long(x.d)) ? x.pow(y) : undefined
}

/** Roots of a higher degree are irrational in practice. */
const MAX_DEGREE = 64n

function rootPower(x: Fraction, y: Fraction): Fraction | undefined {
  const base = x.s > 0n && y.d <= MAX_DEGREE ? root(x, Number(y.d)) : undefined
  return base && power(base, fraction(y.s * y.n))
}

/** The root of a non-negative fraction, if it is rational. */
export function root(x: Fraction, degree: number): Fraction | undefined {
  const [above, below] = [wholeRoot(x.n, degree), wholeRoot(x.d, degree)]
  return above === undefined || below === undefined ? undefined : fraction(above, below)
}

/** Newton's method, from above. */
function wholeRoot(x: bigint, degree: number): bigint | undefined {
  if (x === 0n) return x
  const k = BigInt(degree)
  let guess = 1n << BigInt(Math.ceil(bits(x) / degree))
  for (;;) {
    const next = ((k - 1n) * guess + x / guess ** (k - 1n)) / k
    if (next >= guess) return guess ** k === x ? guess : undefined
    guess = next
  }
}

/** The logarithm of an exact integer power of the base. */
export function log(x: Fraction, base: Fraction): Fraction | undefined {
  if (x.s <= 0n || base.s <= 0n || base.n === base.d) return undefined
  const guess = Math.round(binaryLog(x) / binaryLog(base))
  if (!Number.isSafeInteger(guess)) return undefined
  const exponent = fraction(BigInt(guess))
  return power(base, exponent)?.equals(x) === true ? exponent : undefined
}

const binaryLog = ({ n, d }: Fraction): number => bigLog(n) - bigLog(d)

/** The binary logarithm of an integer of any length, with the precision of a `number`. */
function bigLog(x: bigint): number {
  const shift = Math.max(0, bits(x) - 64)
  return Math.log2(Number(x >> BigInt(shift))) + shift
}

/** Rounds to decimal places, halves away from zero. */
export const rounded = (x: Fraction, places: number): Fraction => x.abs().round(places).mul(x.s)

export function factorial(x: Fraction): Fraction {
  let product = 1n
  for (let factor = 2n; factor <= x.n; factor += 1n) product *= factor
  return fraction(product)
}

/** Converts a decimal to the equal fraction, unless it is too long. */
export function asFraction(x: BigNumber): Fraction | undefined {
  // A decimal digit takes fewer than four bits.
  const most = MAX_BITS / 4
  if (Math.abs(x.e) > most || x.precision() > most) return undefined
  const [whole = '0', part = ''] = x.toFixed().split('.')
  const [above, below] = [BigInt(whole + part), 10n ** BigInt(part.length)]
  return fits(bits(above), bits(below)) ? fraction(above, below) : undefined
}
