import type { JsonObject } from 'echelon/runtime'

/** One message of a conversation, as stored and shown. */
export type Message = {
  readonly role: 'user' | 'agent'
  readonly text: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
  /** Additional data; `id` identifies the message when it is delivered again. */
  readonly metadata: JsonObject
}

/** Whether both are the same message, delivered twice: compares the `id` of both, if present. */
export function isSameMessage(one: Message, other: Message): boolean {
  const { id } = other.metadata
  return id !== undefined && one.metadata['id'] === id && one.role === other.role
}
