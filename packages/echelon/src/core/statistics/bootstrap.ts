import { seededRandom } from '../value/random.ts'
import type { Difference } from './difference.ts'

export interface BootstrapOptions {
  /** Determines the draws; default 1. */
  readonly seed?: number
  /** Number of draws; default 1,000. */
  readonly repeats?: number
}

/** The spread of a figure over the draws of a bootstrap. */
export interface Spread {
  /** Standard error. */
  readonly error: number
  /** The 95 % percentile interval. */
  readonly low: number
  readonly high: number
}

/**
 * Standard errors and percentile intervals of figures by bootstrap (Efron 1979): the figures of many draws of as many
 * groups with replacement. A draw in which a figure is not finite, as a share of nothing, is left out of it.
 * @param groups number of cases; cases that depend on each other, as questions about one story, are one group
 * @param figures of the groups with these indexes, each as often as it is named
 */
export function bootstrap<Name extends string>(
  groups: number,
  figures: (drawn: readonly number[]) => Readonly<Record<Name, number>>,
  { seed = 1, repeats = 1_000 }: BootstrapOptions = {},
): ReadonlyMap<string, Spread> {
  const random = seededRandom(seed)
  const columns = new Map<string, number[]>()
  for (let draw = 0; draw < repeats; draw++) {
    const drawn = Array.from({ length: groups }, () => Math.floor(random() * groups))
    for (const [name, value] of Object.entries<number>(figures(drawn))) {
      const column = columns.get(name) ?? []
      if (Number.isFinite(value)) column.push(value)
      columns.set(name, column)
    }
  }
  return new Map([...columns].map(([name, values]) => [name, spreadOf(values)]))
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const at = (part: number): number => sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN
  return { error: Math.sqrt(squares / (values.length - 1)), low: at(0.025), high: at(0.975) }
}

/** A case that two runs have in common, with its figure in each. */
export interface Pair {
  readonly now: number
  readonly before: number
}

/** A difference of means over the same cases. */
export interface PairedDifference extends Difference {
  /** Number of shared cases. */
  readonly n: number
}

/**
 * The mean of `now` less that of `before` with its 95 % percentile interval by a bootstrap over the cases. Both
 * figures of a case are drawn together, so that what makes a case hard in both runs cancels out. No bounds before
 * there are three cases.
 */
export function pairedDifference(
  pairs: readonly Pair[],
  options: BootstrapOptions = {},
): PairedDifference {
  const n = pairs.length
  if (n === 0) return { value: null, low: null, high: null, n }
  const differences = pairs.map(({ now, before }) => now - before)
  const meanOf = (drawn: Iterable<number>): number => {
    let sum = 0
    for (const at of drawn) sum += differences[at] ?? 0
    return sum / n
  }
  const value = meanOf(differences.keys())
  if (n < 3) return { value, low: null, high: null, n }
  const spread = bootstrap(n, (drawn) => ({ mean: meanOf(drawn) }), options).get('mean')
  return { value, low: spread?.low ?? null, high: spread?.high ?? null, n }
}
