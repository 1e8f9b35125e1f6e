import type { AgentDefinition } from '../core/agent.ts'
import type { Entry } from '../core/journal.ts'
import type { Json } from '../core/json.ts'
import { findStarted, type FoldedStep, foldRun } from './fold.ts'

/**
 * A run again, step by step, from its journal alone: no model, no tool, no cost. What it yields is
 * what the definition asked, saw and became; a definition that decides otherwise by now is refused
 * at the step where it parts.
 */
export function* replayRun<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  entries: readonly Entry[],
): Generator<FoldedStep<State>, void> {
  yield* foldRun(definition, findStarted(definition, entries), entries)
}
