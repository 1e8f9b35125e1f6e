import type { JsonObject } from 'echelon/runtime'
import type { AgentSessionStateBag } from './state-bag.ts'
import type { AIAgentTurn } from './turn.ts'

/** An agent's conversation, such as the chat agent's `Session`. */
export interface Conversation {
  readonly id: string
  /** The conversation as plain JSON, for `restoreSession`. */
  checkpoint(): unknown
}

/** A service class, as used with `instanceof`. */
export type ServiceType<Service> = abstract new (...args: never[]) => Service

/**
 * A conversation with the AIAgent that created it; other agents reject it. One run at a time; the next
 * run continues a run that waits for a response.
 */
export class AgentSession {
  readonly id: string
  readonly stateBag: AgentSessionStateBag
  readonly #services: readonly object[]
  readonly #serialize: (session: AgentSession) => Promise<JsonObject>

  /** Called by `createSession` and `deserializeSession`. */
  constructor(
    conversation: Conversation,
    stateBag: AgentSessionStateBag,
    serialize: (session: AgentSession) => Promise<JsonObject>,
  ) {
    this.id = conversation.id
    this.stateBag = stateBag
    this.#services = [conversation, stateBag]
    this.#serialize = serialize
  }

  /** The underlying service of a class: the chat agent's `Session`. */
  getService<Service>(type: ServiceType<Service>): Service | undefined {
    return this.#services.find((service): service is object & Service => service instanceof type)
  }

  /** The older name of the agent's `serializeSession`. */
  serialize(): Promise<JsonObject> {
    return this.#serialize(this)
  }
}

/** An agent's state of a session that it created. */
export interface SessionState {
  readonly conversation: Conversation
  /** A waiting run in this process. */
  turn: AIAgentTurn | undefined
  /** A run that waited when the session was stored, in any process. */
  storedRun: string | undefined
}
