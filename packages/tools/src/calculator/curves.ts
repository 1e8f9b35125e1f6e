import { type BigNumber, isFraction } from './mathjs.ts'
import type { Ledger } from './ledger.ts'
import { noValue, refuse } from './refuse.ts'
import { type Value, ZERO } from './value.ts'

/** An angle of this size uses up 100 digits of pi. */
const MAX_ANGLE = '1e100'

/**
 * Powers, logarithms and trigonometry. Each records in the ledger how it amplifies the errors of
 * its arguments.
 */
export interface Curves {
  readonly power: (x: BigNumber, y: BigNumber) => BigNumber
  readonly exp: (x: BigNumber) => BigNumber
  readonly log: (x: BigNumber, base?: BigNumber) => Value
  readonly arc: (x: BigNumber, name: 'asin' | 'acos') => Value
  /** A function of an angle. Throws if the angle needs more digits of pi than there are. */
  readonly ofAngle: (x: BigNumber, name: 'sin' | 'cos' | 'tan') => Value
}

/** @param ONE a 1 with the working precision */
export function curves({ lose, isRounding }: Ledger, ONE: BigNumber): Curves {
  /** Returns exactly 0 for a value smaller than its error. */
  function small(value: BigNumber, size: BigNumber): Value {
    if (!value.isFinite()) return value
    if (isRounding(value, size)) return ZERO
    lose(size.e - value.e)
    return value
  }

  const ln = (x: BigNumber): Value => small(x.ln(), ONE)

  function log(x: BigNumber, base?: BigNumber): Value {
    if (base === undefined) return ln(x)
    const below = ln(base)
    return isFraction(below) ? ONE.div(0) : small(x.log(base), ONE.div(below).abs())
  }

  /** Their slope is infinite at 1. */
  function arc(x: BigNumber, name: 'asin' | 'acos'): Value {
    const gap = ONE.minus(x.abs())
    if (isRounding(gap, ONE)) return x.round()[name]()
    lose(-gap.e)
    return x[name]()
  }

  function power(x: BigNumber, y: BigNumber): BigNumber {
    const result = requireNonZero(x.pow(y), !x.isZero())
    if (!result.isFinite()) return result
    // The exponent amplifies an error of the base, the logarithm of the result one of the exponent.
    lose(Math.max(y.e, Math.ceil(Math.log10(Math.abs(result.e) + 1))))
    return result
  }

  function exp(x: BigNumber): BigNumber {
    const result = requireNonZero(x.exp(), true)
    if (result.isFinite()) lose(x.e)
    return result
  }

  function ofAngle(x: BigNumber, name: 'sin' | 'cos' | 'tan'): Value {
    if (x.abs().gte(MAX_ANGLE)) throw refuse(`an angle must be below ${MAX_ANGLE}`)
    lose(x.e)
    const value = x[name]()
    // The error grows near a pole.
    if (name === 'tan') lose(value.e)
    // sin(pi) is 0, although the decimal pi is not exact.
    return x.isZero() ? value : small(value, x.abs().lt(1) ? x.abs() : ONE)
  }

  return { power, exp, log, arc, ofAngle }
}

/** Refuses a nonzero value that underflows to 0. */
export function requireNonZero(value: BigNumber, isNonZero: boolean): BigNumber {
  if (isNonZero && value.isZero())
    throw noValue('the expression has a step too small to distinguish from 0')
  return value
}
