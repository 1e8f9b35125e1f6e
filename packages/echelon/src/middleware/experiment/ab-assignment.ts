import { digestText } from '../../core/value/digest.ts'

/** What a share of runs is given to. */
export interface Weighted {
  readonly name: string
  readonly weight: number
}

/** A number in [0, 1) that an experiment and a unit determine, spread evenly over many units. */
const placeOf = (experiment: string, unit: string): number =>
  digestText(JSON.stringify([experiment, unit])) / 2 ** 53

/**
 * The variant of a unit (a conversation, a caller or a run): the same one as long as names and weights
 * are the same, and independent of other experiments'.
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
  // What rounding left over.
  return variants.findLast(({ weight }) => weight > 0)
}
