/** The result of comparing an interval with a threshold. */
export type Verdict = 'PASS' | 'FAIL' | 'INCONCLUSIVE'

/** The required side of a threshold. */
export type Side = 'at least' | 'at most'

/** An interval; an end is null if unknown. */
export interface Interval {
  readonly low: number | null
  readonly high: number | null
}

/** PASS if the whole interval is on the right side of a threshold, FAIL if none of it is. */
export function verdictOf({ low, high }: Interval, side: Side, threshold: number): Verdict {
  const [worst, best] = side === 'at least' ? [low, high] : [high, low]
  if (worst !== null && isOn(side, worst, threshold)) return 'PASS'
  if (best !== null && !isOn(side, best, threshold)) return 'FAIL'
  return 'INCONCLUSIVE'
}

/** Compares a figure with a threshold. Ignores rounding errors in the last digits. */
export function isOn(side: Side, figure: number, threshold: number): boolean {
  const exact = Number(figure.toPrecision(12))
  return side === 'at least' ? exact >= threshold : exact <= threshold
}

/** Beyond this number the figure practically equals the threshold. */
const MOST_CASES = 10_000_000

/**
 * Returns the fewest further cases that decide, if the measured figures stay the same.
 * @param n cases that there are
 * @param decides whether so many cases would; once true, true for more
 * @returns undefined if no number of cases up to ten million would
 */
export function furtherCases(n: number, decides: (n: number) => boolean): number | undefined {
  if (decides(n)) return 0
  let [low, high] = [n, Math.max(1, n * 2)]
  while (!decides(high)) {
    if (high >= MOST_CASES) return undefined
    ;[low, high] = [high, high * 2]
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (decides(middle)) high = middle
    else low = middle
  }
  return high - n
}
