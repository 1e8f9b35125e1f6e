import type { Decision, Turn, TurnOutcome } from './assist-state.ts'
import type { Evaluation } from './evaluation.ts'
import type { Plan } from './plan.ts'

/** What a turn came to. */
export interface AssistResult {
  /** What the user was told; empty where the turn was canceled before. */
  readonly text: string
  /** Whether the answer was withheld, and the text asks about the intent. */
  readonly isQuestion: boolean
  readonly outcome: TurnOutcome
  /** The plan that was followed last. */
  readonly plan: Plan
  /** The last one of this turn; `null` where nothing was evaluated. */
  readonly evaluation: Evaluation | null
  /** Which layer decided what, in order. */
  readonly why: readonly Decision[]
}

export const resultOf = ({ answer, outcome, plan, evaluated, why }: Turn): AssistResult => ({
  text: answer ?? '',
  isQuestion: outcome === 'asked',
  outcome,
  plan,
  evaluation: evaluated.at(-1) ?? null,
  why,
})
