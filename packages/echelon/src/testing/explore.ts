import type { AgentDefinition } from '../core/agent/agent.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Json } from '../core/value/json.ts'
import { type Finding, reportOf } from './explore/finding.ts'
import type { ExploreOptions } from './explore/explore-options.ts'
import { possibleFrom } from './explore/possible.ts'
import { Search } from './explore/search.ts'

/** The result of following every run to its end, or to the first step that broke a rule. */
export interface Exploration {
  /** The number of distinct states. */
  readonly states: number
  /**
   * Observations until the longest run ends; undefined if a run may not end, or a rule was broken.
   */
  readonly longest: number | undefined
  /** The reasons for which runs ended, in the definition's words. */
  readonly reasons: ReadonlySet<string>
  /** The broken rules, each with a shortest path; empty if none. */
  readonly findings: readonly Finding[]
  /** @throws EchelonError INVALID_DEFINITION with every finding, step by step */
  assertSound(): void
  /** The result as readable text. */
  toString(): string
}

/**
 * Follows a definition through every possible sequence of observations, without a model, a clock or
 * a wait. It finds that
 *
 * - a run never ends, or reaches new states forever;
 * - a run repeats a refused or failed request forever, or does not finish after a cancel;
 * - an actor requests an effect outside its capabilities;
 * - equal calls return different values, a state is mutated or is not plain data, something is
 *   thrown, or a result is neither an effect nor a state;
 * - a stored state changes when loaded, if that is checked;
 * - one of your invariants is violated;
 *
 * and shows the shortest path there. Equal states are visited once, so the search is as exhaustive
 * as its observations.
 * @throws EchelonError INVALID_CONFIG without an input, or for an effect without observations
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
