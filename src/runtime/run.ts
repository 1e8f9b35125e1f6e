import type { AgentDefinition } from '../core/agent.ts'
import type { Amounts } from '../core/budget.ts'
import { EchelonError } from '../core/error.ts'
import type { RunEvent } from '../core/event.ts'
import type { Json } from '../core/json.ts'
import type { Immutable, Layer } from '../core/middleware.ts'
import { CONTAINER_VERSION, type StateContainer } from '../core/state.ts'
import { NOTHING_SAID, type Thread } from '../core/thread.ts'
import { drive, type RunEnd } from './loop.ts'
import type { Services } from './services.ts'
import { Tree } from './tree.ts'

export interface RunOptions {
  /** Default: a new UUID of the `ids` port. */
  readonly runId?: string
  /** Drives jitter, and sampling where a definition passes it on. Default 1. */
  readonly seed?: number
  /** Aborting it cancels the run. */
  readonly signal?: AbortSignal
  /** On whose behalf it works; permissions and caches may go by it. */
  readonly caller?: string
  /** The conversation that it is a turn of. */
  readonly session?: SessionView
  /** Awaited before the run begins; what it throws, `result` rejects with. */
  readonly prepare?: () => Promise<void>
}

/** A conversation as a run finds it. */
export interface SessionView {
  readonly id: string
  readonly history: Thread
  readonly states?: StateContainer
}

/** Begins a run. It works whether or not anybody watches. */
export function startRun<Input extends Json, State, Result>(
  definition: AgentDefinition<Input, State, Result>,
  input: Input,
  services: Services,
  options: RunOptions = {},
): Run<Result, State> {
  const { runId = services.ids.next(), seed = 1, signal, session, prepare } = options
  const { limits, timeZone, clock } = services
  const tree = new Tree(services, { runId, seed })
  const at = clock.now()
  const moved = definition.start(input, {
    at,
    seed,
    runId,
    timeZone,
    limits,
    history: session?.history ?? NOTHING_SAID,
  })
  const work = async (publish: (state: State) => void): Promise<RunEnd<Result>> => {
    if (prepare !== undefined) await prepare()
    recordStart(tree, definition, { input, at, seed })
    tree.emitNotes(-1, at, moved.notes)
    return drive(tree, definition, { state: moved.state, seq: 0 }, publish)
  }
  return new Run(tree, { initial: moved.state, work, signal, states: session?.states })
}

function recordStart(
  tree: Tree,
  { name: agent, version }: { readonly name: string; readonly version: number },
  given: { readonly input: Json; readonly at: number; readonly seed: number },
): void {
  const { services, runId } = tree
  const { limits, timeZone } = services
  const models = Object.fromEntries(
    Object.entries(services.models).map(([role, { id }]) => [role, id]),
  )
  const what = { agent, version, models, limits, timeZone, ...given }
  tree.journal.push({ type: 'started', path: '', runId, ...what })
  if (tree.audience.hears('run-start')) tree.audience.tell({ type: 'run-start', runId, agent })
}

/** How a run comes to its end; `publish` makes each state known before it is acted on. */
interface RunWork<Result, State> {
  readonly initial: State
  readonly work: (publish: (state: State) => void) => Promise<RunEnd<Result>>
  readonly signal?: AbortSignal | undefined
  readonly states?: StateContainer | undefined
}

const NO_STATES: StateContainer = {
  states: {},
  schemaSignature: '',
  schemaVersion: CONTAINER_VERSION,
  stateVersions: {},
}

/**
 * A run under way, as its caller holds it: iterate it for events, await `result`, `cancel` it,
 * `respond` to what it asks.
 */
export class Run<Result, State = unknown> implements AsyncIterable<RunEvent> {
  readonly id: string
  /**
   * How the run ended. Rejects only when the journal failed or the definition has a mistake; what
   * goes wrong in the world is for the agent to decide on.
   */
  readonly result: Promise<RunEnd<Result>>
  readonly #tree: Tree
  #state: State
  readonly #states: StateContainer

  constructor(tree: Tree, { initial, work, signal, states }: RunWork<Result, State>) {
    this.#states = states ?? NO_STATES
    this.#tree = tree
    this.#state = initial
    this.id = tree.runId
    const onAbort = (): void => this.cancel()
    if (signal?.aborted === true) this.cancel()
    else signal?.addEventListener('abort', onAbort, { once: true })
    // Begins in a microtask, so that a listener attached in the same tick misses nothing.
    this.result = Promise.resolve()
      .then(() => work((state) => (this.#state = state)))
      .catch((error: unknown) => {
        // What still works beside the part that failed is stopped too.
        this.cancel('shutdown')
        throw error
      })
      .finally(() => signal?.removeEventListener('abort', onAbort))
    this.result.catch(() => undefined)
  }

  /** The agent's state after the last step. */
  get state(): State {
    return this.#state
  }

  /** The states of the conversation as they stand. */
  get states(): StateContainer {
    return this.#states
  }

  /** The state of a middleware as it stands; nothing for one that keeps none. */
  stateOf<Kept>(_layer: Layer<string, Kept>): Immutable<Kept> | undefined {
    return undefined
  }

  /** What was spent so far, by counter. */
  get spent(): Amounts {
    return { ...this.#tree.ledger.spent }
  }

  /** Requests that wait for `respond`. */
  get requests(): readonly string[] {
    return this.#tree.openRequests
  }

  /** Stops work now; the run ends with what there is. */
  cancel(by: 'user' | 'shutdown' = 'user'): void {
    this.#tree.cancel(by)
  }

  /** Says something to a working run; it hears it between two steps. */
  hear(text: string): void {
    this.#tree.hear(text)
  }

  /** Answers a request of this run. */
  respond(request: string, reply: Json): void {
    if (!this.#tree.respond(request, reply)) {
      throw new EchelonError(
        'UNKNOWN_REQUEST',
        `run ${this.id} does not wait for a reply to ${request}; answer one of its open requests`,
        { details: { open: [...this.requests] } },
      )
    }
  }

  /** Events from now on, in order; ends with the run and throws what `result` rejects with. */
  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined> {
    const queue: RunEvent[] = []
    const run = { ended: false }
    let wake: () => void = () => undefined
    const end = (): void => {
      run.ended = true
      wake()
    }
    this.result.then(end, end)
    const stopListening = this.#tree.audience.listen((event) => {
      queue.push(event)
      wake()
    })
    try {
      while (!run.ended || queue.length > 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        if (queue.length === 0) await promise
        yield* queue.splice(0)
      }
      await this.result
    } finally {
      stopListening()
    }
  }
}
