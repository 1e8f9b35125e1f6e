import type { Message } from '../message.ts'

/** Primitive: what was said, per session. `conversationMemoryContract` tests it. */
export interface ConversationMemory {
  /** Oldest first; empty for a session that nobody has begun. */
  getHistory(sessionId: string): Promise<readonly Message[]>
  append(sessionId: string, message: Message): Promise<void>
  clear(sessionId: string): Promise<void>
}
