import { seededRandom } from '../../../packages/echelon/src/core/value/random.ts'

const REPEATS = 1_000

/**
 * Standard errors of figures by bootstrap (Efron 1979): the standard deviation of each over draws of as many cases
 * with replacement. Cases that depend on each other, as questions about one story, are drawn as one group.
 * @param figures of the groups with these indexes, each as often as it is named
 */
export function standardErrors<Name extends string>(
  groups: number,
  figures: (drawn: readonly number[]) => Readonly<Record<Name, number>>,
  repeats: number = REPEATS,
): Readonly<Record<string, number>> {
  const random = seededRandom(1979)
  const draws = Array.from({ length: repeats }, () =>
    figures(Array.from({ length: groups }, () => Math.floor(random() * groups))),
  )
  const names = Object.keys(draws[0] ?? {})
  const columns: Readonly<Record<string, number>>[] = draws
  return Object.fromEntries(
    names.map((name) => [name, deviation(columns.map((draw) => draw[name] ?? Number.NaN))]),
  )
}

/** A draw in which a figure does not exist, as a share of nothing, is left out. */
function deviation(values: readonly number[]): number {
  const finite = values.filter(Number.isFinite)
  const mean = finite.reduce((sum, value) => sum + value, 0) / finite.length
  const squares = finite.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (finite.length - 1))
}
