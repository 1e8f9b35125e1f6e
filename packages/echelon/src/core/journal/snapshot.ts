import type { Amounts } from '../agent/budget.ts'
import type { StateContainer } from '../state/state.ts'

/**
 * Where a run stood between two steps. It is a second copy of what the entries say, for two uses:
 * newer code can take up a run that older code began, and a store may drop the entries before it.
 * Of the run itself, never of one that a tool began: such a run has its end within a step.
 */
export interface Snapshot {
  readonly agent: string
  /** Of the definition whose state it is. */
  readonly version: number
  /** The step that comes next. */
  readonly seq: number
  /**
   * How many entries of the run its writer knew of when it was made. What others put on record
   * meanwhile is not among them: where the entries after it begin, `condensed` finds by `seq`.
   */
  readonly after: number
  /** As `AgentDefinition.load` takes it, once it has been through JSON. */
  readonly state: unknown
  /** The counters as they stood. */
  readonly spent: Amounts
  /** Role to model, with every switch until then. */
  readonly models: Readonly<Record<string, string>>
  /** Of the middleware; nothing where none keeps a state. */
  readonly states?: StateContainer
  readonly at: number
}
