/** A figure with its 95 % interval. Null without measurements. */
export interface Estimate {
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  /** The number of cases. */
  readonly n: number
}

/** Standard normal quantile of a two-sided 95 % interval. */
const Z = 1.959964

const NOTHING: Estimate = { value: null, low: null, high: null, n: 0 }

/**
 * A share with Wilson's score interval (Wilson 1927), which also holds for shares near 0 and 1 and for
 * few cases.
 * @param n independent cases; repetitions of a case add no information about other cases
 */
export function share(value: number, n: number): Estimate {
  if (n === 0) return NOTHING
  const center = (value + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n)
  const half = (Z / (1 + Z ** 2 / n)) * Math.sqrt((value * (1 - value)) / n + Z ** 2 / (4 * n ** 2))
  // The ends at 0 and 1 are exact, and no rounding moves them.
  const low = value === 0 ? 0 : Math.max(0, center - half)
  const high = value === 1 ? 1 : Math.min(1, center + half)
  return { value, low, high, n }
}

/** A mean with the normal interval of its standard error. */
export function mean(values: readonly number[]): Estimate {
  const n = values.length
  if (n === 0) return NOTHING
  const value = values.reduce((sum, each) => sum + each, 0) / n
  if (n === 1) return { value, low: null, high: null, n }
  const variance = values.reduce((sum, each) => sum + (each - value) ** 2, 0) / (n - 1)
  const half = Z * Math.sqrt(variance / n)
  return { value, low: Math.max(0, value - half), high: value + half, n }
}

/**
 * A quantile by nearest rank (the value that this share of the values does not exceed), with the
 * distribution-free interval of order statistics (Campbell and Gardner 1988). An end of the interval is
 * null if its rank is beyond the values: there are too few to bound it.
 */
export function quantile(values: readonly number[], part: number): Estimate {
  const n = values.length
  if (n === 0) return NOTHING
  const sorted = values.toSorted((a, b) => a - b)
  const half = Z * Math.sqrt(n * part * (1 - part))
  const at = (rank: number): number | null => sorted[rank - 1] ?? null
  return {
    value: at(Math.max(1, Math.ceil(n * part))),
    low: at(Math.floor(n * part - half)),
    high: at(Math.ceil(n * part + half) + 1),
    n,
  }
}
