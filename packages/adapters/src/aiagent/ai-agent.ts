import type { ChatResumeOptions, ChatRunOptions } from 'echelon/chat'
import type { RestoreOptions } from 'echelon/chat'
import { EchelonError } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { Message } from 'echelon/runtime'
import type { ConversingAgent, ConversingOptions, ConversingRun } from '../conversing.ts'
import type { RunInput } from './content.ts'
import { type Given, givenTo } from './given-messages.ts'
import { AgentResponse, type AgentResponseUpdate, type ContinuationToken } from './response.ts'
import { AgentSession, type Conversation, type Held, type ServiceType } from './session.ts'
import { AgentSessionStateBag } from './state-bag.ts'
import { type Seal, stored, unstored } from './stored-session.ts'
import { AIAgentTurn, beingRead } from './turn.ts'

/**
 * What can be an AIAgent: a chat agent can, and so can whatever has its shape. It is handed back the
 * conversations that it made itself, and no others.
 */
export interface SessionAgent extends ConversingAgent {
  run(
    input: string | readonly Message[],
    options?: ConversingOptions & { readonly session?: Conversation },
  ): ConversingRun
  session(id?: string): Conversation
  /** @throws EchelonError STATE_REFUSED for what it would not go on with: anybody can have written it */
  restoreSession(checkpoint: unknown, options?: RestoreOptions): Conversation
  /** Without it, a run that waits is lost with its process. */
  resume?(
    runId: string,
    options?: Pick<ChatResumeOptions, 'tools'> & { readonly session?: Conversation },
  ): Promise<ConversingRun>
}

export interface AIAgentOptions {
  /** Default the agent's name: the same in each process, so that its sessions can be restored. */
  readonly id?: string
  /** Default the agent's. */
  readonly name?: string
  readonly description?: string
  /**
   * Signs stored sessions (HMAC-SHA256), and takes none that it did not sign. Use 32 random bytes or
   * more. Without one, a stored session is believed no more than what a stranger could have written.
   */
  readonly secret?: string
}

/** What the surroundings give. */
export interface AIAgentParts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly seal: (secret: string) => Seal
}

export interface AgentRunOptions extends Pick<
  ChatRunOptions,
  'tools' | 'instructions' | 'limits' | 'maxIterations' | 'caller'
> {
  /** The answer is to be JSON of this JSON Schema: see `result` of the response. */
  readonly responseFormat?: JsonObject
  /** Goes on with a run that waits, from the agent's journal where it is not in this process. */
  readonly continuationToken?: ContinuationToken
}

export interface RunParameters {
  /** Default: a new one that nobody keeps, in which nothing can be asked. */
  readonly session?: AgentSession
  readonly options?: AgentRunOptions
  readonly signal?: AbortSignal
}

/** An agent under the names and semantics of Microsoft Agent Framework, in this process. */
export class AIAgent {
  readonly id: string
  readonly name: string
  readonly description: string | undefined
  readonly #agent: SessionAgent
  readonly #seal: Seal | undefined
  readonly #now: () => number
  /** What it knows of the sessions that it made. */
  readonly #held = new WeakMap<AgentSession, Held>()
  /** Runs that it goes on with from the journal just now: two at once would both act. */
  readonly #resumed = new Set<string>()

  /** Made by `asAIAgent`. */
  constructor(agent: SessionAgent, options: AIAgentOptions, { now, seal }: AIAgentParts) {
    const { id = agent.name, name = agent.name, description, secret } = options
    if (secret === '')
      throw new EchelonError(
        'INVALID_CONFIG',
        'the secret is empty; give 32 random bytes or more, or none',
      )
    this.#agent = agent
    this.id = id
    this.name = name
    this.description = description
    this.#now = now
    this.#seal = secret === undefined ? undefined : seal(secret)
  }

  /**
   * A turn, or the rest of one that waits for what is in the messages. It ends where the agent asks,
   * with the request among the contents, and goes on when the next run brings the response.
   * @throws EchelonError INVALID_INPUT, SESSION_BUSY, UNKNOWN_REQUEST for a response that nothing waits
   * for, and all that the agent's own runs reject with; the signal's reason when it aborts
   */
  async run(messages?: RunInput, parameters: RunParameters = {}): Promise<AgentResponse> {
    const updates: AgentResponseUpdate[] = []
    for await (const update of this.runStreaming(messages, parameters)) updates.push(update)
    return new AgentResponse(updates)
  }

  /** The same as it comes. Begins when it is read; whoever stops reading cancels it. */
  async *runStreaming(
    messages?: RunInput,
    { session, options = {}, signal }: RunParameters = {},
  ): AsyncGenerator<AgentResponseUpdate, void> {
    signal?.throwIfAborted()
    const held = this.#heldOf(session ?? this.createSession())
    const given = givenTo(messages)
    const turn = await this.#turnOf(held, given, options)
    held.turn = turn
    held.storedRun = undefined
    try {
      for await (const update of turn.updates(given.replies, signal)) {
        if (session === undefined && turn.waitsFor !== undefined) throw nobodyToAsk(turn)
        yield update
      }
    } finally {
      this.#resumed.delete(turn.run.id)
      if (turn.isOver) held.turn = undefined
    }
  }

  createSession(): AgentSession {
    return this.#hold(this.#agent.session(), new AgentSessionStateBag(), undefined)
  }

