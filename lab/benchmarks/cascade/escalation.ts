import {
  accuracyCurve,
  type Escalable,
  orderFigures,
  type OrderFigures,
} from '../../../packages/echelon/src/core/statistics/escalation-order.ts'

/** The quality of a score as an order in which tasks escalate. */
export interface EscalationFigures extends OrderFigures {
  /** Accuracy of the cascade with 15 % escalated. */
  readonly accuracyAt15: number
}

/** The figures of an order. Not a number unless the big model is more often right. */
export function escalationFigures(cases: readonly Escalable[]): EscalationFigures {
  return {
    ...(orderFigures(cases) ?? NO_GAP),
    accuracyAt15: accuracyCurve(cases)[Math.floor(0.15 * cases.length)] ?? Number.NaN,
  }
}

const NO_GAP: OrderFigures = { apgr: Number.NaN, cpt50: Number.NaN, cpt80: Number.NaN }

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
