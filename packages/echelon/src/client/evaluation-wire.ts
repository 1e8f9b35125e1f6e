import type { JsonObject } from '../core/value/json.ts'

/*
 * Evaluations and recorded answers in the JSON of the server's REST API.
 */

export const EVALUATION_STATUSES = ['running', 'finished', 'stopped', 'failed'] as const

/** A bound that an evaluation has to keep. */
export interface GateView {
  /** The setting of the threshold, such as `min_success_rate`. */
  readonly gate: string
  /** `null` if it could not be measured. */
  readonly figure: number | null
  readonly threshold: number
  readonly passed: boolean
  /** Whether the whole 95 % interval of the figure supports it. */
  readonly verdict: 'PASS' | 'FAIL' | 'INCONCLUSIVE'
  /** One line: figure, threshold and meaning. */
  readonly message: string
}

/** A run of a data set. */
export interface EvaluationView {
  readonly id: string
  readonly dataset: string
  readonly status: (typeof EVALUATION_STATUSES)[number]
  readonly began_at: string
  readonly ended_at: string | null
  /** Number of the planned cases that are done. */
  readonly done: number
  readonly planned: number | null
  /** As `echelon eval` writes them. */
  readonly metrics: JsonObject | null
  /** Empty before the end. */
  readonly gates: readonly GateView[]
  readonly problem: string | null
}

export interface EvaluationList {
  readonly datasets: readonly string[]
  /** Newest first. */
  readonly evaluations: readonly EvaluationView[]
}

/** The result of one case of an evaluation. */
export interface EvaluatedCaseView {
  /** Its run, which operators can look into. */
  readonly run: string
  readonly success: boolean
  /** Such as `verified`, `escalated` or `no_answer`. */
  readonly outcome: string
  readonly checked: string
  /** Whether the answer equals the known one; `null` if none is known. */
  readonly right: boolean | null
  readonly escalated: boolean
  /** US dollars; `null` if a price is unknown. */
  readonly cost: number | null
  readonly seconds: number
}

/** A case that went differently in two evaluations of a data set. */
export interface ChangedCaseView {
  readonly id: string
  /** As the data set asks it now; `null` if it does not any more. */
  readonly question: string | null
  /** `null` if the case is new. */
  readonly before: EvaluatedCaseView | null
  /** `null` if the case is gone. */
  readonly after: EvaluatedCaseView | null
}

/** The changes from one evaluation to a later one. */
export interface EvaluationChanges {
  readonly before: string
  readonly after: string
  readonly cases: readonly ChangedCaseView[]
  /** Cases that went alike. */
  readonly unchanged: number
}

/** The name of a set of recorded answers. */
export interface TuneSetList {
  readonly sets: readonly string[]
}

/** A figure with its 95 % interval; `null` if it is not known. */
export interface FigureView {
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
}

/** A threshold of a ladder, with what it would give on tasks that the gate was not fitted on. */
export interface TunePointView {
  /** The score from which an answer is accepted; `null` for a model alone. */
  readonly threshold: number | null
  readonly accuracy: FigureView
  /** US dollars of a task. */
  readonly cost: FigureView
  /** Share of the tasks that asked more than the first model. */
  readonly escalated: number | null
  /** Share of the tasks that asked the last model. */
  readonly asked_last: number
  /** Share of the accepted answers that are wrong. */
  readonly wrong_accepts: number | null
}

/** A ladder of models, or a model alone, over all thresholds. */
export interface TuneLadderView {
  readonly models: readonly string[]
  /** By threshold, from 0 on. */
  readonly points: readonly TunePointView[]
}

/** The frontier of cost against accuracy of a set of recorded answers. */
export interface TuneView {
  readonly name: string
  readonly tasks: { readonly fit: number; readonly test: number }
  /** `cost` in US dollars a task, or, if a cost is unknown, the share of tasks that ask the biggest model. */
  readonly price: 'cost' | 'asked_last'
  readonly ladders: readonly TuneLadderView[]
  /** The policies that no other one beats, cheapest first. */
  readonly frontier: readonly {
    readonly models: readonly string[]
    readonly threshold: number | null
    readonly price: number
    readonly accuracy: number
  }[]
  readonly proposal: {
    readonly models: readonly string[]
    readonly threshold: number | null
  } | null
}
