import type { Problem } from 'echelon/runtime'
import type { Decision, Turn, TurnOutcome } from './assist-state.ts'
import type { Evaluation } from './evaluation/evaluation.ts'
import type { Plan } from './plan/plan.ts'

/** What a turn came to. */
export interface AssistResult {
  /** What the user was told; empty where the turn was canceled before. */
  readonly text: string
  /** Whether the answer was withheld, and the text asks about the intent. */
  readonly isQuestion: boolean
  readonly outcome: TurnOutcome
  /** Why the model that answers could not be asked, or withheld its answer; `null` where it did neither. */
  readonly problem: Problem | null
  /** The plan that was followed last. */
  readonly plan: Plan
  /** The last one of this turn; `null` where nothing was evaluated. */
  readonly evaluation: Evaluation | null
  /** Which layer decided what, in order. */
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
