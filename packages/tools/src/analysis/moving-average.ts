import { mean } from 'simple-statistics'

/**
 * The mean of each value and the ones before it, `window` together; `null` where there are fewer.
 * Each window is summed anew: a running sum would carry its rounding errors along.
 */
export const movingAverage = (
  values: readonly number[],
  window: number,
): readonly (number | null)[] =>
  values.map((_, last) => {
    const from = last + 1 - window
    return from < 0 ? null : mean(values.slice(from, last + 1))
  })
