import { EchelonError } from '../../core/value/error.ts'
import type { Entry, Started } from '../../core/journal/journal.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { AnyDefinition, StateHolder } from '../../core/agent/state-holder.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { Message } from '../../core/message/thread.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { findStarted } from '../../runtime/journal/fold.ts'
import { forkRun, type ForkRunOptions } from '../../runtime/journal/fork-run.ts'
import { readRun } from '../../runtime/journal/read-run.ts'
import { resumeRun } from '../../runtime/resume.ts'
import { type RunOptions, startRun } from '../../runtime/run.ts'
import type { AgentParts, AgentPlan, StatesOf } from './agent-options.ts'
import { agentTool, type AgentToolOptions } from './agent-tool.ts'
import { withMiddlewareTools } from './middleware-tools.ts'
import { MAIN, wholeNumber } from './chat-settings.ts'
import { ChatEngine, DEFAULT_NAME, type RunDifferences } from './chat-engine.ts'
import { type ChatInput, type ChatTurn, inputOf, wordsIn } from './input/chat-input.ts'
import { ChatRun } from './chat-run.ts'
import { checkInputLength } from './input/input-length.ts'
import { isText } from './input/message-check.ts'
import type { ModelChoice } from './model-binding.ts'
import { openSession, type OpenSessionOptions, storeOf } from './session/open-session.ts'
import { restoredSession, type RestoreOptions } from './session/session-checkpoint.ts'
import { Session } from './session/session.ts'

type Middlewares = readonly Middleware[]

/** The options of one run. */
export interface ChatRunOptions<Use extends Middlewares = Middlewares>
  extends
    Omit<RunDifferences, 'output'>,
    Pick<
      RunOptions,
      'runId' | 'seed' | 'signal' | 'caller' | 'made' | 'suspend' | 'traceparent' | 'tracestate'
    > {
  /** The conversation that the run is a turn of. Default: a new one that is not kept. */
  readonly session?: Session
  /** Additional middleware, inside the agent's. */
  readonly use?: Use
  /** Replaces the agent's. */
  readonly instructions?: string
  /** Replaces the agent's. */
  readonly maxIterations?: number
}

/** Requests an object as the answer of one run. */
export interface OutputOption<Output = unknown> {
  /** The schema of the answer; replaces the agent's. */
  readonly output: Schema<Output>
}

/** Options to resume a run; repeat those that the run started with. */
export interface ChatResumeOptions<Use extends Middlewares = Middlewares> extends Pick<
  ChatRunOptions<Use>,
  | 'session'
  | 'tools'
  | 'use'
  | 'configureOptions'
  | 'signal'
  | 'suspend'
  | 'traceparent'
  | 'tracestate'
> {}

/** The step to fork a run at, and what the fork may do again. */
export interface ChatForkOptions<Use extends Middlewares = Middlewares>
  extends ChatResumeOptions<Use>, Pick<ForkRunOptions, 'at' | 'act' | 'memories'> {
  /** The id of the fork. Default: a new UUID. */
  readonly as?: string
  /** Another model from there on, as `provider/model`. Default: the one that the run had. */
  readonly model?: string
}

/**
 * An agent: a model, its tools and its settings. It is immutable except for the current model
 * (`switchProvider`).
 *
 * **Concurrency.** One agent serves any number of runs at the same time: they share only the model and
 * states of the scope `shared`. A session takes one turn at a time and refuses a second one; different
 * sessions run in parallel. A run can have any number of listeners and awaiters. Tools, middleware,
 * journals and registries belong to their creators and are called by several runs at once.
 */
export class Agent<States = unknown, Output = unknown> implements StateHolder {
  readonly #plan: AgentPlan
  readonly #parts: AgentParts
  #engine: ChatEngine | undefined

  /** @throws EchelonError INVALID_CONFIG for an invalid option, tool or middleware */
  constructor(plan: AgentPlan, parts: AgentParts) {
    this.#plan = plan
    this.#parts = parts
    Object.freeze(this)
  }

  get name(): string {
    return this.#plan.name ?? DEFAULT_NAME
  }

  /** The definition of its runs, except runs with their own tools. */
  get definition(): AnyDefinition {
    return this.#ready().world.definition
  }

