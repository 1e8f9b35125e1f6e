import type { AgentDefinition } from '../../core/agent/agent.ts'
import { droppedIn } from '../../core/journal/condensed.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Entry, Started } from '../../core/journal/journal.ts'
import type { Json } from '../../core/value/json.ts'
import type { Thread } from '../../core/message/thread.ts'
import { findStarted, type FoldedStep, foldRun, startContext } from './fold.ts'

export interface ReplayOptions {
  /** Messages of the session, if the run is a turn of one; later messages are ignored. */
  readonly history?: Thread
}

/**
 * Replays a run step by step from its journal alone: no model, no tool, no cost. It yields the effect,
 * observation and state of each step. A definition that now decides differently is refused at that
 * step. If the first entries of the run were deleted, it replays the remaining steps.
 */
export function* replayRun<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  entries: readonly Entry[],
  { history }: ReplayOptions = {},
): Generator<FoldedStep<State>, void> {
  const started = findStarted(definition, entries)
  yield* foldRun(definition, started, entries, knownTo(started, history))
}

/** Returns the part of a session's messages that the run knew. */
function knownTo(
  { session, forkedFrom }: Started,
  history: Thread | undefined,
): Thread | undefined {
  return history?.upTo((session ?? forkedFrom?.session)?.length ?? 0)
}

/**
 * Returns the state of a run before a step: its initial state (0), after its first step (1), and so on.
 * @throws EchelonError INVALID_INPUT for a step that it has not reached, or that was deleted
 */
export function stateAt<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  entries: readonly Entry[],
  at: number,
  options: ReplayOptions = {},
): State {
  const started = findStarted(definition, entries)
  const kept = droppedIn(entries)?.snapshot
  const first = kept?.seq ?? 0
  if (at === first && kept !== undefined) return definition.load(kept.state)
  if (at === 0 && first === 0) {
    const context = startContext(started, knownTo(started, options.history))
    return definition.start(started.input, context).state
  }
  let steps = first
  for (const { seq, moved } of replayRun(definition, entries, options)) {
    if (seq + 1 === at) return moved.state
    steps = seq + 1
  }
  throw new EchelonError(
    'INVALID_INPUT',
    `the run has ${steps} steps on record, so there is no state before step ${at}; give a number from ${first} to ${steps}`,
    { details: { first, steps } },
  )
}
