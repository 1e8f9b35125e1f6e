import { digestText } from '../../core/value/digest.ts'

/** A variant and its share of units. */
export interface Weighted {
  readonly name: string
  readonly weight: number
}

/** A number in [0, 1), determined by experiment and unit and evenly distributed over many units. */
const placeOf = (experiment: string, unit: string): number =>
  digestText(JSON.stringify([experiment, unit])) / 2 ** 53

/**
 * The variant of a unit (a session, a caller or a run): stable while names and weights stay the same, and
 * independent of other experiments.
 */
export function variantFor<Variant extends Weighted>(
  variants: readonly Variant[],
  experiment: string,
  unit: string,
): Variant | undefined {
  const sum = variants.reduce((all, { weight }) => all + weight, 0)
  let rest = placeOf(experiment, unit) * sum
  for (const variant of variants) {
    rest -= variant.weight
    if (rest < 0) return variant
  }
  // Reached only through rounding.
  return variants.findLast(({ weight }) => weight > 0)
}
