/** The evaluation of an outcome, in the words of `evaluations.json`. */
export interface Evaluation {
  /** ISO 8601, UTC. */
  readonly timestamp: string
  /** Such as `on_intent`, `tactical_drift`, `non_goal: sycophancy`, `stopped`. */
  readonly outcome: string
  readonly matched_intent: boolean
  readonly revision_triggered: boolean
  /** The layer it addresses: the plan must change, or the user is asked about the intent. */
  readonly target: 'planner' | 'intent'
}

export interface Patterns {
  readonly repeated_failures: readonly string[]
  readonly successful_approaches: readonly string[]
}

/** The content of `evaluations.json`: only deltas, and only for a while. */
export interface Evaluations {
  readonly recent_evaluations: readonly Evaluation[]
  readonly patterns: Patterns
}

const NON_GOAL = 'non_goal: '

/** The outcome that says that a draft was a non-goal. */
export const nonGoalOutcome = (what: string): string => `${NON_GOAL}${what}`

/** The non-goal that an outcome names, in the intent's words; `null` for any other outcome. */
export const nonGoalIn = (outcome: string): string | null =>
  outcome.startsWith(NON_GOAL) ? outcome.slice(NON_GOAL.length) : null
