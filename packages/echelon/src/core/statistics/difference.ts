import { type Estimate, share } from './intervals.ts'

/** The difference between two groups, with its 95 % interval. */
export interface Difference {
  /** `null` if a group has no measurements. */
  readonly value: number | null
  /** `null` with too few measurements for a bound. */
  readonly low: number | null
  readonly high: number | null
}

/** Running mean and variance of figures, without keeping them (Welford 1962). */
export interface Moments {
  readonly n: number
  readonly mean: number
  /** Sum of squared distances from the mean. */
  readonly squares: number
}

export const NO_FIGURES: Moments = { n: 0, mean: 0, squares: 0 }

export function withFigure({ n, mean, squares }: Moments, figure: number): Moments {
  const distance = figure - mean
  const next = mean + distance / (n + 1)
  return { n: n + 1, mean: next, squares: squares + distance * (figure - next) }
}

/** Their mean with Student's interval, which has no bounds below three figures. */
export function meanOf({ n, mean, squares }: Moments): Estimate {
  if (n === 0) return { value: null, low: null, high: null, n }
  if (n < 3) return { value: mean, low: null, high: null, n }
  const half = studentQuantile(n - 1) * Math.sqrt(squaredError({ n, mean, squares }))
  return { value: mean, low: mean - half, high: mean + half, n }
}

/** Successes and trials. */
export interface Count {
  readonly yes: number
  readonly of: number
}

const UNKNOWN: Difference = { value: null, low: null, high: null }

/** Standard normal quantile of a two-sided 95 % interval. */
const Z = 1.959964

/**
 * The difference of two shares, `a` minus `b`, with Newcombe's hybrid score interval (Newcombe 1998,
 * method 10), which holds for few cases and for shares near 0 and 1.
 */
export function shareDifference(a: Count, b: Count): Difference {
  const [first, second] = [scored(a), scored(b)]
  if (first === undefined || second === undefined) return UNKNOWN
  const value = first.value - second.value
  return {
    value,
    low: value - Math.hypot(first.value - first.low, second.high - second.value),
    high: value + Math.hypot(first.high - first.value, second.value - second.low),
  }
}

interface Scored {
  readonly value: number
  readonly low: number
  readonly high: number
}

function scored({ yes, of }: Count): Scored | undefined {
  const { value, low, high } = share(of === 0 ? 0 : yes / of, of)
  return value === null || low === null || high === null ? undefined : { value, low, high }
}

/**
 * The difference of two means, `a` minus `b`, with Welch's interval, which allows unequal variances. It
 * has no bounds until each group has three figures.
 */
export function meanDifference(a: Moments, b: Moments): Difference {
  if (a.n === 0 || b.n === 0) return UNKNOWN
  const value = a.mean - b.mean
  if (a.n < 3 || b.n < 3) return { ...UNKNOWN, value }
  const [ofA, ofB] = [squaredError(a), squaredError(b)]
  const both = ofA + ofB
  if (both === 0) return { value, low: value, high: value }
  const freedom = both ** 2 / (ofA ** 2 / (a.n - 1) + ofB ** 2 / (b.n - 1))
  const half = studentQuantile(freedom) * Math.sqrt(both)
  return { value, low: value - half, high: value + half }
}

const squaredError = ({ n, squares }: Moments): number => squares / (n - 1) / n

/**
 * Student's quantile of a two-sided 95 % interval, by the expansion around the normal one (Abramowitz
 * and Stegun 26.7.5): accurate to 0.2 % from three degrees of freedom on, to 1 % at two.
 */
function studentQuantile(freedom: number): number {
  const z = Z
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ]
  return terms.reduce((sum, term, index) => sum + term / freedom ** (index + 1), z)
}
