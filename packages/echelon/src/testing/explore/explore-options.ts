import type { Amounts } from '../../core/agent/budget.ts'
import type { Effect } from '../../core/agent/effect.ts'
import type { Json } from '../../core/value/json.ts'
import type { Thread } from '../../core/message/thread.ts'
import type { Explored, ExploredStep, Possible } from './explored.ts'
import type { PossibleObservations } from './possible.ts'

/** The inputs of an exploration, its possible observations, and its invariants. */
export interface ExploreOptions<Input extends Json, State, Result> {
  /** Each input starts separate runs. */
  readonly inputs: readonly Input[]
  /**
   * The possible outcomes of each effect: a table of possible answers of models, tools and people,
   * to which cancels, failures and budget refusals are added; or a function that returns all of
   * them.
   */
  readonly observations:
    | PossibleObservations
    | ((asked: Effect, at: Explored<State>) => readonly Possible[])
  /**
   * The limits of the run, counted as in the runtime. Without limits, the budget may refuse any
   * effect at any time, which covers every budget. Limits hide a run that never ends, so also
   * explore without them, or with more than the policy needs.
   */
  readonly limits?: Amounts
  /**
   * Messages that the user may send while the run works: each once and in this order, between any two steps.
   */
  readonly heard?: readonly string[]
  /**
   * Identifies a state: everything that a later decision can depend on. Default: the whole state.
   * Leave out parts that only grow, such as the conversation; otherwise the number of states is
   * infinite.
   */
  readonly keyOf?: (state: State, spent: Amounts) => Json
  /**
   * Invariants by name, checked at every step; false or a thrown error, for example from `assert`,
   * is a violation.
   */
  readonly invariants?: Readonly<Record<string, (step: ExploredStep<State, Result>) => boolean>>
  /** Called with every step, for example to collect the arrows of a diagram. */
  readonly watch?: (step: ExploredStep<State, Result>) => void
  /**
   * Whether states are frozen and each function is called twice, to detect mutation and hidden
   * inputs. Default true; without it a search takes half the time.
   */
  readonly purity?: boolean
  /**
   * Whether each state is stored as JSON and loaded again, which must change nothing. Default
   * false. For definitions whose `load` accepts their stored states.
   */
  readonly loads?: boolean
  /** The conversation before the run. Default: empty. */
  readonly history?: Thread
  /** The number of states at which an endless search stops. Default 100,000. */
  readonly maxStates?: number
}
