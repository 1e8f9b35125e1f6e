import type { Estimate } from '../core/statistics/intervals.ts'
import type { TrainedOn } from '../verify/calibrated/calibrated-model.ts'
import type { Goal, GoalCheck } from './goal.ts'
import type { PolicyFigures } from './policy.ts'

/** A figure with its standard error by bootstrap. */
export interface WithError {
  readonly value: number
  readonly error: number
}

/** The figures of a single model. */
export interface ModelReport {
  readonly model: string
  readonly accuracy: Estimate
  readonly cost: Estimate
  readonly p95_latency: Estimate
}

/** A threshold of a ladder with its figures. */
export interface CurvePoint {
  /** The score from which an answer is accepted; null for a model alone. */
  readonly threshold: number | null
  readonly figures: PolicyFigures
}

/** A ladder of models over all thresholds. */
export interface LadderReport {
  /** From small to big. */
  readonly models: readonly string[]
  /** Training figures of its gate; null for a single model, and if there were too few cases. */
  readonly gate: TrainedOn | null
  /** If there were too few cases: the number of right and of wrong answers to fit on. Ten of each are needed. */
  readonly too_few: { readonly right: number; readonly wrong: number } | null
  /** For two models, the figures of the order of escalation; null unless the second is more often right. */
  readonly order: {
    readonly apgr: WithError
    readonly cpt50: WithError
    readonly cpt80: WithError
  } | null
  readonly curve: readonly CurvePoint[]
}

/** A policy that no other one beats. */
export interface FrontierPoint {
  readonly models: readonly string[]
  readonly threshold: number | null
  /** In the unit of `TuneReport.price`. */
  readonly price: number
  readonly accuracy: number
}

/** The policy that the report proposes. */
export interface Proposal {
  readonly models: readonly string[]
  readonly threshold: number | null
  /** On the half that it was chosen by, with cross-validated scores. */
  readonly fit: PolicyFigures
  /** On the half that nothing was fitted on. */
  readonly test: PolicyFigures
}

/** `tune.json`: what recorded answers say about thresholds and ladders; figures and names, and no text of a user. */
export interface TuneReport {
  readonly kind: 'tune'
  readonly version: 1
  /** The day of the fit, as an ISO date. */
  readonly date: string
  readonly seed: number
  readonly halves: Readonly<
    Record<'fit' | 'test', { readonly tasks: number; readonly groups: number }>
  >
  /**
   * Unit of a policy's price: `cost`, US dollars a task, or if a cost is unknown `asked_last`, the share of tasks that
   * ask the biggest model.
   */
  readonly price: 'cost' | 'asked_last'
  /** From small to big. */
  readonly models: readonly ModelReport[]
  readonly ladders: readonly LadderReport[]
  /** Cheapest first. Slightly optimistic: chosen and measured on the same half. */
  readonly frontier: readonly FrontierPoint[]
  /** Null if there were too few cases to propose one. */
  readonly proposal: Proposal | null
  readonly goal: (Goal & { readonly check: GoalCheck | null }) | null
}
