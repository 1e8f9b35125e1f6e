/**
 * The user's goals and limits for the assistant, with the keys of `intent.json`. Only the user writes it; it
 * outranks every plan and every answer.
 */
export interface Intent {
  readonly north_stars: readonly string[]
  readonly current_success: string
  /** Properties that an answer must not have. Hard constraints. */
  readonly non_goals: readonly string[]
  /** When a turn ends. */
  readonly stop_conditions: readonly string[]
  readonly authority_rules: readonly string[]
  /**
   * By non-goal or stop condition: regular expressions with the flags `iu` that identify it. One without patterns
   * is identified by its own words, and judged by a model if there is one.
   */
  readonly patterns?: Readonly<Record<string, readonly string[]>>
}

/** The shipped intent. */
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

/** Whether an intent is the shipped example. Its values are not the user's. */
export const isExampleIntent = ({ north_stars, current_success }: Intent): boolean =>
  current_success === DEFAULT_INTENT.current_success &&
  north_stars.join() === DEFAULT_INTENT.north_stars.join()
