import { mean } from 'simple-statistics'

/**
 * The mean of each value and those before it, `window` values in total; `null` where there are
 * fewer. Sums each window separately, since a running sum would accumulate rounding errors.
 */
export const movingAverage = (
  values: readonly number[],
  window: number,
): readonly (number | null)[] =>
  values.map((_, last) => {
    const from = last + 1 - window
    return from < 0 ? null : mean(values.slice(from, last + 1))
  })
