import type { Message } from '../message.ts'

/** Primitive: the messages of each session. `conversationMemoryContract` tests it. */
export interface ConversationMemory {
  /** Oldest first; empty for an unknown session. */
  getHistory(sessionId: string): Promise<readonly Message[]>
  append(sessionId: string, message: Message): Promise<void>
  clear(sessionId: string): Promise<void>
}
