import { EchelonError } from '../../core/value/error.ts'
import type { Entry, Started } from '../../core/journal/journal.ts'
import type { Layer } from '../../core/extension/middleware.ts'
import type { AnyDefinition, StateHolder } from '../../core/agent/state-holder.ts'
import type { Schema } from '../../core/schema/schema.ts'
import type { Message } from '../../core/message/thread.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { findStarted } from '../../runtime/record/fold.ts'
import { forkRun, type ForkRunOptions } from '../../runtime/record/fork-run.ts'
import { readRun } from '../../runtime/record/read-run.ts'
import { resumeRun } from '../../runtime/resume.ts'
import { type RunOptions, startRun } from '../../runtime/run.ts'
import type { AgentParts, AgentPlan, StatesOf } from './agent-options.ts'
import { agentTool, type AgentToolOptions } from './agent-tool.ts'
import { withBrought } from './brought-tools.ts'
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

type Layers = readonly Layer[]

/** What may be different in one run. */
export interface ChatRunOptions<Use extends Layers = Layers>
  extends
    Omit<RunDifferences, 'output'>,
    Pick<
      RunOptions,
      'runId' | 'seed' | 'signal' | 'caller' | 'made' | 'suspend' | 'traceparent' | 'tracestate'
    > {
  /** The conversation that the run is a turn of. Default: a new one that nobody keeps. */
  readonly session?: Session
  /** Middleware besides the agent's, within it. */
  readonly use?: Use
  /** In place of the agent's. */
  readonly instructions?: string
  /** In place of the agent's. */
  readonly maxIterations?: number
}

/** An answer that is to be an object, in one run. */
export interface OutputOption<Output = unknown> {
  /** The schema of the answer, in place of the agent's. */
  readonly output: Schema<Output>
}

/** What is needed to go on with a run, where it began with it. */
export interface ChatResumeOptions<Use extends Layers = Layers> extends Pick<
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

/** Where a run is forked, and what its fork may do anew. */
export interface ChatForkOptions<Use extends Layers = Layers>
  extends ChatResumeOptions<Use>, Pick<ForkRunOptions, 'at' | 'act' | 'memories'> {
  /** The id of the fork. Default: a new UUID. */
  readonly as?: string
}

/**
 * An agent: a model, its tools, and everything around them. Nothing of it changes but the model
 * that plays its part (`switchProvider`).
 *
 * **What may be shared.** One agent serves any number of runs at the same time: they have nothing in
 * common but the model, and states of the scope `shared`. A session takes one turn at a time and
 * refuses a second one; different sessions go on side by side. A run may be watched and awaited by
 * any number. Tools, layers, journals and registries belong to whoever made them, and are called by
 * several runs at once.
 */
export class Agent<States = unknown, Output = unknown> implements StateHolder {
  readonly #plan: AgentPlan
  readonly #parts: AgentParts
  #engine: ChatEngine | undefined

  /** @throws EchelonError INVALID_CONFIG for an option, a tool or a middleware that is none */
  constructor(plan: AgentPlan, parts: AgentParts) {
    this.#plan = plan
    this.#parts = parts
    Object.freeze(this)
  }

  get name(): string {
    return this.#plan.name ?? DEFAULT_NAME
  }

  /** What decides in its runs, those with tools of their own aside. */
  get definition(): AnyDefinition {
    return this.#ready().world.definition
  }

  /** Its middleware: what stored states are tried against. */
  get layers(): Layers {
    return this.#ready().world.layers
  }

  /** The name of the model that plays now, as `provider/model`; nothing before one was loaded. */
  get model(): string | undefined {
    return this.#ready().binding.current?.id
  }

