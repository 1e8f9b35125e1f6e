import type { ChatResumeOptions, ChatRunOptions, RestoreOptions } from 'echelon/chat'
import { EchelonError } from 'echelon/internal/value'
import type { JsonObject, Message } from 'echelon/runtime'
import type { ConversingAgent, ConversingOptions, ConversingRun } from '../conversing.ts'
import type { RunInput } from './content.ts'
import { type RunMessages, readInput } from './run-input.ts'
import { AgentResponse, type AgentResponseUpdate, type ContinuationToken } from './response.ts'
import { AgentSession, type Conversation, type SessionState, type ServiceType } from './session.ts'
import { AgentSessionStateBag } from './state-bag.ts'
import { type Seal, storedForm, restoreStored } from './stored-session.ts'
import { AIAgentTurn, alreadyRunning } from './turn.ts'

/**
 * An agent that can become an AIAgent: a chat agent, or anything of this shape. It only receives
 * conversations that it created itself.
 */
export interface SessionAgent extends ConversingAgent {
  run(
    input: string | readonly Message[],
    options?: ConversingOptions & { readonly session?: Conversation },
  ): ConversingRun
  session(id?: string): Conversation
  /** @throws EchelonError STATE_REFUSED for an unusable checkpoint, which can come from anyone */
  restoreSession(checkpoint: unknown, options?: RestoreOptions): Conversation
  /** Without it, a waiting run is lost when its process ends. */
  resume?(
    runId: string,
    options?: Pick<ChatResumeOptions, 'tools'> & { readonly session?: Conversation },
  ): Promise<ConversingRun>
}

export interface AIAgentOptions {
  /** Default the agent's name. Must be the same in each process, so that sessions can be restored. */
  readonly id?: string
  /** Default the agent's. */
  readonly name?: string
  readonly description?: string
  /**
   * Signs stored sessions (HMAC-SHA256) and rejects any that it did not sign. Use at least 32 random
   * bytes. Without a secret, a stored session is treated as untrusted input.
   */
  readonly secret?: string
}

/** Dependencies on the environment. */
export interface AIAgentParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly seal: (secret: string) => Seal
}

export interface AgentRunOptions extends Pick<
  ChatRunOptions,
  'tools' | 'instructions' | 'limits' | 'maxIterations' | 'caller'
> {
  /** Requests the answer as JSON of this JSON Schema: see `result` of the response. */
  readonly responseFormat?: JsonObject
  /** Continues a waiting run, from the agent's journal if it is not in this process. */
  readonly continuationToken?: ContinuationToken
}

export interface RunParameters {
  /** Default: a new session that is not kept, in which the agent cannot ask anything. */
  readonly session?: AgentSession
  readonly options?: AgentRunOptions
  readonly signal?: AbortSignal
}

/** An agent with the names and semantics of Microsoft Agent Framework, in this process. */
export class AIAgent {
  readonly id: string
  readonly name: string
  readonly description: string | undefined
  readonly #agent: SessionAgent
  readonly #seal: Seal | undefined
  readonly #now: () => number
  /** State of the sessions it created. */
  readonly #states = new WeakMap<AgentSession, SessionState>()
  /** Runs being resumed from the journal: resuming one twice at once would act twice. */
  readonly #resumed = new Set<string>()

  /** Called by `asAIAgent`. */
  constructor(agent: SessionAgent, options: AIAgentOptions, { now, seal }: AIAgentParts) {
    const { id = agent.name, name = agent.name, description, secret } = options
    if (secret === '')
      throw new EchelonError(
        'INVALID_CONFIG',
        'the secret is empty; give at least 32 random bytes, or leave it out',
      )
    this.#agent = agent
    this.id = id
    this.name = name
    this.description = description
    this.#now = now
    this.#seal = secret === undefined ? undefined : seal(secret)
  }

  /**
   * Runs a turn, or continues a waiting one with the responses in the messages. If the agent asks, the
   * response ends with the request among its contents, and the next run continues with the answer.
   * @throws EchelonError INVALID_INPUT, SESSION_BUSY, UNKNOWN_REQUEST for a response to an unknown
   * request, and all errors of the agent's runs; the signal's reason when it aborts
   */
  async run(messages?: RunInput, parameters: RunParameters = {}): Promise<AgentResponse> {
    const updates: AgentResponseUpdate[] = []
    for await (const update of this.runStreaming(messages, parameters)) updates.push(update)
    return new AgentResponse(updates)
  }

  /** Streams the same as updates. Starts when read; a reader that stops cancels the run. */
  async *runStreaming(
    messages?: RunInput,
    { session, options = {}, signal }: RunParameters = {},
  ): AsyncGenerator<AgentResponseUpdate, void> {
    signal?.throwIfAborted()
    const state = this.#stateOf(session ?? this.createSession())
    const input = readInput(messages)
    const turn = await this.#turnOf(state, input, options)
    state.turn = turn
    state.storedRun = undefined
    try {
      for await (const update of turn.updates(input.replies, signal)) {
        if (session === undefined && turn.waitsFor !== undefined) throw needsSession(turn)
        yield update
      }
    } finally {
      this.#resumed.delete(turn.run.id)
      if (turn.isOver) state.turn = undefined
    }
  }

  createSession(): AgentSession {
    return this.#newSession(this.#agent.session(), new AgentSessionStateBag(), undefined)
  }

