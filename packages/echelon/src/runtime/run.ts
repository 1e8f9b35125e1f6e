import type { AgentDefinition } from '../core/agent/agent.ts'
import type { Amounts } from '../core/agent/budget.ts'
import { EchelonError } from '../core/value/error.ts'
import type { RunEvent } from '../core/agent/event.ts'
import type { Finish } from '../core/agent/effect.ts'
import type { Leaving, Started } from '../core/journal/journal.ts'
import type { Json } from '../core/value/json.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import type { Immutable } from '../core/extension/middleware.ts'
import type { Redactor } from '../core/redaction/redaction.ts'
import type { SessionChange } from '../core/store/session-store.ts'
import { containerOf } from '../core/state/state-container.ts'
import type { StateContainer } from '../core/state/state.ts'
import { NOTHING_SAID, type Thread } from '../core/message/thread.ts'
import type { TraceContext } from '../core/observability/tracing.ts'
import { Branch } from './branch.ts'
import { untilCanceled } from './model/cut-short.ts'
import { loadStates } from './carry-on.ts'
import { startContext } from './journal/fold.ts'
import { runChild } from './child-run.ts'
import { drive, type RunEnd } from './loop.ts'
import { permitTurn } from './people/permit.ts'
import { type KeepTurn, journalEnd, journalStart } from './journal/journal-run.ts'
import { RunEvents } from './run-events.ts'
import type { Services } from './services.ts'
import { beginTrace, traced } from './model/traced.ts'
import { Tree } from './tree.ts'
import { throughTurn, type TurnFinish } from './turn.ts'
import type { Left, Suspend } from './waits.ts'

export interface RunOptions {
  /** Default: a new UUID of the `ids` port. */
  readonly runId?: string
  /** Seed for jitter, and for sampling if a definition passes it on. Default 1. */
  readonly seed?: number
  /** Aborting it cancels the run. */
  readonly signal?: AbortSignal
  /** The user or tenant on whose behalf it works. Permissions and caches may depend on it. */
  readonly caller?: string
  /**
   * W3C `traceparent` header of the caller, whose trace the run joins. An invalid one is ignored.
   * Default: the span that is active when the run starts.
   */
  readonly traceparent?: string | undefined
  /** The `tracestate` header that belongs to `traceparent`. */
  readonly tracestate?: string | undefined
  /** The session that it is a turn of. */
  readonly session?: SessionView
  /** Awaited before the run begins. If it throws, `result` rejects with that error. */
  readonly prepare?: () => Promise<void>
  /**
   * Data for rebuilding its agent in another process, such as the options of a command. It is stored
   * with the run, and the runtime does not read it. Do not put keys here.
   */
  readonly made?: Json
  /** When to suspend the run while it only waits. Overrides the setting of the services. */
  readonly suspend?: Suspend
}

/** A session as a run sees it. */
export interface SessionView {
  readonly id: string
  readonly history: Thread
  readonly states?: StateContainer
  /** Number of messages in its store, if it has one. Some of them may have been undone. */
  readonly kept?: number
  /** Awaited before a turn begins. Throws if the session can't be continued. */
  readonly ready?: () => Promise<void>
  /**
   * Called when the turn ends. Returns the change to write with the append that ends the run, or
   * `undefined` for a session that is only in memory.
   * @param state the agent's last state
   */
  readonly keep?: (state: unknown, end: KeptTurn) => SessionChange | undefined
}

/** How a turn ended, as its session stores it. */
export interface KeptTurn {
  readonly status: 'finished' | 'canceled'
  readonly at: number
  /** States of the middleware with the scope `session`. */
  readonly states: StateContainer
}

