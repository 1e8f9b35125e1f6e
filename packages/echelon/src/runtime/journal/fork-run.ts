import type { AgentDefinition } from '../../core/agent/agent.ts'
import { EchelonError } from '../../core/value/error.ts'
import { forkedEntries } from '../../core/journal/forked-entries.ts'
import type { Entry, ForkedFrom } from '../../core/journal/journal.ts'
import type { Json } from '../../core/value/json.ts'
import { findStarted } from './fold.ts'
import { goOn, type ResumeOptions } from '../resume.ts'
import type { Run } from '../run.ts'

export interface ForkRunOptions extends ResumeOptions {
  /** The first step that is run again, from 0 on, as in events. */
  readonly at: number
  /** Id of the fork. Default: a new UUID of the `ids` port. */
  readonly runId?: string
  /** Role to the id of another model from here on; the ids are of models in `services`. */
  readonly models?: Readonly<Record<string, string>>
  /** Names of tools that may act again; others answer from the journal or are denied. */
  readonly act?: readonly string[]
  /** Names of memories that may be written again; other writes answer from the journal or fail. */
  readonly memories?: readonly string[]
}

/**
 * Starts a separate run that continues from a step of another one, however old. It begins with the
 * original's spending up to that step, and the original's later calls answer the same calls. The
 * original's session does not change.
 * @param entries of the original run
 * @throws EchelonError INVALID_INPUT for a step that was never reached or was deleted, or an unknown
 * role; UNKNOWN_RUN; JOURNAL_MISMATCH. `result` rejects with INVALID_INPUT for a name in `act` that no
 * tool has
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
