import type { AgentDefinition } from '../core/agent/agent.ts'
import { droppedIn, entriesIn } from '../core/journal/condensed.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Ended, Entry, Started } from '../core/journal/journal.ts'
import type { Json } from '../core/value/json.ts'
import { NOTHING_SAID, type Thread } from '../core/message/thread.ts'
import { recordedStates } from '../core/journal/journaled-states.ts'
import { loadStates, restore } from './carry-on.ts'
import { runChild } from './child-run.ts'
import { untilCanceled } from './model/cut-short.ts'
import { refuseHopeless } from './give-up.ts'
import { findStarted } from './journal/fold.ts'
import { ForkedWorld } from './journal/forked-world.ts'
import { inheritedBy, openHolds, spentSoFar } from './journal/journaled-spending.ts'
import { drive } from './loop.ts'
import { permitTurn } from './people/permit.ts'
import { journalFork, journalResume } from './journal/journal-run.ts'
import { callerOf, Run, type RunOptions, type SessionView } from './run.ts'
import type { Services } from './services.ts'
import { beginTrace } from './model/traced.ts'
import { Tree } from './tree.ts'
import { throughTurn, type TurnFinish, withText } from './turn.ts'

export interface ResumeOptions extends Pick<RunOptions, 'traceparent' | 'tracestate' | 'suspend'> {
  readonly services: Services
  readonly signal?: AbortSignal
  /** The session that the run is a turn of: the journal does not repeat its earlier messages. */
  readonly session?: SessionView
  /** Awaited before the run continues. If it throws, `result` rejects with that error. */
  readonly prepare?: () => Promise<void>
}

/**
 * Resumes a run from its journal, in any process. It folds the recorded steps, charges open attempts
 * at their reserved amount (in an entry, so that they stay charged), and continues the loop. A run
 * that had ended returns its end again and performs nothing.
 */
export function resumeRun<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  entries: readonly Entry[],
  options: ResumeOptions,
): Run<Result, State> {
  return goOn(definition, entries, options)
}

interface ContinueOptions extends ResumeOptions {
  /** Entries of the original run of a new fork, which has no entries of its own yet. */
  readonly forked?: readonly Entry[]
}

/** Continues a run from its entries, whether they are recorded already or will be (a new fork). */
export function goOn<State, Result>(
  definition: AgentDefinition<Json, State, Result>,
  entries: readonly Entry[],
  options: ContinueOptions,
): Run<Result, State> {
  const started = findStarted(definition, entries)
  const history = historyOf(started, options.session)
  const charged = openHolds(entries)
  const ended = entries.find((entry) => entry.type === 'ended' && entry.path === '')
  const end = ended?.type === 'ended' ? ended : undefined
  const { forked } = options
  const isForked = end === undefined && started.forkedFrom !== undefined
  const world = isForked ? new ForkedWorld(options.services, started.forkedFrom) : undefined
  const services = servicesOf(started, end, world?.services ?? options.services)
  const tree = new Tree(services, {
    runId: started.runId,
    seed: started.seed + stepsOnRecord(entries),
    caller: started.caller,
    spent: spentSoFar(entries, charged),
    entries,
    read: forked === undefined ? entriesIn(entries) : 0,
    suspend: options.suspend,
  })
  const { name: agent } = definition
  const parts = { path: '', agent, services, delegate: runChild, session: started.session?.id }
  const { branch, position } = restore(tree, definition, parts, history)
  cancelAgain(tree, entries, end)
  if (end !== undefined) tree.closeInput()
  const work = async (publish: (state: State) => void): Promise<TurnFinish<Result>> => {
    const resuming = { definition, position, charged, end }
    const isInterrupted = forked === undefined && (await refuseHopeless(branch, resuming))
    if (options.prepare !== undefined) await untilCanceled(tree, options.prepare())
    if (world !== undefined) {
      const original = forked ?? (await originalOf(started, options.services))
      world.load(definition, { entries, original, history })
      if (forked !== undefined) world.checkAct()
    }
    const states = loadStates(branch, recordedStates(entries))
    // The caller may have lost permission since. A run that has ended needs none.
    const asks = end === undefined && branch.pipeline?.permit !== undefined
    if (asks) await permitTurn(branch, definition.name)
    if (forked === undefined) await journalResume(tree, { charged, states, isInterrupted })
    else journalFork(tree, entries)
    const drives = (): ReturnType<typeof drive<Json, State, Result>> =>
      drive(branch, definition, position, publish)
    if (end !== undefined) return withText(definition, await drives(), end.text)
    const given = { input: started.input, history }
    return throughTurn(branch, definition, given, drives)
  }
  if (services.tracing !== undefined && end === undefined) {
    const { traceparent: earlier } = started
    beginTrace(branch, definition.name, { ...callerOf(options), earlier })
  }
  const { signal, session } = options
  // A turn that had ended is already in its session; a fork is not a turn of a session.
  const keep = end === undefined && started.session !== undefined ? session?.keep : undefined
  const inherited = inheritedBy(started, entries)
  return new Run(branch, { initial: position.state, work, signal, keep, inherited })
}

/** Returns the recorded entries of a fork's original run; `undefined` if it was deleted. */
async function originalOf(
  { forkedFrom }: Started,
  { journal }: Services,
): Promise<readonly Entry[]> {
  return forkedFrom === undefined ? [] : ((await journal?.read(forkedFrom.run)) ?? [])
}

/** Offsets the seed, so that a resumed run does not draw the same random numbers again. */
const stepsOnRecord = (entries: readonly Entry[]): number =>
  entries.filter(({ type }) => type === 'closed').length + (droppedIn(entries)?.snapshot.seq ?? 0)

/** Returns the session's messages from before the run, as far as the run knew them. */
function historyOf({ session: own, forkedFrom }: Started, given: SessionView | undefined): Thread {
  const session = own ?? forkedFrom?.session
  // Knowing a run's id must not be enough to take it into another session.
  if (given !== undefined && given.id !== session?.id) throw otherSession(session)
  if (session === undefined || session.length === 0) return NOTHING_SAID
  const history = given?.history.upTo(session.length)
  const isSame =
    history?.length === session.length &&
    (session.digest === 0 || history.digest === session.digest)
  if (history !== undefined && isSame) return history
  throw otherSession(session)
}

function otherSession(session: Started['session']): EchelonError {
  if (session === undefined) {
    return new EchelonError(
      'INVALID_INPUT',
      'the run is not a turn of a conversation; resume it without a session',
    )
  }
  const { id, length } = session
  return new EchelonError(
    'INVALID_INPUT',
    `the run is a turn of the conversation ${id}, after ${length} messages; resume it with that session as it was then`,
    { details: { session: id, length } },
  )
}

function cancelAgain(tree: Tree, entries: readonly Entry[], ended: Ended | undefined): void {
  const last = entries.findLast((entry) => entry.type === 'closed' && entry.path === '')
  const seen = last?.type === 'closed' ? last.seen : undefined
  if (seen?.type === 'canceled') tree.cancel(seen.by)
  else if (ended?.status === 'canceled') tree.cancel('user')
  else if (ended === undefined) {
    const asked = entries.find((entry) => entry.type === 'cancel-asked')
    if (asked?.type === 'cancel-asked') tree.cancel(asked.by)
  }
}

/** Returns the services with the run's recorded limits; without a journal for a run that ended. */
function servicesOf(
  { limits, timeZone }: Started,
  ended: Ended | undefined,
  given: Services,
): Services {
  const { journal, ...rest } = { ...given, limits, timeZone }
  return ended !== undefined || journal === undefined ? rest : { ...rest, journal }
}
