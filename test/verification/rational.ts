/** An exact fraction. Always in lowest terms, with a positive denominator. */
export interface Rational {
  readonly n: bigint
  readonly d: bigint
}

/** A whole number may stand for its fraction. */
export type Quantity = Rational | number

export function ratio(n: bigint, d: bigint): Rational {
  if (d === 0n) throw new RangeError('division by zero')
  const sign = d < 0n ? -1n : 1n
  const divisor = greatestDivisor(n < 0n ? -n : n, d < 0n ? -d : d)
  return { n: (sign * n) / divisor, d: (sign * d) / divisor }
}

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b))

/** Reads a whole number; decimals are written as `over(75, 10)`. */
export const exact = (value: Quantity): Rational =>
  typeof value === 'number' ? { n: BigInt(value), d: 1n } : value

export function plus(...terms: readonly Quantity[]): Rational {
  return terms.map(exact).reduce((a, b) => ratio(a.n * b.d + b.n * a.d, a.d * b.d), exact(0))
}

export const minus = (a: Quantity, b: Quantity): Rational => plus(a, times(-1, b))

export function times(...factors: readonly Quantity[]): Rational {
  return factors.map(exact).reduce((a, b) => ratio(a.n * b.n, a.d * b.d), exact(1))
}

export function over(a: Quantity, b: Quantity): Rational {
  const [x, y] = [exact(a), exact(b)]
  return ratio(x.n * y.d, x.d * y.n)
}

export const square = (a: Quantity): Rational => times(a, a)
export const percent = (a: Quantity): Rational => over(a, 100)
export const moreBy = (a: Quantity, share: Quantity): Rational => times(a, plus(1, percent(share)))
export const lessBy = (a: Quantity, share: Quantity): Rational => times(a, minus(1, percent(share)))

export const isEqual = (a: Quantity, b: Quantity): boolean => minus(a, b).n === 0n
export const isNegative = (a: Quantity): boolean => exact(a).n < 0n

export const toNumber = (a: Quantity): number => {
  const { n, d } = exact(a)
  return Number(n) / Number(d)
}