  /**
   * The session as plain JSON, as of its last turn that ended; of a run that waits, its id. Holds what
   * was said as it was: protect it as the data itself.
   */
  async serializeSession(session: AgentSession): Promise<JsonObject> {
    const { conversation, turn, storedRun } = this.#heldOf(session)
    const waits = turn?.waitsFor === undefined ? storedRun : turn.run.id
    const { stateBag } = session
    return stored(
      { agentId: this.id, session: conversation.checkpoint(), stateBag, waits },
      this.#seal,
    )
  }

  /**
   * A session from what `serializeSession` returned, or its JSON text; every part of it is checked.
   * @param options `trusted` where nobody but this program can have written it; a secret says so too
   * @throws EchelonError STATE_REFUSED, or INVALID_INPUT with the index of a message, and what to do
   */
  async deserializeSession(
    serialized: unknown,
    { trusted = false }: RestoreOptions = {},
  ): Promise<AgentSession> {
    const content = unstored(serialized, this.id, { seal: this.#seal, trusted })
    const { session, stateBag, waits, isTrusted } = content
    return this.#hold(this.#agent.restoreSession(session, { trusted: isTrusted }), stateBag, waits)
  }

  /** What stands behind it, by its class: itself, or the chat agent's `Agent`. */
  getService<Service>(type: ServiceType<Service>): Service | undefined {
    const services: readonly object[] = [this, this.#agent]
    return services.find((service): service is object & Service => service instanceof type)
  }

  /** The older name of `createSession`. */
  getNewThread(): AgentSession {
    return this.createSession()
  }

  /** The older name of `createSession`, for those who await it. */
  async getNewThreadAsync(): Promise<AgentSession> {
    return this.createSession()
  }

  /** The older name of `deserializeSession`. */
  deserializeThread(serialized: unknown, options?: RestoreOptions): Promise<AgentSession> {
    return this.deserializeSession(serialized, options)
  }

  #hold(
    conversation: Conversation,
    stateBag: AgentSessionStateBag,
    storedRun: string | undefined,
  ): AgentSession {
    const session = new AgentSession(conversation, stateBag, (one) => this.serializeSession(one))
    this.#held.set(session, { conversation, turn: undefined, storedRun })
    return session
  }

  #heldOf(session: AgentSession): Held {
    const held = this.#held.get(session)
    if (held !== undefined) return held
    throw new EchelonError(
      'INVALID_INPUT',
      `the session ${session.id} was made by another agent than ${this.id}; sessions do not move between agents`,
    )
  }

  async #turnOf(held: Held, given: Given, options: AgentRunOptions): Promise<AIAgentTurn> {
    const { turn, storedRun, conversation } = held
    const { messages, replies } = given
    const waits = turn?.waitsFor === undefined ? undefined : turn.run.id
    const runId = options.continuationToken?.runId ?? waits ?? storedRun
    if (runId === undefined) {
      const [request] = replies.keys()
      if (request !== undefined) throw unknownRequest(request)
      if (messages.length === 0) throw nothingSaid()
      return this.#turn(
        this.#agent.run(messages, { ...runOptions(options), session: conversation }),
      )
    }
    if (messages.length > 0) throw mustReply(conversation.id)
    if (turn === undefined || waits !== runId) return this.#resume(held, runId, options)
    const [request] = replies.keys()
    if (request !== undefined && !replies.has(turn.waitsFor ?? '')) throw unknownRequest(request)
    return turn
  }

  async #resume(held: Held, runId: string, { tools }: AgentRunOptions): Promise<AIAgentTurn> {
    const { conversation: session } = held
    if (this.#resumed.has(runId)) throw beingRead(runId)
    this.#resumed.add(runId)
    try {
      const run = await this.#agent.resume?.(runId, { session, ...(tools && { tools }) })
      if (run === undefined) throw cannotResume(this.name, runId)
      return this.#turn(run)
    } catch (error) {
      this.#resumed.delete(runId)
      // What can never be gone on with does not stand in the way of the next turn.
      if (error instanceof EchelonError && LOST.has(error.code)) held.storedRun = undefined
      throw error
    }
  }

  #turn(run: ConversingRun): AIAgentTurn {
    return new AIAgentTurn(run, { agentId: this.id, authorName: this.name, now: this.#now })
  }
}

function runOptions(options: AgentRunOptions): ConversingOptions {
  const { responseFormat, continuationToken: _, ...own } = options
  if (responseFormat === undefined) return own
  return { ...own, configureOptions: (asked) => ({ ...asked, schema: responseFormat }) }
}

const LOST: ReadonlySet<string> = new Set(['INVALID_CONFIG', 'UNKNOWN_RUN', 'JOURNAL_MISMATCH'])

const cannotResume = (agent: string, run: string): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `the agent ${agent} cannot resume a run, so that ${run} is lost; begin the turn anew`,
  )

const nothingSaid = (): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    'there is nothing to answer and no run that waits; give what the user says',
  )

const mustReply = (session: string): EchelonError =>
  new EchelonError(
    'SESSION_BUSY',
    `a run of the session ${session} waits for a response; give the response content first, and what else is to be said in the next run`,
    { details: { session } },
  )

const unknownRequest = (request: string): EchelonError =>
  new EchelonError(
    'UNKNOWN_REQUEST',
    `nothing waits for a response to ${request}; see the requests of the last response`,
    { details: { request } },
  )

function nobodyToAsk(turn: AIAgentTurn): EchelonError {
  turn.run.cancel()
  return new EchelonError(
    'INVALID_INPUT',
    'the agent asks for a response, and without a session no other run can bring it; give run a session of createSession()',
  )
}
