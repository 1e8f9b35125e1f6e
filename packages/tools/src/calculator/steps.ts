import { type BigNumber, type Fraction, isFraction } from './mathjs.ts'
import type { Decimals } from './decimal.ts'
import * as exact from './exact.ts'
import type { Value } from './value.ts'

type Binary = (x: Value, y: Value) => Value

/** The arithmetic of an expression: with fractions where possible, otherwise with decimals. */
export interface Steps {
  readonly plus: Binary
  readonly times: Binary
  readonly over: Binary
  readonly power: Binary
  readonly modulo: Binary
  readonly negative: (x: Value) => Value
  readonly isNegative: (x: Value) => boolean
  readonly isLess: (x: Value, y: Value) => boolean
  readonly floor: (x: Value) => Fraction
  /** The integer that a value equals, if any. */
  readonly whole: (x: Value) => Fraction | undefined
  /** A step with an irrational result, unless `withFractions` finds an exact one. */
  readonly decimal: (
    withDecimals: (x: BigNumber, work: Decimals) => Value,
    withFractions?: (x: Fraction) => Fraction | undefined,
  ) => (x: Value) => Value
}

/** @param inDecimals throws if only exact values are allowed */
export function stepsWith(inDecimals: () => Decimals): Steps {
  const either =
    (
      withFractions: (x: Fraction, y: Fraction) => Fraction | undefined,
      withDecimals: (work: Decimals) => (x: BigNumber, y: BigNumber) => Value,
    ): Binary =>
    (x, y) => {
      const result = isFraction(x) && isFraction(y) ? withFractions(x, y) : undefined
      if (result !== undefined) return result
      const work = inDecimals()
      return withDecimals(work)(work.of(x), work.of(y))
    }

  const power = either(exact.power, (work) => work.power)
  const whole: Steps['whole'] = (x) => {
    if (!isFraction(x)) return inDecimals().whole(x)
    return x.d === 1n ? x : undefined
  }
  return {
    plus: either(exact.plus, (work) => work.plus),
    times: either(exact.times, (work) => work.times),
    over: either(exact.over, (work) => work.over),
    modulo: either(exact.modulo, (work) => work.modulo),
    // An exponent that is an integer apart from rounding keeps the power exact.
    power: (x, y) => power(x, whole(y) ?? y),
    negative: (x) => (isFraction(x) ? x.neg() : x.negated()),
    isNegative: (x) => (isFraction(x) ? x.s < 0n : x.isNegative()),
    isLess: (x, y) =>
      isFraction(x) && isFraction(y) ? x.lt(y) : inDecimals().of(x).lt(inDecimals().of(y)),
    floor: (x) => (isFraction(x) ? x.floor() : inDecimals().floor(x)),
    whole,
    decimal: (withDecimals, withFractions) => (x) => {
      const result = isFraction(x) ? withFractions?.(x) : undefined
      return result ?? withDecimals(inDecimals().of(x), inDecimals())
    },
  }
}
