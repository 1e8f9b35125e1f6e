import type { AgentDefinition } from '../../core/agent/agent.ts'
import { EchelonError } from '../../core/value/error.ts'
import { forkedEntries } from '../../core/journal/forked-entries.ts'
import type { Entry, ForkedFrom } from '../../core/journal/journal.ts'
import type { Json } from '../../core/value/json.ts'
import { findStarted } from './fold.ts'
import { goOn, type ResumeOptions } from '../resume.ts'
import type { Run } from '../run.ts'

export interface ForkRunOptions extends ResumeOptions {
  /** The first step that is taken anew, from 0 on, as events count them. */
  readonly at: number
  /** What the fork is called. Default: a new UUID of the `ids` port. */
  readonly runId?: string
  /** Role to model where another plays from here on, by the ids of the models in `services`. */
  readonly models?: Readonly<Record<string, string>>
  /** Tools that may act anew, by name; the others answer from the record or are denied. */
  readonly act?: readonly string[]
  /** Memories that may be written anew, by name; writes of others answer from the record or fail. */
  readonly memories?: readonly string[]
}

/**
 * Begins a run that goes on from a step of another one, however long ago that was: a run of its own,
 * with what the other had spent until then. What the other called since then answers the same calls.
 * The conversation that the other was a turn of stays as it is.
 * @param entries of the run that is forked
 * @throws EchelonError INVALID_INPUT for a step that was never reached, or that is kept no more, or a
 * role that is not played; UNKNOWN_RUN; JOURNAL_MISMATCH. `result` rejects with INVALID_INPUT for a
 * name in `act` that no tool has
 */
export function forkRun<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  entries: readonly Entry[],
  options: ForkRunOptions,
): Run<Result, State> {
  const { at, services, act, memories, models = {}, ...rest } = options
  const { runId = services.ids.next() } = options
  if (!Number.isInteger(at) || at < 0) {
    throw new EchelonError('INVALID_INPUT', `at is ${at}; give the number of a step, from 0 on`)
  }
  const { runId: run } = findStarted(definition, entries)
  const forkedAt = services.clock.now()
  const from: ForkedFrom = { run, at, forkedAt, ...(act && { act }), ...(memories && { memories }) }
  const forked = forkedEntries(entries, { run, at, as: runId, models, from })
  return goOn(definition, forked, { ...rest, services, forked: entries })
}