  /** Its middleware, against which stored states are checked. */
  get middlewares(): Middlewares {
    return this.#ready().world.middlewares
  }

  /** The current model as `provider/model`; `undefined` before one is loaded. */
  get model(): string | undefined {
    return this.#ready().binding.current?.id
  }

  /**
   * Starts a turn with a user text, or with several messages of which the last is the user's. Messages
   * are copied, so the caller may change them afterwards. The model is loaded at the first run; if that
   * fails, `result` rejects.
   * @throws EchelonError INVALID_INPUT with the index of a message that cannot be used, or for a
   * session of an agent with another name; SESSION_BUSY; INVALID_CONFIG for an invalid option;
   * INVALID_DEFINITION for tools or middleware that clash
   */
  run<Given, const Use extends Middlewares = readonly []>(
    input: string | readonly Message[],
    options: ChatRunOptions<Use> & OutputOption<Given>,
  ): ChatRun<States & StatesOf<Use>, Given>
  run<const Use extends Middlewares = readonly []>(
    input: string | readonly Message[],
    options?: ChatRunOptions<Use>,
  ): ChatRun<States & StatesOf<Use>, Output>
  run(input: string | readonly Message[], options?: ChatRunOptions & MayWant): ChatRun {
    const engine = this.#ready()
    const { session } = options ?? NO_OPTIONS
    session?.assertFreeFor(this.name, this.#plan.store)
    const given = turnOf(input, options ?? NO_OPTIONS, this.#plan.maxInputChars)
    const world = options === undefined ? engine.world : engine.worldFor(options)
    const { definition, services } = world
    const { binding } = engine
    const asked = options === undefined ? NO_OPTIONS : runOptions(options)
    const run = startRun(
      definition,
      given,
      services,
      binding.isReady ? asked : { ...asked, prepare: () => binding.prepare() },
    )
    engine.records?.follow(run, {
      input: wordsIn(given),
      session: session?.id,
      model: binding.current?.id,
    })
    return new ChatRun(run, world, session?.follow(run))
  }

  /**
   * Resumes a run from the journal, in any process, with the models of its journal until the next
   * switch. Pass the session, tools, middleware and output that the run started with; the session must
   * be as it was before the run. A session kept in the agent's store is found there.
   * @throws EchelonError INVALID_CONFIG without a journal; UNKNOWN_RUN; JOURNAL_MISMATCH when another
   * agent started it; INVALID_INPUT for another session; SESSION_BUSY; UNKNOWN_MODEL when its model is
   * no longer available
   */
  resume<Given, const Use extends Middlewares = readonly []>(
    runId: string,
    options: ChatResumeOptions<Use> & OutputOption<Given>,
  ): Promise<ChatRun<States & StatesOf<Use>, Given>>
  resume<const Use extends Middlewares = readonly []>(
    runId: string,
    options?: ChatResumeOptions<Use>,
  ): Promise<ChatRun<States & StatesOf<Use>, Output>>
  async resume(runId: string, options: ChatResumeOptions & MayWant = {}): Promise<ChatRun> {
    const engine = this.#ready()
    const world = engine.worldFor(options)
    const { definition, services } = world
    if (services.journal === undefined) throw noJournal()
    const entries = await readRun(services.journal, runId, definition)
    const started = findStarted(definition, entries)
    const model = modelOf(started, entries)
    const models = await engine.binding.asRecorded(model)
    const { signal, suspend, traceparent, tracestate } = options
    const session = options.session ?? (await this.#keptSession(started))
    // A fork is not a turn of the conversation; it needs only the earlier messages.
    const turnOf = started.forkedFrom === undefined ? session : undefined
    turnOf?.assertFreeFor(this.name, this.#plan.store)
    const run = resumeRun(definition, entries, {
      services: { ...services, models },
      ...(signal && { signal }),
      ...(suspend && { suspend }),
      ...(session && { session: session.view }),
      traceparent,
      tracestate,
      prepare: handedOver,
    })
    // A run that has ended is already recorded.
    const hasEnded = entries.some((entry) => entry.type === 'ended' && entry.path === '')
    if (!hasEnded && started.session?.kept !== undefined) {
      turnOf?.assertAsWhen(started.session.kept)
    }
    if (!hasEnded) {
      engine.records?.follow(run, {
        input: wordsIn(started.input),
        session: turnOf?.id,
        model,
        resumed: true,
      })
    }
    // A kept session already holds this turn, and maybe later ones.
    const isTakenUp = hasEnded && turnOf?.isKept === true
    return new ChatRun(run, world, isTakenUp ? undefined : turnOf?.follow(run))
  }

  /**
   * Starts a run from a step of another run, of any age: with its messages and spending up to that
   * step. The tools, instructions and middleware must decide the same up to there. A tool that acts
   * answers from the record of the other run, each recorded call once, or is denied, unless `act` names
   * it; the same holds for memories. A fork is not a turn of a conversation and leaves it unchanged.
   * These rules also hold when the fork is resumed by its own id.
   * @throws EchelonError as `resume`; INVALID_INPUT for a step that was never reached
   */
  fork<Given, const Use extends Middlewares = readonly []>(
    runId: string,
    options: ChatForkOptions<Use> & OutputOption<Given>,
  ): Promise<ChatRun<States & StatesOf<Use>, Given>>
  fork<const Use extends Middlewares = readonly []>(
    runId: string,
    options: ChatForkOptions<Use>,
  ): Promise<ChatRun<States & StatesOf<Use>, Output>>
  async fork(runId: string, options: ChatForkOptions & MayWant): Promise<ChatRun> {
    const engine = this.#ready()
    const world = engine.worldFor(options)
    const { definition, services } = world
    if (services.journal === undefined) throw noJournal()
    const entries = await readRun(services.journal, runId, definition)
    const started = findStarted(definition, entries)
    const { at, as, act, memories, signal, suspend, traceparent, tracestate } = options
    const model = options.model ?? modelOf(started, entries)
    const session = options.session ?? (await this.#keptSession(started))
    const run = forkRun(definition, entries, {
      at,
      services: { ...services, models: await engine.binding.asRecorded(model) },
      ...(options.model !== undefined && { models: { [MAIN]: model } }),
      ...(as !== undefined && { runId: as }),
      ...(act && { act }),
      ...(memories && { memories }),
      ...(signal && { signal }),
      ...(suspend && { suspend }),
      ...(session && { session: session.view }),
      traceparent,
      tracestate,
      prepare: handedOver,
    })
    engine.records?.follow(run, { input: wordsIn(started.input), session: undefined, model })
    return new ChatRun(run, world)
  }

  /**
   * Switches to another model from the next model call on, also in running turns; conversations, states
   * and middleware stay. The model is loaded first; if that fails, the agent stays as it was. A model
   * call that starts meanwhile waits. Of concurrent switches, the last one requested wins, in whatever
   * order they load; failed ones do not count.
   * @throws EchelonError UNKNOWN_MODEL, MISSING_KEY, MISSING_PACKAGE or INVALID_CONFIG
   */
  switchProvider(model: ModelChoice): Promise<void> {
    return this.#ready().switchTo(model)
  }

  /**
   * Creates a conversation; pass it to each run that is a turn of it: `run(input, { session })`. It is
   * held only by the returned object.
   * @throws EchelonError INVALID_INPUT for an id that is not a string
   */
  session(id?: string): Session {
    const ids = this.#plan.ids ?? this.#parts.ids
    return new Session(id ?? ids.next(), this.name)
  }

  /**
   * Opens a conversation from the agent's store, or creates one under that id. Each turn is durable
   * once it ends. Only one process at a time can run a turn; an unfinished turn (`session.unfinished`)
   * must be resumed before another starts.
   * @throws EchelonError INVALID_CONFIG without a store; INVALID_INPUT for an id that is not a string,
   * or for the session of another agent
   */
  async openSession(id: string, options?: OpenSessionOptions): Promise<Session> {
    return openSession(storeOf(this.#plan), id, this.name, options)
  }

  /**
   * Restores a conversation from its checkpoint and checks every part. The user's permanent approvals,
   * and system messages that are not the agent's, are restored only with `trusted`; states of your own
   * middleware are restored if they fit their schema.
   * @throws EchelonError STATE_REFUSED, or INVALID_INPUT with the index of the message, and what to do
   */
  restoreSession(checkpoint: unknown, options?: RestoreOptions): Session {
    const { instructions } = this.#plan
    return restoredSession(checkpoint, { name: this.name, instructions }, options)
  }

  /**
   * Makes the agent a tool of another. It works within the calling run and shares its budget, journal
   * and cancellation; its requests appear as requests of that run.
   * @throws EchelonError INVALID_DEFINITION for an invalid tool name
   */
  asTool(options: AgentToolOptions): Tool {
    const { tools = [], use, untrustedText } = this.#plan
    const own = withMiddlewareTools(tools, use)
    const isMarked = Object.values((untrustedText || {}).tools ?? {}).some((from) => from !== null)
    const isFromOutside = isMarked || [...own, ...use].some(({ origin }) => origin !== undefined)
    const origin = isFromOutside ? { origin: `the agent ${options.name}` } : {}
    const mayAct = own.some((tool) => tool.does !== 'reads' || tool.mayAct === true)
    return agentTool({ ...origin, ...options, mayAct }, () => this.#ready())
  }

  async #keptSession({ session: own, forkedFrom }: Started): Promise<Session | undefined> {
    const session = own ?? forkedFrom?.session
    const isKept = session?.kept !== undefined && this.#plan.store !== undefined
    return isKept ? this.openSession(session.id) : undefined
  }

  #ready(): ChatEngine {
    return (this.#engine ??= new ChatEngine(this.#plan, this.#parts))
  }
}

type MayWant = Partial<OutputOption>

const NO_OPTIONS: ChatRunOptions & RunOptions = {}

function runOptions(options: ChatRunOptions): RunOptions {
  const { runId, seed, signal, caller, made, suspend, session, traceparent, tracestate } = options
  return {
    traceparent,
    tracestate,
    ...(runId !== undefined && { runId }),
    ...(seed !== undefined && { seed }),
    ...(signal !== undefined && { signal }),
    ...(caller !== undefined && { caller }),
    ...(made !== undefined && { made }),
    ...(suspend !== undefined && { suspend }),
    ...(session !== undefined && { session: session.view }),
  }
}

/** The journaled form of an input: a plain text if nothing else is given. */
function turnOf(
  input: string | readonly Message[],
  options: ChatRunOptions,
  mostChars: number | undefined,
): ChatInput {
  const { session, instructions, maxIterations } = options
  const continues = session?.continues ?? null
  const isPlain = continues === null && instructions === undefined && maxIterations === undefined
  if (typeof input === 'string') {
    if (!isText(input)) {
      throw new EchelonError('INVALID_INPUT', 'the input is empty; give a user text')
    }
    checkInputLength(input, mostChars)
    if (isPlain) return input
  }
  const said: readonly Message[] =
    typeof input === 'string' ? [{ role: 'user', content: [{ type: 'text', text: input }] }] : input
  const turn: ChatTurn = {
    messages: inputOf(said, { after: session?.length ?? 0, mostChars }),
    ...(instructions !== undefined && { instructions }),
    ...(maxIterations !== undefined && {
      maxIterations: wholeNumber('maxIterations', maxIterations),
    }),
    ...(continues !== null && {
      continues: { model: continues.model, id: continues.id, from: continues.from },
    }),
  }
  return turn
}

/** The last model of the run. */
function modelOf(
  { models }: { readonly models: Readonly<Record<string, string>> },
  entries: readonly Entry[],
): string {
  const bound = entries.findLast(
    (entry) => entry.type === 'bound' && entry.path === '' && entry.role === MAIN,
  )
  const model = bound?.type === 'bound' ? bound.model : models[MAIN]
  if (model !== undefined) return model
  throw new EchelonError(
    'JOURNAL_MISMATCH',
    'the journal names no model for the run; start it again',
  )
}

const noJournal = (): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    'the agent has no journal, so its runs cannot be resumed; give it one',
  )

/** A resumed run is returned as a promise, but its listeners still get its first step. */
const handedOver = (): Promise<void> => Promise.resolve()
