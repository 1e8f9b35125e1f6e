import type { Message } from 'echelon/runtime'
import type { Evaluation, Patterns } from './evaluation/evaluation.ts'
import type { Intent } from './intent/intent.ts'
import type { Plan } from './plan/plan.ts'
import type { Report } from './report.ts'

// The complete input of each layer. A prompt is built only from its layer's context, so nothing else reaches that
// layer's model.

/** Something that the intent rules out, in words of a draft or plan that was refused. */
export interface Refused {
  readonly what: string
  readonly evidence: string
}

export interface PlannerContext {
  readonly intent: Intent
  /** The earlier conversation, oldest first, as data. */
  readonly conversation: readonly Message[]
  /** The draft's faults, where a plan is revised, and lines of its plans that contradict the intent. */
  readonly refused: readonly Refused[]
  /** Before a draft, its `draft` is `null`; when a plan is revised, it is the outcome. */
  readonly report: Report
  readonly current: Plan
  /** The last evaluation; `null` before the first. */
  readonly evaluation: Evaluation | null
  readonly patterns: Patterns
}

/**
 * Holds no evaluation and no draft of its own, so it cannot repair its own answer. After a refused draft it
 * is told what to keep out of the next one.
 */
export interface ExecutorContext {
  readonly plan: Plan
  readonly northStars: readonly string[]
  /** The user's criteria of success. */
  readonly success: string
  readonly refused: readonly Refused[]
  /** Passages of documents and facts about the user, as data. */
  readonly background: readonly string[]
  /** Calls of tools in this turn, and their results. */
  readonly toolMessages: readonly Message[]
  /** The earlier conversation, oldest first. */
  readonly conversation: readonly Message[]
  readonly userInput: string
}

/** Holds no conversation and no plan: it compares what happened with what is wanted. */
export interface EvaluatorContext {
  readonly intent: Intent
  readonly outcome: Report
}
