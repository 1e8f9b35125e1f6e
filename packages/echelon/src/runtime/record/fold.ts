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

/** One step of a run that is on record. */
export interface FoldedStep<State> {
  readonly seq: number
  /** What the definition asked, given the state before: its end, where the user spoke at the last moment. */
  readonly asked: Effect | Finish<unknown>
  readonly entry: Closed
  readonly moved: Moved<State>
  /** All that was spent up to and with this step. */
  readonly spent: Amounts
}

/**
 * A run as the fold of its entries: each step's observation goes through `observe` with the meter
 * that was read then. Nothing of the world is touched. A definition that now asks for something
 * else than the journal holds is refused at that step. Where its first entries are kept no more, it
 * begins with the snapshot in their place.
 * @returns the state after the last step on record
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
    // What a run that it began spent, it spent.
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

/** What a definition is told when it starts; a run within another has a name of its own. */
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
  // The user may speak when it is about to end.
  if (asked.type === 'finish' && entry.seen.type === 'heard') return asked
  if (asked.type !== 'finish' && (entry.digest === 0 || entry.digest === digestEffect(asked))) {
    return asked
  }
  throw mismatch(definition, entry.seq)
}

/** A run that had ended must end there again: else a resume would go on with it. */
function checkEnd<Result>(
  definition: Named,
  asked: Effect | Finish<Result>,
  entry: Ended,
  seq: number,
): void {
  if (asked.type !== 'finish' || asked.reason !== entry.reason) throw mismatch(definition, seq)
}

const mismatch = ({ name }: Named, seq: number): EchelonError =>
  new EchelonError(
    'JOURNAL_MISMATCH',
    `at step ${seq} ${name} now asks for something else than the journal holds; give it the same tools, instructions and options as when the run began, finish the run on the version that began it, or fork it before that step`,
    { details: { seq } },
  )

/** The entry that began a run, checked against the definition that is to carry it on. */
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
  // A state that was kept is one that a newer version loads.
  const isKnown = kept === undefined ? started.version === version : kept.version <= version
  if (started.agent === name && isKnown) return started
  const by = kept?.version ?? started.version
  throw new EchelonError(
    'JOURNAL_MISMATCH',
    `the run was begun by ${started.agent} version ${by}, not by ${name} version ${version}; finish it on that version`,
  )
}
