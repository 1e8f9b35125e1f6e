/** A task of a recorded cascade: how the small model's answer was scored, and which model was right. */
export interface Escalable {
  /** The verifier's score of the small model's answer; the lowest are escalated first. */
  readonly score: number
  readonly smallRight: boolean
  readonly bigRight: boolean
}

/** Figures of a score as an order of escalation. */
export interface OrderFigures {
  /**
   * Mean share of the gap between the two models' accuracies that is recovered, over all counts of escalated tasks
   * from none to all (average performance gap recovered; Ong et al. 2024, RouteLLM). A random order has .5.
   */
  readonly apgr: number
  /** Smallest share escalated that recovers half of the gap, and four fifths of it. */
  readonly cpt50: number
  readonly cpt80: number
}

/** The accuracy with no task escalated, one, and so on to all. Tasks of one score share their gain evenly. */
export function accuracyCurve(tasks: readonly Escalable[]): readonly number[] {
  const sorted = tasks.toSorted((a, b) => a.score - b.score)
  let right = tasks.filter(({ smallRight }) => smallRight).length
  const curve = [right / tasks.length]
  for (let from = 0; from < sorted.length;) {
    let to = from
    let gain = 0
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) {
      gain += Number(sorted[to]?.bigRight) - Number(sorted[to]?.smallRight)
      to++
    }
    for (let at = from; at < to; at++) {
      right += gain / (to - from)
      curve.push(right / tasks.length)
    }
    from = to
  }
  return curve
}

/**
 * The figures of an order of escalation.
 * @returns undefined unless the big model is more often right, so that there is a gap to recover
 */
export function orderFigures(tasks: readonly Escalable[]): OrderFigures | undefined {
  const curve = accuracyCurve(tasks)
  const [small = 0] = curve
  const gap = (curve.at(-1) ?? 0) - small
  if (tasks.length === 0 || gap < 1e-12) return undefined
  const recovered = curve.map((accuracy) => (accuracy - small) / gap)
  // A sum of shares may miss the wanted one by a rounding.
  const first = (share: number): number => recovered.findIndex((found) => found >= share - 1e-12)
  return {
    apgr: recovered.reduce((sum, share) => sum + share, 0) / recovered.length,
    cpt50: first(0.5) / tasks.length,
    cpt80: first(0.8) / tasks.length,
  }
}
