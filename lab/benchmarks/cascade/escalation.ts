/** A case of a recorded cascade: what a verifier scored, and which model was right. */
export interface Escalable {
  /** The verifier's score of the small model's answer; the lowest are escalated first. */
  readonly score: number
  readonly smallRight: boolean
  readonly bigRight: boolean
}

/** The quality of a score as an order in which tasks escalate. */
export interface EscalationFigures {
  /**
   * Mean share of the gap between the two models' accuracies that is recovered, over all counts of escalated cases
   * from none to all (average performance gap recovered; Ong et al. 2024, RouteLLM). Random has .5.
   */
  readonly apgr: number
  /** Smallest share escalated that recovers half of the gap, and four fifths of it. */
  readonly cpt50: number
  readonly cpt80: number
  /** Accuracy of the cascade with 15 % escalated. */
  readonly accuracyAt15: number
}

/** The accuracy with none escalated, one, and so on to all. Cases of one score share their gain evenly. */
export function accuracyCurve(cases: readonly Escalable[]): readonly number[] {
  const sorted = cases.toSorted((a, b) => a.score - b.score)
  const right = cases.filter(({ smallRight }) => smallRight).length
  const curve = [right / cases.length]
  let gained = right
  for (let from = 0; from < sorted.length;) {
    let to = from
    let gain = 0
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) {
      gain += Number(sorted[to]?.bigRight) - Number(sorted[to]?.smallRight)
      to++
    }
    for (let at = from; at < to; at++) {
      gained += gain / (to - from)
      curve.push(gained / cases.length)
    }
    from = to
  }
  return curve
}

/** The figures of an order. Not a number where both models are equally good. */
export function escalationFigures(cases: readonly Escalable[]): EscalationFigures {
  const curve = accuracyCurve(cases)
  const [small = 0] = curve
  const gap = (curve.at(-1) ?? 0) - small
  const recovered = curve.map((accuracy) => (accuracy - small) / gap)
  // A sum of shares may miss the wanted one by a rounding.
  const first = (share: number): number => recovered.findIndex((found) => found >= share - 1e-12)
  return {
    apgr: recovered.reduce((sum, share) => sum + share, 0) / recovered.length,
    cpt50: first(0.5) / cases.length,
    cpt80: first(0.8) / cases.length,
    accuracyAt15: curve[Math.floor(0.15 * cases.length)] ?? Number.NaN,
  }
}

/** The mean of each figure, as over several runs of a cross-validation. */
export function meanFigures(all: readonly EscalationFigures[]): EscalationFigures {
  const mean = (of: (figures: EscalationFigures) => number): number =>
    all.reduce((sum, figures) => sum + of(figures), 0) / all.length
  return {
    apgr: mean(({ apgr }) => apgr),
    cpt50: mean(({ cpt50 }) => cpt50),
    cpt80: mean(({ cpt80 }) => cpt80),
    accuracyAt15: mean(({ accuracyAt15 }) => accuracyAt15),
  }
}
