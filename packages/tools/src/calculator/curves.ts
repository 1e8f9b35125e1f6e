import { type BigNumber, isFraction } from 'mathjs'
import type { Ledger } from './ledger.ts'
import { noValue, refuse } from './refuse.ts'
import { type Value, ZERO } from './value.ts'

/** The digits of pi that an angle of this size takes away. */
const MAX_ANGLE = '1e100'

/** Powers, logarithms and angles, each of which enters what it makes of the errors of what it is given. */
export interface Curves {
  readonly power: (x: BigNumber, y: BigNumber) => BigNumber
  readonly exp: (x: BigNumber) => BigNumber
  readonly log: (x: BigNumber, base?: BigNumber) => Value
  readonly arc: (x: BigNumber, name: 'asin' | 'acos') => Value
  /** A function of an angle, which must not take more digits of pi than there are. */
  readonly ofAngle: (x: BigNumber, name: 'sin' | 'cos' | 'tan') => Value
}

/** @param ONE a 1 of so many digits as shall be worked with */
export function curves({ lose, isRounding }: Ledger, ONE: BigNumber): Curves {
  /** A function that is nearer to 0 than the size of its errors. */
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

  /** Near 1 their slope has no end. */
  function arc(x: BigNumber, name: 'asin' | 'acos'): Value {
    const gap = ONE.minus(x.abs())
    if (isRounding(gap, ONE)) return x.round()[name]()
    lose(-gap.e)
    return x[name]()
  }

  function power(x: BigNumber, y: BigNumber): BigNumber {
    const result = notVanished(x.pow(y), !x.isZero())
    if (!result.isFinite()) return result
    // An error of the base grows by the exponent, one of the exponent by the logarithm of the result.
    lose(Math.max(y.e, Math.ceil(Math.log10(Math.abs(result.e) + 1))))
    return result
  }

  function exp(x: BigNumber): BigNumber {
    const result = notVanished(x.exp(), true)
    if (result.isFinite()) lose(x.e)
    return result
  }

  function ofAngle(x: BigNumber, name: 'sin' | 'cos' | 'tan'): Value {
    if (x.abs().gte(MAX_ANGLE)) throw refuse(`an angle must be below ${MAX_ANGLE}`)
    lose(x.e)
    const value = x[name]()
    // Near a pole.
    if (name === 'tan') lose(value.e)
    // sin(pi) is 0, and pi has an end only here.
    return x.isZero() ? value : small(value, x.abs().lt(1) ? x.abs() : ONE)
  }

  return { power, exp, log, arc, ofAngle }
}

/** What is too small for an exponent comes out as 0, which it is not. */
export function notVanished(value: BigNumber, isSomething: boolean): BigNumber {
  if (isSomething && value.isZero())
    throw noValue('the expression has a step too small to be told from 0')
  return value
}
