import type { Message } from 'echelon/runtime'
import type { Evaluation, Patterns } from './evaluation/evaluation.ts'
import type { Intent } from './intent/intent.ts'
import type { Plan } from './plan/plan.ts'
import type { Report } from './report.ts'

// What each layer is told, and all that it is told: a prompt is made of its layer's context alone, so
// that what has no place here reaches no model of that layer.

/** No conversation: what happened comes as a report. */
export interface PlannerContext {
  readonly intent: Intent
  /** Before a draft its `draft` is `null`; when a plan is revised it is the outcome. */
  readonly report: Report
  readonly current: Plan
  /** The last one; `null` where there was none. */
  readonly evaluation: Evaluation | null
  readonly patterns: Patterns
}

/** No evaluation and no draft of its own: it cannot repair what it answered. */
export interface ExecutorContext {
  readonly plan: Plan
  /** What was said before this turn, oldest first. */
  readonly conversation: readonly Message[]
  readonly userInput: string
}

/** No conversation and no plan: it compares what happened with what is wanted. */
export interface EvaluatorContext {
  readonly intent: Intent
  readonly outcome: Report
}
