import type { AgentDefinition, Moved } from '../core/agent.ts'
import { addAmounts, type Amounts } from '../core/budget.ts'
import { digestEffect } from '../core/effect-digest.ts'
import type { Effect, Finish } from '../core/effect.ts'
import { EchelonError } from '../core/error.ts'
import type { Closed, Entry, Started } from '../core/journal.ts'
import type { Json } from '../core/json.ts'

/** One step of a run that is on record. */
export interface FoldedStep<State> {
  readonly seq: number
  /** What the definition asked, given the state before. */
  readonly asked: Effect
  readonly entry: Closed
  readonly moved: Moved<State>
  /** All that was spent up to and with this step. */
  readonly spent: Amounts
}

/**
 * A run as the fold of its entries: each step's observation goes through `observe` with the meter
 * that was read then. Nothing of the world is touched. A definition that now asks for something
 * else than the journal holds is refused at that step.
 * @returns the state after the last step on record
 */
export function* foldRun<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  started: Started,
  entries: readonly Entry[],
): Generator<
  FoldedStep<State>,
  { readonly state: State; readonly seq: number; readonly spent: Amounts }
> {
  const { at, seed, runId, timeZone, limits } = started
  let { state } = definition.start(started.input, { at, seed, runId, timeZone, limits })
  const spent: Record<string, number> = {}
  let seq = 0
  for (const entry of entries) {
    if (entry.type === 'resumed') addAmounts(spent, entry.charged)
    if (entry.type !== 'closed') continue
    addAmounts(spent, entry.spent)
    const asked = definition.next(state)
    const moved = definition.observe(state, entry.seen, { at: entry.at, spent, limits })
    yield {
      seq: entry.seq,
      asked: sameAsked(definition, asked, entry),
      entry,
      moved,
      spent: { ...spent },
    }
    state = moved.state
    seq = entry.seq + 1
  }
  return { state, seq, spent }
}

function sameAsked<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  asked: Effect | Finish<Result>,
  entry: Closed,
): Effect {
  if (asked.type !== 'finish' && (entry.digest === 0 || entry.digest === digestEffect(asked))) {
    return asked
  }
  throw new EchelonError(
    'JOURNAL_MISMATCH',
    `at step ${entry.seq} ${definition.name} now asks for something else than the journal holds; finish this run on the version that began it, or fork it before that step`,
    { details: { seq: entry.seq } },
  )
}

/** The entry that began a run, checked against the definition that is to carry it on. */
export function findStarted(
  definition: { readonly name: string; readonly version: number },
  entries: readonly Entry[],
): Started {
  const started = entries.find((entry) => entry.type === 'started')
  if (started === undefined) {
    throw new EchelonError('INVALID_INPUT', 'the journal holds no run of this id; check the id')
  }
  if (started.agent !== definition.name || started.version !== definition.version) {
    throw new EchelonError(
      'JOURNAL_MISMATCH',
      `the run was begun by ${started.agent} version ${started.version}, not by ${definition.name} version ${definition.version}; finish it on that version`,
    )
  }
  return started
}
