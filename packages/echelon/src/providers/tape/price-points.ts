import type { Price, Usage } from '../../core/model/model.ts'

/** What one usage cost, as it was answered while recording. */
export interface PricePoint {
  readonly input: number
  readonly output: number
  /** `null` when nobody knew. */
  readonly usd: number | null
}

/** Asked once of each model, so that a price by tokens can be told from one with steps or fees. */
export const PROBES: readonly Usage[] = [
  { input: 1_000_000, output: 0 },
  { input: 0, output: 1_000_000 },
  { input: 0, output: 0 },
  { input: 1000, output: 1000 },
]

/**
 * The price as it was while recording: to the last digit for each usage that was asked for then.
 * Any other usage is priced by the token if all points agree with that, and else unknown.
 */
export function priceThrough(points: readonly PricePoint[]): Price {
  const known = new Map(points.map((point) => [nameOf(point), point.usd]))
  const [perInput = null, perOutput = null] = PROBES.map((probe) => known.get(nameOf(probe)))
  const byToken: Price = ({ input, output }) =>
    perInput === null || perOutput === null ? null : (input * perInput + output * perOutput) / 1e6
  const isByToken = points.every((point) => isNear(byToken(point), point.usd))
  return (usage) => {
    const usd = known.get(nameOf(usage))
    if (usd !== undefined) return usd
    return isByToken ? byToken(usage) : null
  }
}

const nameOf = ({ input, output }: Usage): string => `${input} ${output}`

const isNear = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= 1e-9 * Math.max(a, b)