  /**
   * The session as plain JSON, as of its last completed turn; of a waiting run, the id. It contains the
   * conversation unredacted: protect it accordingly.
   */
  async serializeSession(session: AgentSession): Promise<JsonObject> {
    const { conversation, turn, storedRun } = this.#stateOf(session)
    const waits = turn?.waitsFor === undefined ? storedRun : turn.run.id
    const { stateBag } = session
    return storedForm(
      { agentId: this.id, session: conversation.checkpoint(), stateBag, waits },
      this.#seal,
    )
  }

  /**
   * Restores a session from the result of `serializeSession`, or its JSON text; every part is checked.
   * @param options `trusted` if only this program can have written it; implied by a secret
   * @throws EchelonError STATE_REFUSED, or INVALID_INPUT with the index of a message, and what to do
   */
  async deserializeSession(
    serialized: unknown,
    { trusted = false }: RestoreOptions = {},
  ): Promise<AgentSession> {
    const content = restoreStored(serialized, this.id, { seal: this.#seal, trusted })
    const { session, stateBag, waits, isTrusted } = content
    return this.#newSession(
      this.#agent.restoreSession(session, { trusted: isTrusted }),
      stateBag,
      waits,
    )
  }

  /** The underlying service of a class: this AIAgent, or the chat agent's `Agent`. */
  getService<Service>(type: ServiceType<Service>): Service | undefined {
    const services: readonly object[] = [this, this.#agent]
    return services.find((service): service is object & Service => service instanceof type)
  }

  /** The older name of `createSession`. */
  getNewThread(): AgentSession {
    return this.createSession()
  }

  /** The older, asynchronous form of `createSession`. */
  async getNewThreadAsync(): Promise<AgentSession> {
    return this.createSession()
  }

  /** The older name of `deserializeSession`. */
  deserializeThread(serialized: unknown, options?: RestoreOptions): Promise<AgentSession> {
    return this.deserializeSession(serialized, options)
  }

  #newSession(
    conversation: Conversation,
    stateBag: AgentSessionStateBag,
    storedRun: string | undefined,
  ): AgentSession {
    const session = new AgentSession(conversation, stateBag, (one) => this.serializeSession(one))
    this.#states.set(session, { conversation, turn: undefined, storedRun })
    return session
  }

  #stateOf(session: AgentSession): SessionState {
    const state = this.#states.get(session)
    if (state !== undefined) return state
    throw new EchelonError(
      'INVALID_INPUT',
      `the session ${session.id} belongs to an agent other than ${this.id}; sessions cannot be moved between agents`,
    )
  }

  async #turnOf(
    state: SessionState,
    input: RunMessages,
    options: AgentRunOptions,
  ): Promise<AIAgentTurn> {
    const { turn, storedRun, conversation } = state
    const { messages, replies } = input
    const waits = turn?.waitsFor === undefined ? undefined : turn.run.id
    const runId = options.continuationToken?.runId ?? waits ?? storedRun
    if (runId === undefined) {
      const [request] = replies.keys()
      if (request !== undefined) throw unknownRequest(request)
      if (messages.length === 0) throw noMessage()
      return this.#turn(
        this.#agent.run(messages, { ...runOptions(options), session: conversation }),
      )
    }
    if (messages.length > 0) throw mustReply(conversation.id)
    if (turn === undefined || waits !== runId) return this.#resume(state, runId, options)
    const [request] = replies.keys()
    if (request !== undefined && !replies.has(turn.waitsFor ?? '')) throw unknownRequest(request)
    return turn
  }

  async #resume(
    state: SessionState,
    runId: string,
    { tools }: AgentRunOptions,
  ): Promise<AIAgentTurn> {
    const { conversation: session } = state
    if (this.#resumed.has(runId)) throw alreadyRunning(runId)
    this.#resumed.add(runId)
    try {
      const run = await this.#agent.resume?.(runId, { session, ...(tools && { tools }) })
      if (run === undefined) throw cannotResume(this.name, runId)
      return this.#turn(run)
    } catch (error) {
      this.#resumed.delete(runId)
      // A run that can never be resumed must not block the next turn.
      if (error instanceof EchelonError && LOST.has(error.code)) state.storedRun = undefined
      throw error
    }
  }

  #turn(run: ConversingRun): AIAgentTurn {
    return new AIAgentTurn(run, { agentId: this.id, authorName: this.name, now: this.#now })
  }
}

function runOptions(options: AgentRunOptions): ConversingOptions {
  const { responseFormat, continuationToken: _, ...rest } = options
  if (responseFormat === undefined) return rest
  return { ...rest, configureOptions: (request) => ({ ...request, schema: responseFormat }) }
}

const LOST: ReadonlySet<string> = new Set(['INVALID_CONFIG', 'UNKNOWN_RUN', 'JOURNAL_MISMATCH'])

const cannotResume = (agent: string, run: string): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `the agent ${agent} cannot resume runs, so ${run} is lost; start the turn again`,
  )

const noMessage = (): EchelonError =>
  new EchelonError('INVALID_INPUT', 'there is no message and no waiting run; pass a user message')

const mustReply = (session: string): EchelonError =>
  new EchelonError(
    'SESSION_BUSY',
    `a run of the session ${session} waits for a response; send the response content first, and other messages in the next run`,
    { details: { session } },
  )

const unknownRequest = (request: string): EchelonError =>
  new EchelonError(
    'UNKNOWN_REQUEST',
    `no request ${request} is open; see the requests of the last response`,
    { details: { request } },
  )

function needsSession(turn: AIAgentTurn): EchelonError {
  turn.run.cancel()
  return new EchelonError(
    'INVALID_INPUT',
    'the agent asks for a response, which needs a session for the next run; pass run a session from createSession()',
  )
}
