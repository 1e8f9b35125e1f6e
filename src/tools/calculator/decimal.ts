import { create, bignumberDependencies, type BigNumber, type Fraction, isFraction } from 'mathjs'
import { noValue, refuse } from './refuse.ts'
import { fraction, TooFewDigits, type Value, ZERO } from './value.ts'

/** What is left below this share of a value is rounding: sqrt(2)^2 - 2 is 0. */
const ROUNDING_DIGITS = 20
/** And what is left between that and this is too small to be told from an error that grew on its way. */
const DOUBTFUL = '1e-30'
/** The digits of pi that an angle of this size takes away. */
const MAX_ANGLE = '1e100'

/** Decimal arithmetic of so many digits, for what has no exact fraction. */
export interface Decimals {
  readonly of: (value: Value) => BigNumber
  readonly plus: (x: BigNumber, y: BigNumber) => Value
  readonly times: (x: BigNumber, y: BigNumber) => BigNumber
  readonly over: (x: BigNumber, y: BigNumber) => BigNumber
  readonly power: (x: BigNumber, y: BigNumber) => BigNumber
  readonly modulo: (x: BigNumber, y: BigNumber) => Value
  /** The greatest whole number that is not above. */
  readonly floor: (x: BigNumber) => Fraction
  /** The whole number that a value is but for rounding. */
  readonly whole: (x: BigNumber) => Fraction | undefined
  readonly exp: (x: BigNumber) => BigNumber
  /** A function of an angle, which must not take more digits of pi than there are. */
  readonly ofAngle: (x: BigNumber, name: 'sin' | 'cos' | 'tan') => Value
  /** Differs when the package was left with other settings than it was given. */
  readonly fingerprint: () => string
  readonly pi: BigNumber
  readonly e: BigNumber
}

export function decimals(digits: number): Decimals {
  const math = create({ ...bignumberDependencies }, { number: 'BigNumber', precision: digits })
  const isRounding = (rest: BigNumber, size: BigNumber): boolean => {
    if (rest.abs().lte(size.times(`1e-${digits - ROUNDING_DIGITS}`))) return true
    if (rest.abs().lt(size.times(DOUBTFUL))) throw new TooFewDigits()
    return false
  }

  function plus(x: BigNumber, y: BigNumber): Value {
    const sum = x.plus(y)
    return isRounding(sum, larger(x.abs(), y.abs())) ? ZERO : sum
  }

  /** From here on a decimal does not hold its last whole digit. */
  const isLong = (x: BigNumber): boolean => x.e >= digits - ROUNDING_DIGITS

  function whole(x: BigNumber): Fraction | undefined {
    if (isLong(x)) return undefined
    const near = x.round()
    // A small value is as sure as a large one: a sum that left nothing but rounding is 0 itself.
    if (near.isZero()) return x.isZero() ? ZERO : undefined
    return isRounding(near.minus(x), larger(x.abs(), math.bignumber(1)))
      ? fraction(BigInt(near.toFixed()))
      : undefined
  }

  function floor(x: BigNumber): Fraction {
    if (!x.isFinite()) throw withoutValue()
    if (isLong(x)) throw new TooFewDigits()
    return whole(x) ?? fraction(BigInt(x.floor().toFixed()))
  }

  const of = (value: Value): BigNumber =>
    isFraction(value) ? math.bignumber(value) : value.toSignificantDigits(digits)

  const times = (x: BigNumber, y: BigNumber): BigNumber =>
    notVanished(x.times(y), !x.isZero() && !y.isZero())

  const over = (x: BigNumber, y: BigNumber): BigNumber => notVanished(x.div(y), !x.isZero())

  return {
    of,
    plus,
    times,
    over,
    power: (x, y) => notVanished(x.pow(y), !x.isZero()),
    modulo: (x, y) => plus(x, times(of(floor(over(x, y))), y).negated()),
    floor,
    whole,
    exp: (x) => notVanished(x.exp(), true),
    fingerprint() {
      // Their last digits show how many there are, how they are rounded, and whether they are rounded at all.
      const twoThirds = math.bignumber(2).div(3)
      return [twoThirds, twoThirds.times(twoThirds)].join()
    },
    pi: math.bignumber(-1).acos(),
    e: math.bignumber(1).exp(),
    ofAngle(x, name) {
      if (x.abs().gte(MAX_ANGLE)) throw refuse(`an angle must be below ${MAX_ANGLE}`)
      const value = x[name]()
      // sin(pi) is 0, and pi has an end only here.
      return isRounding(value, x.abs().lt(1) ? x.abs() : math.bignumber(1)) ? ZERO : value
    },
  }
}

const larger = (x: BigNumber, y: BigNumber): BigNumber => (x.gt(y) ? x : y)

const withoutValue = (): Error =>
  noValue('the expression has no finite value: it divides by zero, is too large, or is not real')

/** What is too small for an exponent comes out as 0, which it is not. */
function notVanished(value: BigNumber, isSomething: boolean): BigNumber {
  if (isSomething && value.isZero())
    throw noValue('the expression has a step too small to be told from 0')
  return value
}
