import type { TuneLadderView, TunePointView, TuneView } from 'echelon/client'

/** The ladders with a threshold to choose, those that end on the biggest model first. */
export const gatedLadders = ({ ladders, proposal }: TuneView): readonly TuneLadderView[] => {
  const gated = ladders.filter(({ models, points }) => models.length > 1 && points.length > 1)
  const isProposed = ({ models }: TuneLadderView): boolean =>
    models.join() === proposal?.models.join()
  return gated.toSorted((a, b) => Number(isProposed(b)) - Number(isProposed(a)))
}

/** The point of a ladder whose threshold is nearest to the wanted one. */
export function nearestTo({ points }: TuneLadderView, threshold: number): TunePointView {
  const distance = (point: TunePointView): number => Math.abs((point.threshold ?? 0) - threshold)
  const [first, ...rest] = points
  if (first === undefined) throw new RangeError('a gated ladder has points')
  return rest.reduce((best, point) => (distance(point) < distance(best) ? point : best), first)
}

/** A price in the unit of the report. */
export const priceOf = ({ price }: TuneView, point: TunePointView): number =>
  price === 'cost' ? (point.cost.value ?? 0) : point.asked_last

/** The biggest model alone, with which a ladder is compared. */
export const biggestAlone = (
  { ladders }: TuneView,
  of: TuneLadderView,
): TunePointView | undefined =>
  ladders.find(({ models }) => models.length === 1 && models[0] === of.models.at(-1))?.points[0]
