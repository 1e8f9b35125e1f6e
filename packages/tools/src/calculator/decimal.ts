import { create, bignumberDependencies, type BigNumber, type Fraction, isFraction } from 'mathjs'
import { type Curves, curves, notVanished } from './curves.ts'
import { ledger } from './ledger.ts'
import { noValue } from './refuse.ts'
import { fraction, type Value, ZERO } from './value.ts'

/** Decimal arithmetic of so many digits, for what has no exact fraction. */
export interface Decimals extends Curves {
  /** Forgets what is known of the digits of another expression. */
  readonly restart: () => void
  readonly of: (value: Value) => BigNumber
  readonly plus: (x: BigNumber, y: BigNumber) => Value
  readonly times: (x: BigNumber, y: BigNumber) => BigNumber
  readonly over: (x: BigNumber, y: BigNumber) => BigNumber
  readonly modulo: (x: BigNumber, y: BigNumber) => Value
  /** The greatest whole number that is not above. */
  readonly floor: (x: BigNumber) => Fraction
  /** The whole number that a value is but for rounding. */
  readonly whole: (x: BigNumber) => Fraction | undefined
  /** Differs when the package was left with other settings than it was given. */
  readonly fingerprint: () => string
  readonly pi: BigNumber
  readonly e: BigNumber
}

export function decimals(digits: number): Decimals {
  const math = create({ ...bignumberDependencies }, { number: 'BigNumber', precision: digits })
  const losses = ledger(digits)
  const { restart, enter, lose, holds, check, isRounding } = losses
  const ONE = math.bignumber(1)

  function plus(x: BigNumber, y: BigNumber): Value {
    const sum = x.plus(y)
    const size = larger(x.abs(), y.abs())
    if (size.isZero() || isRounding(sum, size)) return ZERO
    lose(size.e - sum.e)
    return sum
  }

  function whole(x: BigNumber): Fraction | undefined {
    enter(x)
    if (!holds(x.e)) return undefined
    const near = x.round()
    // A small value is as sure as a large one: a sum that left nothing but rounding is 0 itself.
    if (near.isZero()) return x.isZero() ? ZERO : undefined
    return isRounding(near.minus(x), larger(x.abs(), ONE))
      ? fraction(BigInt(near.toFixed()))
      : undefined
  }

  function floor(x: BigNumber): Fraction {
    if (!x.isFinite()) throw withoutValue()
    check(x.e)
    return whole(x) ?? fraction(BigInt(x.floor().toFixed()))
  }

  function of(value: Value): BigNumber {
    enter(value)
    return isFraction(value) ? math.bignumber(value) : value.toSignificantDigits(digits)
  }

  const times = (x: BigNumber, y: BigNumber): BigNumber =>
    notVanished(x.times(y), !x.isZero() && !y.isZero())

  const over = (x: BigNumber, y: BigNumber): BigNumber => notVanished(x.div(y), !x.isZero())

  return {
    ...curves(losses, ONE),
    restart,
    of,
    plus,
    times,
    over,
    modulo: (x, y) => plus(x, times(of(floor(over(x, y))), y).negated()),
    floor,
    whole,
    fingerprint() {
      // Their last digits show how many there are, how they are rounded, and whether they are rounded at all.
      const twoThirds = math.bignumber(2).div(3)
      return [twoThirds, twoThirds.times(twoThirds)].join()
    },
    pi: math.bignumber(-1).acos(),
    e: math.bignumber(1).exp(),
  }
}

const larger = (x: BigNumber, y: BigNumber): BigNumber => (x.gt(y) ? x : y)

const withoutValue = (): Error =>
  noValue('the expression has no finite value: it divides by zero, is too large, or is not real')
