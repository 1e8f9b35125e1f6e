import type { Note } from '../../core/agent/agent.ts'
import type { Amounts } from '../../core/agent/budget.ts'
import type { Effect, Finish } from '../../core/agent/effect.ts'
import type { Observation } from '../../core/agent/observation.ts'

/** One possible outcome of an effect. */
export interface Possible {
  readonly seen: Observation
  /** The total spent by the run so far. Default: unchanged. */
  readonly spent?: Amounts
}

/** A position in an exploration. */
export interface Explored<State> {
  readonly state: State
  readonly spent: Amounts
  readonly limits: Amounts
}

/** One observation, and the definition's reaction to it. */
export interface ExploredStep<State, Result> {
  readonly before: State
  readonly asked: Effect | Finish<Result>
  readonly seen: Observation
  readonly after: State
  readonly notes: readonly Note[]
  /** By the run, including this step. */
  readonly spent: Amounts
  readonly limits: Amounts
}