  /**
   * Begins a turn. A text is what the user says; messages are several at once, the user's last. They
   * are copied, so the caller may change them afterwards.
   * The model is loaded at the first run; when that fails, `result` rejects.
   * @throws EchelonError INVALID_INPUT with the index of a message that cannot be used, or for a
   * session of an agent of another name; SESSION_BUSY; INVALID_CONFIG for an option that cannot work; INVALID_DEFINITION for tools or layers that clash
   */
  run<Given, const Use extends Layers = readonly []>(
    input: string | readonly Message[],
    options: ChatRunOptions<Use> & OutputOption<Given>,
  ): ChatRun<States & StatesOf<Use>, Given>
  run<const Use extends Layers = readonly []>(
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
   * Goes on with a run from the journal, in whatever process. It has the models of its journal until
   * the next switch. A run that began in a session, or with tools, middleware or an output of its own,
   * needs them again; the session as it was before the run. One that is kept in the agent's store is found
   * there.
   * @throws EchelonError INVALID_CONFIG without a journal; UNKNOWN_RUN; JOURNAL_MISMATCH when it was
   * begun by another agent; INVALID_INPUT for another session; SESSION_BUSY; UNKNOWN_MODEL when its model is not to be had any more
   */
  resume<Given, const Use extends Layers = readonly []>(
    runId: string,
    options: ChatResumeOptions<Use> & OutputOption<Given>,
  ): Promise<ChatRun<States & StatesOf<Use>, Given>>
  resume<const Use extends Layers = readonly []>(
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
    // A fork is no turn of the conversation, and needs only what was said before.
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
    // One that had ended is on record already.
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
    // What is kept has the turn already, and maybe others after it.
    const isTakenUp = hasEnded && turnOf?.isKept === true
    return new ChatRun(run, world, isTakenUp ? undefined : turnOf?.follow(run))
  }

  /**
   * Begins a run from a step of another one, however long ago that was: with what was said and spent
   * until then, and with the tools, instructions and middleware that decide the same up to there. A tool
   * that acts answers from the record of the other run, each call there once, or is denied, unless `act`
   * names it; memories likewise. It is no turn of a conversation, which stays as it is. Resumed by its
   * own id, it keeps to that.
   * @throws EchelonError as `resume`; INVALID_INPUT for a step that was never reached
   */
  fork<Given, const Use extends Layers = readonly []>(
    runId: string,
    options: ChatForkOptions<Use> & OutputOption<Given>,
  ): Promise<ChatRun<States & StatesOf<Use>, Given>>
  fork<const Use extends Layers = readonly []>(
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
    const model = modelOf(started, entries)
    const { at, as, act, memories, signal, suspend, traceparent, tracestate } = options
    const session = options.session ?? (await this.#keptSession(started))
    const run = forkRun(definition, entries, {
      at,
      services: { ...services, models: await engine.binding.asRecorded(model) },
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
   * Has another model play from the next model call on, also in runs under way; conversations,
   * states and middleware stay. The model is loaded first: when that fails the agent stays as it
   * was. A model call that begins meanwhile waits for it. Of several switches at the same time the
   * one asked for last holds, whichever is loaded first; one that fails does not count.
   * @throws EchelonError UNKNOWN_MODEL, MISSING_KEY, MISSING_PACKAGE or INVALID_CONFIG
   */
  switchProvider(model: ModelChoice): Promise<void> {
    return this.#ready().switchTo(model)
  }

  /**
   * A new conversation, to be given to each run that is a turn of it: `run(input, { session })`.
   * Nothing is kept of it but what the returned object holds.
   * @throws EchelonError INVALID_INPUT for an id that is no text
   */
  session(id?: string): Session {
    const ids = this.#plan.ids ?? this.#parts.ids
    return new Session(id ?? ids.next(), this.name)
  }

  /**
   * A conversation that outlives the process: as the agent's store has it, or a new one under that
   * id. What each turn said is durable with its end. One process at a time has a turn of it; a turn
   * that was left without an end (`session.unfinished`) is resumed before another begins.
   * @throws EchelonError INVALID_CONFIG without a store; INVALID_INPUT for an id that is no text, or for
   * the session of another agent
   */
  async openSession(id: string, options?: OpenSessionOptions): Promise<Session> {
    return openSession(storeOf(this.#plan), id, this.name, options)
  }

  /**
   * A conversation from its checkpoint, every part of it checked. What the user approved for good is
   * taken only with `trusted`, and so is a system message of another than the agent; states of your
   * own middleware are taken as they are where they fit their schema.
   * @throws EchelonError STATE_REFUSED, or INVALID_INPUT with the index of the message, and what to do
   */
  restoreSession(checkpoint: unknown, options?: RestoreOptions): Session {
    const { instructions } = this.#plan
    return restoredSession(checkpoint, { name: this.name, instructions }, options)
  }

  /**
   * The agent as a tool of another. It works within the run that calls it: one budget, one journal,
   * one cancel; what it asks, that run asks.
   * @throws EchelonError INVALID_DEFINITION for a name that no tool can have
   */
  asTool(options: AgentToolOptions): Tool {
    const { tools = [], use, untrustedText } = this.#plan
    const own = withBrought(tools, use)
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

/** The input as it is journalled: a plain text where nothing else is to be said. */
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
      throw new EchelonError('INVALID_INPUT', 'the input is empty; give what the user says')
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

/** The model that the run had last. */
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
    'the journal names no model for the run; begin it anew',
  )
}

const noJournal = (): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    'the agent has no journal, so that its runs cannot be resumed; give it one',
  )

/** A caller gets a run that goes on by a promise, and hears it from its first step all the same. */
const handedOver = (): Promise<void> => Promise.resolve()
