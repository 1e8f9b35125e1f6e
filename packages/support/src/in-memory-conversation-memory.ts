import type { ConversationMemory } from './primitives/conversation-memory.ts'
import { isSameMessage, type Message } from './message.ts'

/** Conversations for as long as the process lives. */
export class InMemoryConversationMemory implements ConversationMemory {
  readonly #sessions = new Map<string, readonly Message[]>()

  async getHistory(sessionId: string): Promise<readonly Message[]> {
    return copied(this.#sessions.get(sessionId) ?? [])
  }

  async append(sessionId: string, message: Message): Promise<void> {
    const before = this.#sessions.get(sessionId) ?? []
    if (before.some((each) => isSameMessage(each, message))) return
    this.#sessions.set(sessionId, [...before, ...copied([message])])
  }

  async clear(sessionId: string): Promise<void> {
    this.#sessions.delete(sessionId)
  }
}

/** Copies, since callers may change their own messages. */
const copied = (messages: readonly Message[]): readonly Message[] => structuredClone(messages)
