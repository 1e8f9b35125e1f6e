import { create, type BigNumber, type Fraction } from './mathjs.ts'

/** A number of the calculator: an exact fraction, or a decimal of limited precision. */
export type Value = Fraction | BigNumber

const math = create({})

/** A fraction in lowest terms; an integer without the second argument. */
export const fraction = (numerator: bigint, denominator = 1n): Fraction =>
  math.fraction(numerator, denominator)

export const ZERO: Fraction = fraction(0n)

/** Thrown when the digits do not suffice for a result; a higher precision may. */
export class TooFewDigits extends Error {}
