import type { Price, Usage } from '../../core/model/model.ts'

/** The price of one usage at the time of recording. */
export interface PricePoint {
  readonly input: number
  readonly output: number
  /** `null` if the price was unknown. */
  readonly usd: number | null
}

/** Priced once per model, to tell a price per token from one with tiers or fees. */
export const PROBES: readonly Usage[] = [
  { input: 1_000_000, output: 0 },
  { input: 0, output: 1_000_000 },
  { input: 0, output: 0 },
  { input: 1000, output: 1000 },
]

/**
 * The recorded price: exact for each recorded usage. Other usages are priced per token if all
 * points fit a price per token; otherwise the price is unknown.
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
