/**
 * What the user wants of the assistant, in the words of `intent.json`. Nobody but the user writes it; it
 * outranks every plan and every answer.
 */
export interface Intent {
  readonly north_stars: readonly string[]
  readonly current_success: string
  /** What no answer may be. Hard constraints. */
  readonly non_goals: readonly string[]
  /** When a turn ends. */
  readonly stop_conditions: readonly string[]
  readonly authority_rules: readonly string[]
  /**
   * By non-goal or stop condition: words by which it is known, as regular expressions with the flags
   * `iu`. One that has none is known by its own words, and judged by a model where there is one.
   */
  readonly patterns?: Readonly<Record<string, readonly string[]>>
}

/** The intent that the assistant is shipped with. */
export const DEFAULT_INTENT: Intent = {
  north_stars: ['family_present', 'meaningful_tech', 'financial_independence'],
  current_success: 'Be a cognitive partner, not a task manager',
  non_goals: ['endless analysis', 'feature stacking', 'sycophancy'],
  stop_conditions: ['user says stop', 'frustration detected', 'goal achieved'],
  authority_rules: [
    'Intent outranks execution',
    'If execution drifts, intent pulls back',
    'Non-goals are hard constraints',
  ],
}
