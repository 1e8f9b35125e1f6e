import type { AgentDefinition, Note } from '../core/agent.ts'
import type { Amounts } from '../core/budget.ts'
import type { Effect, Finish } from '../core/effect.ts'
import { EchelonError } from '../core/error.ts'
import type { Json } from '../core/json.ts'
import type { Observation } from '../core/observation.ts'
import type { Thread } from '../core/thread.ts'
import { type Finding, reportOf } from './explore/finding.ts'
import { type PossibleObservations, possibleFrom } from './explore/possible.ts'
import { Search } from './explore/search.ts'

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

/** What was found when every run was followed to its end, or to the first step that broke a rule. */
export interface Exploration {
  /** States that can be told apart. */
  readonly states: number
  /** Observations until the longest run ends; nothing where a run may not end, or a rule was broken. */
  readonly longest: number | undefined
  /** Why runs ended, in the definition's words. */
  readonly reasons: ReadonlySet<string>
  /** What was broken, with the fewest steps that lead to it; empty where all is well. */
  readonly findings: readonly Finding[]
  /** @throws EchelonError INVALID_DEFINITION with every finding, step by step */
  assertSound(): void
  /** The same as text for people. */
  toString(): string
}

/**
 * Follows a definition through every sequence of observations that may come, without a model, a
 * clock or a wait. It finds that
 *
 * - a run goes round for ever, or there is no end of new states;
 * - a run that is refused or fails asks again for ever, and one that is canceled does not finish;
 * - an actor asks for what it may not;
 * - the same calls do not give the same values, a state is changed in place or is no plain data,
 *   something is thrown, or what is given is no effect and no state;
 * - a stored state is loaded as another, if that is asked for;
 * - an invariant of your own does not hold;
 *
 * and shows the shortest way there. States that cannot be told apart are visited once, so it is as
 * exhaustive as the observations that it is given.
 * @throws EchelonError INVALID_CONFIG without an input, or when something is asked for which no
 * observation is given
 */
export function explore<Input extends Json, State, Result>(
  definition: AgentDefinition<Input, State, Result>,
  options: ExploreOptions<Input, State, Result>,
): Exploration {
  const { observations, limits, inputs } = options
  if (inputs.length === 0) {
    throw new EchelonError('INVALID_CONFIG', 'there is nothing to explore; give at least one input')
  }
  const observe =
    typeof observations === 'function'
      ? observations
      : possibleFrom(observations, { actors: definition.actors, ...(limits && { limits }) })
  const found = new Search(definition, { ...options, observe }).run()
  const report = (): string => reportOf(definition.name, found)
  return {
    ...found,
    assertSound() {
      if (found.findings.length > 0) throw new EchelonError('INVALID_DEFINITION', report())
    },
    toString: report,
  }
}
