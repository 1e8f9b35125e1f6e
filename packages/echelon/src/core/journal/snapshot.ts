import type { Amounts } from '../agent/budget.ts'
import type { StateContainer } from '../state/state.ts'

/**
 * The position of a run between two steps. It repeats what the entries say, for two purposes: newer code
 * can resume a run that older code started, and a store may delete the entries before it. Taken only of
 * the root run; a child run always ends within a step.
 */
export interface Snapshot {
  readonly agent: string
  /** Version of the definition that the state belongs to. */
  readonly version: number
  /** The next step. */
  readonly seq: number
  /**
   * The number of the run's entries that its writer knew at that time. Entries that others recorded
   * meanwhile are not included: `condensed` finds the start of the later entries by `seq`.
   */
  readonly after: number
  /** As `AgentDefinition.load` takes it, after a round trip through JSON. */
  readonly state: unknown
  /** The values of the counters. */
  readonly spent: Amounts
  /** Role to model, with all switches so far. */
  readonly models: Readonly<Record<string, string>>
  /** Middleware states; absent if none keeps a state. */
  readonly states?: StateContainer
  readonly at: number
}
