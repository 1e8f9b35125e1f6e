import { type BigNumber, type Fraction, isFraction } from 'mathjs'
import { TooFewDigits, type Value } from './value.ts'

/** Digits that must be left when something is decided: errors of single steps add up in the others. */
const GUARD = 30
/** Digits in which the errors of single steps may add up without being a difference. */
const NOISE = 20
/** Digits that must be left to call a difference nothing, however short the numbers are. */
const LEAST_TO_VANISH = 60

/**
 * What is known about the digits of one computation: how many were lost on its way, and how fine a difference
 * the numbers that went into it can make. A number of 90 digits may differ from a short one in its last
 * digit, and its function by that digit twice; so decimals must have more than twice the digits of
 * the numbers before a difference may count as rounding.
 */
export interface Ledger {
  readonly restart: () => void
  /** Enters a number that a step takes. */
  readonly enter: (value: Value) => void
  /** Enters that a step made errors larger by so many digits. */
  readonly lose: (count: number) => void
  /** Whether a difference that is so many digits below its terms can be told from errors. */
  readonly holds: (count: number) => boolean
  /** Throws when a difference that is so many digits below its terms cannot be told from errors. */
  readonly check: (count: number) => void
  /** Whether a difference is nothing but rounding; throws when the digits do not tell. */
  readonly isRounding: (rest: BigNumber, size: BigNumber) => boolean
}

export function ledger(digits: number): Ledger {
  let lost = 0
  let entered = 0
  let farthest = 0

  const holds = (count: number): boolean => !(count > 0 && lost + count > digits - GUARD)

  function check(count: number): void {
    if (!holds(count)) throw new TooFewDigits()
  }

  function mayVanish(): boolean {
    const left = digits - lost
    return left >= LEAST_TO_VANISH && left >= 2 * Math.max(entered, farthest) + NOISE
  }

  return {
    restart() {
      lost = 0
      entered = 0
      farthest = 0
    },
    enter(value) {
      if (isFraction(value)) entered += length(value)
      else if (!value.isZero()) farthest = Math.max(farthest, Math.abs(value.e))
    },
    lose(count) {
      check(count)
      if (count > 0) lost += count
    },
    holds,
    check,
    isRounding(rest, size) {
      if (rest.abs().gt(size.times(`1e-${digits - lost - NOISE}`))) {
        check(size.e - rest.e)
        return false
      }
      if (mayVanish()) return true
      throw new TooFewDigits()
    },
  }
}

/** About the digits of a fraction; counted in base 16, which is fast, since 10 costs the square of the length. */
const length = ({ n, d }: Fraction): number =>
  (n.toString(16).length + d.toString(16).length - 2) * Math.log10(16)
