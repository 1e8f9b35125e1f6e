import { create, type BigNumber, type Fraction, fractionDependencies } from 'mathjs'

/** A number of the calculator: exact as a fraction, or a decimal of so many digits. */
export type Value = Fraction | BigNumber

const math = create({ ...fractionDependencies })

/** A fraction in lowest terms; whole without a second number. */
export const fraction = (numerator: bigint, denominator = 1n): Fraction =>
  math.fraction(numerator, denominator)

export const ZERO: Fraction = fraction(0n)

/** What a step throws when its digits cannot tell the result; more of them may. */
export class TooFewDigits extends Error {}
