import { max, mean, median, min, sampleStandardDeviation } from 'simple-statistics'
import { movingAverage } from './moving-average.ts'

/** Closing prices, oldest first, at least one. */
export type Closes = readonly number[]

/** Statistics of a series. A type, not an interface, so that it counts as JSON. */
type Stats = {
  readonly count: number
  readonly mean: number
  readonly median: number
  readonly min: number
  readonly max: number
  /**
   * Sample standard deviation (divided by n - 1), as in spreadsheets and pandas; `null` for one
   * value.
   */
  readonly stdev: number | null
  readonly first: number
  readonly last: number
  /** From first to last. */
  readonly change: number
  /** The change in percent of the first value; `null` if that is 0. */
  readonly change_percent: number | null
}

/** The result of `numeric_analysis`. */
export type Analysis = {
  /** The mean of seven days, for each day; `null` for the first six. */
  readonly ma7: readonly (number | null)[]
  readonly stats: Stats
}

const DAYS = 7

export default (closes: Closes): Analysis => ({
  ma7: movingAverage(closes, DAYS),
  stats: describe(closes),
})

function describe(closes: Closes): Stats {
  const [first = NaN] = closes
  const last = closes.at(-1) ?? NaN
  const change = last - first
  return {
    count: closes.length,
    mean: mean([...closes]),
    median: median([...closes]),
    min: min([...closes]),
    max: max([...closes]),
    stdev: closes.length < 2 ? null : sampleStandardDeviation([...closes]),
    first,
    last,
    change,
    change_percent: first === 0 ? null : (change / first) * 100,
  }
}
