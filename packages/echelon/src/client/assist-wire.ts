/*
 * The assistant's intent in the JSON of the server's REST API.
 */

/** The user's goals and limits for the assistant. Only the user changes it; it outranks plans and answers. */
export interface IntentView {
  readonly north_stars: readonly string[]
  readonly current_success: string
  /** Properties that an answer must not have. */
  readonly non_goals: readonly string[]
  /** When a turn ends. */
  readonly stop_conditions: readonly string[]
  readonly authority_rules: readonly string[]
  /** By non-goal or stop condition: regular expressions that identify it. */
  readonly patterns?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The intent with its version, which counts its changes. */
export interface KeptIntent {
  readonly intent: IntentView
  readonly version: number
}

/** Replaces the intent if it still has the version that was read. */
export interface IntentChange {
  readonly intent: IntentView
  readonly if_version?: number | undefined
}
