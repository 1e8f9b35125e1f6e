import type { Note } from '../../core/agent/agent.ts'
import type { Amounts } from '../../core/agent/budget.ts'
import type { Effect, Finish } from '../../core/agent/effect.ts'
import type { Observation } from '../../core/agent/observation.ts'

/** One thing that may come of an effect. */
export interface Possible {
  readonly seen: Observation
  /** What the whole run has spent by then; default what it had spent before. */
  readonly spent?: Amounts
}

/** Where an exploration stands. */
export interface Explored<State> {
  readonly state: State
  readonly spent: Amounts
  readonly limits: Amounts
}

/** One observation, and what the definition made of it. */
export interface ExploredStep<State, Result> {
  readonly before: State
  readonly asked: Effect | Finish<Result>
  readonly seen: Observation
  readonly after: State
  readonly notes: readonly Note[]
  /** By the run, this step included. */
  readonly spent: Amounts
  readonly limits: Amounts
}
