import type { JsonObject } from 'echelon/runtime'

/** One message of a conversation, as it is kept and shown. */
export type Message = {
  readonly role: 'user' | 'agent'
  readonly text: string
  /** ISO 8601, UTC. */
  readonly timestamp: string
  /** What else is to be known of it; `id` makes it the same message when it is delivered again. */
  readonly metadata: JsonObject
}

/** Whether one is the other, delivered again: by the `id` of both, where they have one. */
export function isSameMessage(one: Message, other: Message): boolean {
  const { id } = other.metadata
  return id !== undefined && one.metadata['id'] === id && one.role === other.role
}
