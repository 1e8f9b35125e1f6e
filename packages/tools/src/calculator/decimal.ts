import { create, type BigNumber, type Fraction, isFraction } from './mathjs.ts'
import { type Curves, curves, requireNonZero } from './curves.ts'
import { ledger } from './ledger.ts'
import { noValue } from './refuse.ts'
import { fraction, type Value, ZERO } from './value.ts'

/** Decimal arithmetic of a given precision, for values without an exact fraction. */
export interface Decimals extends Curves {
  /** Resets the ledger before another expression. */
  readonly restart: () => void
  readonly of: (value: Value) => BigNumber
  readonly plus: (x: BigNumber, y: BigNumber) => Value
  readonly times: (x: BigNumber, y: BigNumber) => BigNumber
  readonly over: (x: BigNumber, y: BigNumber) => BigNumber
  readonly modulo: (x: BigNumber, y: BigNumber) => Value
  /** The greatest integer not above the value. */
  readonly floor: (x: BigNumber) => Fraction
  /** The integer that a value equals apart from rounding, if any. */
  readonly whole: (x: BigNumber) => Fraction | undefined
  /** Changes if the settings of the package were changed. */
  readonly fingerprint: () => string
  readonly pi: BigNumber
  readonly e: BigNumber
}

export function decimals(digits: number): Decimals {
  const math = create({ number: 'BigNumber', precision: digits })
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
    const nearest = x.round()
    // Zero must be exact: `plus` already turns a sum that is only rounding into 0.
    if (nearest.isZero()) return x.isZero() ? ZERO : undefined
    return isRounding(nearest.minus(x), larger(x.abs(), ONE))
      ? fraction(BigInt(nearest.toFixed()))
      : undefined
  }

  function floor(x: BigNumber): Fraction {
    if (!x.isFinite()) throw noFiniteValue()
    check(x.e)
    return whole(x) ?? fraction(BigInt(x.floor().toFixed()))
  }

  function of(value: Value): BigNumber {
    enter(value)
    return isFraction(value) ? math.bignumber(value) : value.toSignificantDigits(digits)
  }

  const times = (x: BigNumber, y: BigNumber): BigNumber =>
    requireNonZero(x.times(y), !x.isZero() && !y.isZero())

  const over = (x: BigNumber, y: BigNumber): BigNumber => requireNonZero(x.div(y), !x.isZero())

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
      // The last digits reveal the precision, the rounding mode, and whether results are rounded.
      const twoThirds = math.bignumber(2).div(3)
      return [twoThirds, twoThirds.times(twoThirds)].join()
    },
    pi: math.bignumber(-1).acos(),
    e: math.bignumber(1).exp(),
  }
}

const larger = (x: BigNumber, y: BigNumber): BigNumber => (x.gt(y) ? x : y)

const noFiniteValue = (): Error =>
  noValue('the expression has no finite value: it divides by zero, is too large, or is not real')
