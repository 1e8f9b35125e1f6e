import type { AgentDefinition } from '../core/agent/agent.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Json } from '../core/value/json.ts'
import { type Finding, reportOf } from './explore/finding.ts'
import type { ExploreOptions } from './explore/explore-options.ts'
import { possibleFrom } from './explore/possible.ts'
import { Search } from './explore/search.ts'

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
