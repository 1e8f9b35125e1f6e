import type { Message } from 'echelon/runtime'
import type { Evaluation, Patterns } from './evaluation/evaluation.ts'
import type { Intent } from './intent/intent.ts'
import type { Plan } from './plan/plan.ts'
import type { Report } from './report.ts'

// The complete input of each layer. A prompt is built only from its layer's context, so nothing else reaches that
// layer's model.

/** Holds no conversation: events come as a report. */
export interface PlannerContext {
  readonly intent: Intent
  /** Before a draft, its `draft` is `null`; when a plan is revised, it is the outcome. */
  readonly report: Report
  readonly current: Plan
  /** The last one; `null` if there is none. */
  readonly evaluation: Evaluation | null
  readonly patterns: Patterns
}

/** Holds no evaluation and no draft of its own, so it cannot repair its own answer. */
export interface ExecutorContext {
  readonly plan: Plan
  /** The earlier conversation, oldest first. */
  readonly conversation: readonly Message[]
  readonly userInput: string
}

/** Holds no conversation and no plan: it compares what happened with what is wanted. */
export interface EvaluatorContext {
  readonly intent: Intent
  readonly outcome: Report
}
