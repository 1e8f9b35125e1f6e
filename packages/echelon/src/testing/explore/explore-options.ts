import type { Amounts } from '../../core/agent/budget.ts'
import type { Effect } from '../../core/agent/effect.ts'
import type { Json } from '../../core/value/json.ts'
import type { Thread } from '../../core/message/thread.ts'
import type { Explored, ExploredStep, Possible } from './explored.ts'
import type { PossibleObservations } from './possible.ts'

/** What an exploration begins with, what may happen, and what must hold. */
export interface ExploreOptions<Input extends Json, State, Result> {
  /** Each is the beginning of runs of its own. */
  readonly inputs: readonly Input[]
  /**
   * What may come of each effect: a table of what models, tools and people may answer, to which
   * cancels, failures and refusals by the budget are added; or a function that gives all of it, those
   * included.
   */
  readonly observations:
    | PossibleObservations
    | ((asked: Effect, at: Explored<State>) => readonly Possible[])
  /**
   * The limits of the run. A table counts against them as the runtime does. Left out, the budget may
   * refuse any effect at any time, which covers every budget there is. Limits hide a run that never
   * ends, so explore without them, or with more than the policy needs, as well.
   */
  readonly limits?: Amounts
  /** What the user may say while the run works, each once and in this order, between any two steps. */
  readonly heard?: readonly string[]
  /**
   * What tells one state from another: everything that a later decision can depend on. Default: all
   * of the state. Leave out what only grows, such as the conversation, or there is no end of states.
   */
  readonly keyOf?: (state: State, spent: Amounts) => Json
  /** What must hold of every step, by its name: false, or an error such as of `assert`, breaks it. */
  readonly invariants?: Readonly<Record<string, (step: ExploredStep<State, Result>) => boolean>>
  /** Sees every step that was taken, such as to collect the arrows of a diagram. */
  readonly watch?: (step: ExploredStep<State, Result>) => void
  /**
   * Whether states are frozen and each function is called twice, so as to catch one that changes a
   * state or depends on more than its arguments. Default true; without it a search takes half the time.
   */
  readonly purity?: boolean
  /**
   * Whether each state is stored as JSON and loaded again, which must change nothing. Default false:
   * for a definition whose `load` takes what its states are.
   */
  readonly loads?: boolean
  /** What was said before the run; default nothing. */
  readonly history?: Thread
  /** Where a search without end is given up; default 100,000. */
  readonly maxStates?: number
}
