import { entriesIn } from '../../core/journal/condensed.ts'
import type { Ended, Entry, Resumed, Started } from '../../core/journal/journal.ts'
import type { SessionChange } from '../../core/store/session-store.ts'
import type { StateContainer, StateSlot } from '../../core/state/state.ts'
import { containerOf } from '../../core/state/state-container.ts'
import type { Branch } from '../branch.ts'
import type { RunEnd } from '../loop.ts'
import type { Tree } from '../tree.ts'
import type { TurnFinish } from '../turn.ts'

/** The parts of a `started` entry that the caller provides. */
export type Beginning = Pick<
  Started,
  'agent' | 'version' | 'input' | 'at' | 'seed' | 'session' | 'made'
>

const NO_SLOTS: readonly StateSlot[] = []
const NOT_TRACED: { readonly traceparent?: undefined } = {}

/** Records the start of a run. */
export function journalStart(branch: Branch, beginning: Beginning): void {
  const { tree, path, pipeline } = branch
  const { runId, caller } = tree
  if (tree.journal.records) {
    const { limits, timeZone } = tree.services
    const { agent, version, input, at, seed, session, made } = beginning
    const models = branch.bindModels()
    const started: Started = {
      type: 'started',
      path,
      runId,
      agent,
      version,
      input,
      at,
      seed,
      models,
      limits,
      timeZone,
    }
    const slots = pipeline?.slots ?? NO_SLOTS
    const { traceparent } = branch.trace ?? NOT_TRACED
    const isAll = slots.length === 0 && (session ?? caller ?? made ?? traceparent) === undefined
    if (path === '') tellOnceOnRecord(tree)
    tree.journal.push(
      isAll
        ? started
        : {
            ...started,
            ...(session && { session }),
            ...(caller !== undefined && { caller }),
            ...(made !== undefined && { made }),
            ...(traceparent !== undefined && { traceparent }),
            ...(slots.length > 0 && { states: containerOf(slots, branch.sessionStates()) }),
          },
    )
  }
  if (path === '' && tree.audience.hears('run-start'))
    tree.audience.tell({ type: 'run-start', runId, agent: beginning.agent })
}

/** Records all entries that a fork takes over, as the start of a separate run. */
export function journalFork(tree: Tree, entries: readonly Entry[]): void {
  tellOnceOnRecord(tree)
  for (const entry of entries) tree.journal.push(entry)
}

interface Resuming extends Pick<Resumed, 'charged'> {
  readonly states: StateContainer | undefined
  readonly isInterrupted: boolean
}

/** Records that this process continues the run. */
export function journalResume(
  { journal, clock, entries }: Tree,
  { charged, states, isInterrupted }: Resuming,
): void | Promise<void> {
  const at = clock.now()
  const resumed: Resumed = { type: 'resumed', charged, at, after: entriesIn(entries) }
  journal.push({
    ...resumed,
    ...(states && { states }),
    ...(isInterrupted && { interrupted: true }),
  })
  // What ended the last process may end this one before anything else is recorded.
  return isInterrupted ? journal.flush() : undefined
}

/** Holds events back until the run is recorded: on a full disk it never is, and could not be found. */
function tellOnceOnRecord({ audience, journal }: Pick<Tree, 'audience' | 'journal'>): void {
  if (!journal.records) return
  audience.hold()
  journal.whenOnRecord(() => audience.release())
}

/** Returns the session's change for a turn that ends. */
export type KeepTurn = (end: {
  readonly status: 'finished' | 'canceled'
  readonly at: number
}) => SessionChange | undefined

/**
 * Records the end of a run and makes it durable, synchronously if the journal is.
 */
export function journalEnd<Result>(
  branch: Branch,
  finish: TurnFinish<Result>,
  keep?: KeepTurn,
): RunEnd<Result> | Promise<RunEnd<Result>> {
  const { tree, path, pipeline } = branch
  const turn = pipeline?.turn
  const { reason, result, text } = finish
  const status = tree.isCanceled ? 'canceled' : 'finished'
  const end: RunEnd<Result> = { status, reason, result }
  if (!tree.journal.records) {
    branch.takeStates()
    return tellEnd(branch, end)
  }
  // Only with middleware can there be a wait between the last step and the end.
  const at = (turn === undefined ? branch.closedAt : undefined) ?? tree.clock.now()
  const ended: Ended = { type: 'ended', path, status, reason, at }
  const { states } = branch.takeStates()
  tree.journal.push(
    states === undefined && text === undefined
      ? ended
      : { ...ended, ...(states && { states }), ...(text !== undefined && { text }) },
  )
  const session = keep?.({ status, at })
  if (session !== undefined) tree.journal.beside({ session })
  const flushing = tree.journal.flush()
  return flushing instanceof Promise
    ? flushing.then(() => tellEnd(branch, end))
    : tellEnd(branch, end)
}

function tellEnd<Result>({ tree, path }: Branch, end: RunEnd<Result>): RunEnd<Result> {
  if (path !== '') return end
  const { status, reason } = end
  tree.ledger.close()
  if (tree.audience.hears('run-end'))
    tree.audience.tell({ type: 'run-end', status, reason, spent: tree.ledger.snapshot() })
  return end
}
