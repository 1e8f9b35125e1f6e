import { type BigNumber, type Fraction, isFraction } from './mathjs.ts'
import { TooFewDigits, type Value } from './value.ts'

/** Digits that must remain for any decision, since errors of single steps add up. */
const GUARD = 30
/** Digits that accumulated errors may change without counting as a difference. */
const NOISE = 20
/** Digits that must remain to treat a difference as 0, however short the numbers are. */
const MIN_TO_VANISH = 60

/**
 * Tracks the digits of one computation: how many were lost, and how fine a difference its input
 * numbers can make. A number of 90 digits may differ from a short one in its last digit, and its
 * function by twice as many digits. So decimals must have more than twice the digits of the inputs
 * before a difference may count as rounding.
 */
export interface Ledger {
  readonly restart: () => void
  /** Records a number that a step uses. */
  readonly enter: (value: Value) => void
  /** Records that a step lost this many digits. */
  readonly lose: (count: number) => void
  /** Whether a difference this many digits below its terms can be distinguished from errors. */
  readonly holds: (count: number) => boolean
  /**
   * Throws when a difference this many digits below its terms cannot be distinguished from errors.
   */
  readonly check: (count: number) => void
  /** Whether a difference is only rounding; throws when there are too few digits to decide. */
  readonly isRounding: (rest: BigNumber, size: BigNumber) => boolean
}

export function ledger(digits: number): Ledger {
  let lostDigits = 0
  let inputDigits = 0
  let maxExponent = 0

  const holds = (count: number): boolean => !(count > 0 && lostDigits + count > digits - GUARD)

  function check(count: number): void {
    if (!holds(count)) throw new TooFewDigits()
  }

  function mayVanish(): boolean {
    const left = digits - lostDigits
    return left >= MIN_TO_VANISH && left >= 2 * Math.max(inputDigits, maxExponent) + NOISE
  }

  return {
    restart() {
      lostDigits = 0
      inputDigits = 0
      maxExponent = 0
    },
    enter(value) {
      if (isFraction(value)) inputDigits += length(value)
      else if (!value.isZero()) maxExponent = Math.max(maxExponent, Math.abs(value.e))
    },
    lose(count) {
      check(count)
      if (count > 0) lostDigits += count
    },
    holds,
    check,
    isRounding(rest, size) {
      if (rest.abs().gt(size.times(`1e-${digits - lostDigits - NOISE}`))) {
        check(size.e - rest.e)
        return false
      }
      if (mayVanish()) return true
      throw new TooFewDigits()
    },
  }
}

/**
 * Approximate decimal digits of a fraction. Counts in base 16, since base 10 takes quadratic time.
 */
const length = ({ n, d }: Fraction): number =>
  (n.toString(16).length + d.toString(16).length - 2) * Math.log10(16)
