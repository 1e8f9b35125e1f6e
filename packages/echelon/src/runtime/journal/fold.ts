import type { AgentDefinition, Moved, StartContext } from '../../core/agent/agent.ts'
import { addAmounts, type Amounts } from '../../core/agent/budget.ts'
import { droppedIn } from '../../core/journal/condensed.ts'
import { digestEffect } from '../../core/agent/effect-digest.ts'
import type { Effect, Finish } from '../../core/agent/effect.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Closed, Ended, Entry, Path, Started } from '../../core/journal/journal.ts'
import type { Json } from '../../core/value/json.ts'
import { NOTHING_SAID, type Thread } from '../../core/message/thread.ts'

type Named = Pick<AgentDefinition<Json, unknown, unknown>, 'name'>

/** A recorded step of a run. */
export interface FoldedStep<State> {
  readonly seq: number
  /** The effect for the state before; the finish, if user input came just before the end. */
  readonly asked: Effect | Finish<unknown>
  readonly entry: Closed
  readonly moved: Moved<State>
  /** Total spending up to and including this step. */
  readonly spent: Amounts
}

/**
 * Folds the entries of a run: passes each step's observation to `observe` with the recorded meter.
 * It performs no effects. A definition that now asks for something other than the journal holds is
 * refused at that step. If the first entries were deleted, it begins with the snapshot in their place.
 * @returns the state after the last recorded step
 */
export function* foldRun<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  started: Started,
  entries: readonly Entry[],
  history: Thread = NOTHING_SAID,
): Generator<
  FoldedStep<State>,
  { readonly state: State; readonly seq: number; readonly spent: Amounts }
> {
  const { path, limits } = started
  const kept = path === '' ? droppedIn(entries)?.snapshot : undefined
  let state =
    kept === undefined
      ? definition.start(started.input, startContext(started, history)).state
      : definition.load(kept.state)
  const spent: Record<string, number> = {}
  let seq = kept?.seq ?? 0
  for (const entry of entries) {
    if (entry.type === 'dropped') Object.assign(spent, entry.snapshot.spent)
    if (entry.type === 'resumed') addAmounts(spent, entry.charged)
    // Spending of child runs counts as the run's own.
    if (entry.type === 'closed') Object.assign(spent, entry.spent)
    if (!('path' in entry) || entry.path !== path) continue
    if (entry.type === 'ended') checkEnd(definition, definition.next(state), entry, seq)
    if (entry.type !== 'closed') continue
    const asked = sameAsked(definition, definition.next(state), entry)
    const meter = { at: entry.at, spent: { ...spent }, limits }
    const moved = definition.observe(state, entry.seen, meter)
    yield { seq: entry.seq, asked, entry, moved, spent: meter.spent }
    state = moved.state
    seq = entry.seq + 1
  }
  return { state, seq, spent }
}

/** Returns the context for `start`; a child run gets an id of its own. */
export function startContext(
  {
    at,
    seed,
    runId,
    timeZone,
    limits,
    path,
  }: Omit<Started, 'type' | 'agent' | 'version' | 'models' | 'input'>,
  history: Thread = NOTHING_SAID,
): StartContext {
  return { at, seed, runId: path === '' ? runId : `${runId}:${path}`, timeZone, limits, history }
}

function sameAsked<Result>(
  definition: Named,
  asked: Effect | Finish<Result>,
  entry: Closed,
): Effect | Finish<Result> {
  // User input may come just before the end.
  if (asked.type === 'finish' && entry.seen.type === 'heard') return asked
  if (asked.type !== 'finish' && (entry.digest === 0 || entry.digest === digestEffect(asked))) {
    return asked
  }
  throw mismatch(definition, entry.seq)
}

/**
 * Checks that a run that had ended ends there again: otherwise a resume would continue it. A run that was given up
 * ended where its definition did not.
 */
function checkEnd<Result>(
  definition: Named,
  asked: Effect | Finish<Result>,
  entry: Ended,
  seq: number,
): void {
  if (entry.status === 'failed') return
  if (asked.type !== 'finish' || asked.reason !== entry.reason) throw mismatch(definition, seq)
}

const mismatch = ({ name }: Named, seq: number): EchelonError =>
  new EchelonError(
    'JOURNAL_MISMATCH',
    `at step ${seq} ${name} now asks for something other than the journal holds; give it the same tools, instructions and options as when the run began, finish the run on the version that began it, or fork it before that step`,
    { details: { seq } },
  )

/** Returns the `started` entry of a run, checked against the definition that continues it. */
export function findStarted(
  definition: { readonly name: string; readonly version: number },
  entries: readonly Entry[],
  path: Path = '',
): Started {
  const started = entries.find((entry) => entry.type === 'started' && entry.path === path)
  if (started?.type !== 'started') {
    throw new EchelonError('UNKNOWN_RUN', 'the journal holds no run of this id; check the id')
  }
  const { name, version } = definition
  const kept = path === '' ? droppedIn(entries)?.snapshot : undefined
  // A newer version can load the state of a snapshot.
  const isKnown = kept === undefined ? started.version === version : kept.version <= version
  if (started.agent === name && isKnown) return started
  const by = kept?.version ?? started.version
  throw new EchelonError(
    'JOURNAL_MISMATCH',
    `the run was begun by ${started.agent} version ${by}, not by ${name} version ${version}; finish it on that version`,
  )
}
