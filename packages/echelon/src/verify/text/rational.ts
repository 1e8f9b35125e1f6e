/** An exact fraction in lowest terms; `d` is positive. */
export interface Rational {
  readonly n: bigint
  readonly d: bigint
}

/** Beyond this a calculation of an answer is not recomputed, so that a hostile text costs little. */
const MOST_BITS = 2048n
const LARGEST = 1n << MOST_BITS
const LARGEST_EXPONENT = 64n

const ZERO: Rational = { n: 0n, d: 1n }

export const whole = (value: number): Rational => ({ n: BigInt(value), d: 1n })

/** @returns undefined if the divisor is 0, or the fraction is too large to work with */
export function fraction(n: bigint, d: bigint): Rational | undefined {
  if (d === 0n || n > LARGEST || n < -LARGEST || d > LARGEST || d < -LARGEST) return undefined
  if (d === 1n) return { n, d }
  const divisor = greatestDivisor(n < 0n ? -n : n, d < 0n ? -d : d)
  const sign = d < 0n ? -1n : 1n
  return { n: (sign * n) / divisor, d: (sign * d) / divisor }
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b]
  return a
}

export const plus = (a: Rational, b: Rational): Rational | undefined =>
  fraction(a.n * b.d + b.n * a.d, a.d * b.d)

export const minus = (a: Rational, b: Rational): Rational | undefined => plus(a, negative(b))

export const times = (a: Rational, b: Rational): Rational | undefined =>
  fraction(a.n * b.n, a.d * b.d)

export const over = (a: Rational, b: Rational): Rational | undefined =>
  fraction(a.n * b.d, a.d * b.n)

/** @returns undefined unless the exponent is a whole number of at most 64 */
export function power(a: Rational, b: Rational): Rational | undefined {
  const size = b.n < 0n ? -b.n : b.n
  if (b.d !== 1n || size > LARGEST_EXPONENT) return undefined
  const raised = fraction(a.n ** size, a.d ** size)
  return b.n < 0n && raised !== undefined ? over(whole(1), raised) : raised
}

export const negative = ({ n, d }: Rational): Rational => ({ n: -n, d })

export const absolute = (a: Rational): Rational => (a.n < 0n ? negative(a) : a)

export const isSame = (a: Rational, b: Rational): boolean => a.n === b.n && a.d === b.d

export const isWhole = ({ d }: Rational): boolean => d === 1n

/** Negative, 0 or positive, as `a` is less than, equal to or greater than `b`. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.n * b.d - b.n * a.d
  return difference < 0n ? -1 : Number(difference > 0n)
}

/** A decimal number without sign, such as `12.50`. */
export function decimal(digits: string): Rational {
  const [before = '', after = ''] = digits.split('.')
  return fraction(BigInt(before + after), 10n ** BigInt(after.length)) ?? ZERO
}

/** A text that is the same for equal numbers, and only for them. */
export const keyOf = ({ n, d }: Rational): string => `${n}/${d}`

/** The number in digits, such as `-12.5`; undefined if its decimal digits have no end, or are too many. */
export function decimalText({ n, d }: Rational): string | undefined {
  let decimals = 0
  let scale = 1n
  while (scale % d !== 0n) {
    if (++decimals > MOST_DECIMALS) return undefined
    scale *= 10n
  }
  const digits = String(n < 0n ? -n : n)
  const scaled = decimals === 0 ? digits : String(BigInt(digits) * (scale / d))
  const padded = scaled.padStart(decimals + 1, '0')
  const whole = padded.slice(0, padded.length - decimals)
  const sign = n < 0n ? '-' : ''
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${padded.slice(-decimals)}`
}

const MOST_DECIMALS = 60
