import type { Problem } from 'echelon/runtime'
import type { Decision, Turn, TurnOutcome } from './assist-state.ts'
import type { Evaluation } from './evaluation/evaluation.ts'
import type { Plan } from './plan/plan.ts'

/** The result of a turn. */
export interface AssistResult {
  /** The answer shown to the user; empty if the turn was canceled before one. */
  readonly text: string
  /** Whether the answer was withheld and the text asks about the intent instead. */
  readonly isQuestion: boolean
  readonly outcome: TurnOutcome
  /** Why the answering model could not be asked, or withheld its answer; `null` otherwise. */
  readonly problem: Problem | null
  /** The plan that was followed last. */
  readonly plan: Plan
  /** The last one of this turn; `null` if nothing was evaluated. */
  readonly evaluation: Evaluation | null
  /** The decisions of each layer, in order. */
  readonly why: readonly Decision[]
}

export const resultOf = (turn: Turn): AssistResult => {
  const { answer, outcome, problem, plan, evaluated, why } = turn
  return {
    text: answer ?? '',
    isQuestion: outcome === 'asked',
    outcome,
    problem: problem ?? null,
    plan,
    evaluation: evaluated.at(-1) ?? null,
    why,
  }
}