/** Starts a run. It makes progress whether or not its events are read. */
export function startRun<Input extends Json, State, Result>(
  definition: AgentDefinition<Input, State, Result>,
  input: Input,
  services: Services,
  options: RunOptions = NO_OPTIONS,
): Run<Result, State> {
  const { runId = services.ids.next(), seed = 1, session, caller, prepare, made, suspend } = options
  const tree = new Tree(services, { runId, seed, caller, suspend })
  const { pipeline, limits, timeZone } = services
  const branch = new Branch(tree, {
    path: '',
    agent: definition.name,
    services,
    delegate: runChild,
    session: session?.id,
  })
  const history = session?.history ?? NOTHING_SAID
  const at = tree.clock.now()
  const context = startContext({ at, seed, runId, timeZone, limits, path: '' }, history)
  const initial = definition.start(input, context)
  const begin = (publish: (state: State) => void, given = input): Promise<Finish<Result>> => {
    const { name: agent, version } = definition
    const { state, notes } = given === input ? initial : definition.start(given, context)
    const known = session === undefined ? undefined : sessionOf(session, tree)
    journalStart(branch, {
      agent,
      version,
      input: given,
      at,
      seed,
      ...(known && { session: known }),
      ...(made !== undefined && { made }),
    })
    branch.emitNotes(-1, at, notes)
    return drive(branch, definition, { state, seq: 0 }, publish)
  }
  const prepared = async (publish: (state: State) => void): Promise<TurnFinish<Result>> => {
    if (prepare !== undefined) await untilCanceled(tree, prepare())
    // A cancel does not cut this short: a turn that may not begin must not be recorded as ended.
    if (session?.ready !== undefined) await session.ready()
    if (session !== undefined) loadStates(branch, session.states)
    if (pipeline?.permit !== undefined) await permitTurn(branch, definition.name)
    // A cancel may have skipped loading and permission; the run now only ends.
    if (tree.isCanceled) return begin(publish)
    return throughTurn(branch, definition, { input, history }, (given) => begin(publish, given))
  }
  const isPlain = (prepare ?? session ?? pipeline?.permit ?? pipeline?.turn) === undefined
  if (services.tracing !== undefined) beginTrace(branch, definition.name, callerOf(options))
  const { signal } = options
  const work = isPlain ? begin : prepared
  return new Run(branch, { initial: initial.state, work, signal, keep: session?.keep })
}

const NO_OPTIONS: RunOptions = {}

/** Returns the caller's trace context, if it was given. */
export const callerOf = ({
  traceparent,
  tracestate,
}: Pick<RunOptions, 'traceparent' | 'tracestate'>): {
  readonly parent: TraceContext | undefined
} => ({ parent: traceparent === undefined ? undefined : { traceparent, tracestate } })

/** Returns the journal's reference to a session: its id, and its length when the run started. */
function sessionOf(
  { id, history, kept }: SessionView,
  { journal }: Tree,
): NonNullable<Started['session']> {
  const digest = journal.digests ? history.digest : 0
  return { id, length: history.length, digest, ...(kept !== undefined && { kept }) }
}

/** The work of a run. `publish` makes each state visible before it is acted on. */
interface RunWork<Result, State> {
  readonly initial: State
  readonly work: (publish: (state: State) => void) => Promise<TurnFinish<Result>>
  readonly signal: AbortSignal | undefined
  readonly keep: SessionView['keep'] | undefined
  /** For a fork: what the original run had spent up to the fork. */
  readonly inherited?: Amounts
}

/**
 * A handle to a run: iterate it for events, await `result`, `cancel` it, `respond` to its requests.
 */
export class Run<Result, State = unknown> implements AsyncIterable<RunEvent> {
  readonly id: string
  /**
   * How the run ended. Rejects only when the journal failed, a rule forbids the turn, the program
   * has a bug, or the run was suspended (RUN_SUSPENDED). The agent handles all other failures.
   */
  readonly result: Promise<RunEnd<Result>>
  readonly #branch: Branch
  readonly #inherited: Amounts
  #state: State

