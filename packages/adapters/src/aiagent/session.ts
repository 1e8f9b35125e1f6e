import type { JsonObject } from 'echelon/runtime'
import type { AgentSessionStateBag } from './state-bag.ts'
import type { AIAgentTurn } from './turn.ts'

/** What an agent keeps a conversation in: the chat agent's `Session` is one. */
export interface Conversation {
  readonly id: string
  /** The conversation as plain JSON, from which `restoreSession` makes it again. */
  checkpoint(): unknown
}

/** A kind of service, as `instanceof` takes it. */
export type ServiceType<Service> = abstract new (...args: never[]) => Service

/**
 * A conversation with an AIAgent, which made it: no other agent takes it. One run at a time; a run that
 * waits for a response is gone on with by the next.
 */
export class AgentSession {
  readonly id: string
  readonly stateBag: AgentSessionStateBag
  readonly #services: readonly object[]
  readonly #serialize: (session: AgentSession) => Promise<JsonObject>

  /** Made by `createSession` and `deserializeSession`. */
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

  /** What stands behind it, by its class: the chat agent's `Session`. */
  getService<Service>(type: ServiceType<Service>): Service | undefined {
    return this.#services.find((service): service is object & Service => service instanceof type)
  }

  /** The older name of the agent's `serializeSession`. */
  serialize(): Promise<JsonObject> {
    return this.#serialize(this)
  }
}

/** What an agent keeps of a session that it made. */
export interface Held {
  readonly conversation: Conversation
  /** A run that waits, in this process. */
  turn: AIAgentTurn | undefined
  /** A run that waited when the session was stored, in whatever process. */
  storedRun: string | undefined
}