  constructor(
    branch: Branch,
    { initial, work, signal, keep, inherited = NOTHING }: RunWork<Result, State>,
  ) {
    this.#branch = branch
    this.#inherited = inherited
    this.#state = initial
    this.id = branch.tree.runId
    const publish = (state: State): void => {
      this.#state = state
    }
    // A rejected `result` that is not awaited must not end the program.
    const onFailure = (): void => void this.result.catch(ignore)
    const kept =
      keep &&
      ((end: Omit<KeptTurn, 'states'>) => keep(this.#state, { ...end, states: this.states }))
    this.result = live(branch, work, { publish, signal, onFailure, kept })
  }

  /** Hides secrets and personal data, as in the run's events. */
  get redact(): Redactor {
    return this.#branch.tree.redact
  }

  /** The agent's state after the last step. */
  get state(): State {
    return this.#state
  }

  /** Amounts spent so far, by counter. */
  get spent(): Amounts {
    return { ...this.#branch.tree.ledger.spent }
  }

  /** `spent` without the amounts that a fork inherits from its original run. */
  get ownSpent(): Amounts {
    const own = Object.entries(this.spent).map(([counter, amount]) => [
      counter,
      Math.max(0, amount - (this.#inherited[counter] ?? 0)),
    ])
    return Object.fromEntries(own)
  }

  /** Ids of the requests that wait for `respond`. */
  get requests(): readonly string[] {
    return this.#branch.tree.requests.open
  }

  /** States of the run's middleware with the scope `session`. */
  get states(): StateContainer {
    const slots = this.#branch.pipeline?.slots ?? []
    return containerOf(slots, this.#branch.sessionStates(), 'session')
  }

  /** Returns the current state of a middleware. */
  stateOf<State>({ name, read }: Middleware<string, State>): Immutable<State> {
    if (read !== undefined) return read(this.#branch)
    throw new EchelonError('INVALID_DEFINITION', `the middleware ${name} declares no state`)
  }

  /** Stops work now; the run ends with what it has. An answer that is being streamed is dropped. */
  cancel(by: 'user' | 'shutdown' = 'user'): void {
    this.#branch.tree.cancel(by)
  }

  /**
   * Suspends the run as soon as it only waits, at the latest between two steps: `result` rejects with
   * RUN_SUSPENDED, and any process can resume it. A run that ends first ends normally. During a
   * question of a tool, the run waits for the answer first.
   * @throws EchelonError INVALID_CONFIG for a run without a journal
   */
  suspend(): void {
    const { journal, waits } = this.#branch.tree
    if (!journal.records) throw notOnRecord(this.id)
    waits.want()
  }

  /**
   * Sends user input to a working run. It is delivered between two steps, or before the run ends.
   * @throws EchelonError INVALID_INPUT when it has ended or was canceled
   */
  hear(text: string): void {
    if (this.#branch.tree.hear(text)) return
    throw new EchelonError(
      'INVALID_INPUT',
      `the run ${this.id} has ended and takes no more input; send it in the next turn`,
    )
  }

  /**
   * Answers a request of this run.
   * @throws EchelonError UNKNOWN_REQUEST if the request is not open; INVALID_INPUT for an invalid
   *   reply
   */
  respond(request: string, reply: Json): void {
    const { requests, journal, clock } = this.#branch.tree
    const record = (): void => journal.push({ type: 'replied', request, reply, at: clock.now() })
    if (requests.answer(request, reply, record)) return
    throw new EchelonError(
      'UNKNOWN_REQUEST',
      `run ${this.id} does not wait for a reply to ${request}; answer one of its open requests`,
      { details: { open: [...this.requests] } },
    )
  }

  /** Iterates over events from now on. Ends with the run, and throws what `result` rejects with. */
  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void, undefined> {
    return new RunEvents(this.#branch.tree.audience, this.result)
  }
}

const NOTHING: Amounts = {}

interface Life<State> {
  readonly publish: (state: State) => void
  readonly signal: AbortSignal | undefined
  readonly onFailure: () => void
  readonly kept: KeepTurn | undefined
}

async function live<Result, State>(
  branch: Branch,
  work: RunWork<Result, State>['work'],
  { publish, signal, onFailure, kept }: Life<State>,
): Promise<RunEnd<Result>> {
  const { tree } = branch
  const unfollow = signal && cancelOn(signal, tree)
  // Begins in a microtask, so that a listener attached in the same tick misses nothing.
  await Promise.resolve()
  try {
    if (branch.trace !== undefined) {
      return await traced(branch.trace, async () => journalEnd(branch, await work(publish), kept))
    }
    const ending = journalEnd(branch, await work(publish), kept)
    return ending instanceof Promise ? await ending : ending
  } catch (error) {
    onFailure()
    const { left } = tree.waits
    // The cause is the suspension, whatever error it was turned into on the way.
    if (left !== undefined) throw suspended(tree, left)
    // Stop work that still runs in parallel to the failed part.
    tree.cancel('shutdown')
    throw error
  } finally {
    unfollow?.()
    tree.journal.leave(leavingOf(tree.waits.left))
  }
}

function suspended(tree: Tree, { error, requests, wakeAt }: Left): EchelonError {
  if (tree.audience.hears('run-suspended'))
    tree.audience.tell({ type: 'run-suspended', requests, wakeAt })
  return error
}

function leavingOf(left: Left | undefined): Leaving {
  if (left === undefined) return { type: 'over' }
  return left.wakeAt === null ? { type: 'suspended' } : { type: 'suspended', wakeAt: left.wakeAt }
}

const notOnRecord = (run: string): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `the run ${run} has no journal to resume it from; give its agent one`,
  )

/** Cancels the run when the signal aborts. @returns stops listening */
function cancelOn(signal: AbortSignal, tree: Tree): () => void {
  const onAbort = (): void => tree.cancel('user')
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}

const ignore = (): undefined => undefined
