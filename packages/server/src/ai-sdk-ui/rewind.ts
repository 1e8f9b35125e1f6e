import type { Message } from 'echelon/runtime'
import type { ServerStore } from '../runs/server-store.ts'

/**
 * Takes the stored conversation back to before the message that is sent again or edited.
 * @param earlier the texts of the user that stay, in order
 */
export async function rewind(
  { sessions }: Pick<ServerStore, 'sessions'>,
  id: string,
  { earlier, at }: { readonly earlier: readonly string[]; readonly at: number },
): Promise<void> {
  const stored = await sessions.load(id)
  if (stored === undefined) return
  const keep = keptLength(stored.messages, earlier)
  const { agent, states, messages } = stored
  if (keep === messages.length) return
  const change = { id, agent, from: messages.length, keep, messages: [], states, at }
  await sessions.save({ ...change, continues: null })
}

/** Everything up to the first message of the user after those that stay, found by their texts in order. */
export function keptLength(messages: readonly Message[], earlier: readonly string[]): number {
  let found = 0
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'user') continue
    if (found === earlier.length) return index
    if (textOf(message.content) === earlier[found]) found++
  }
  return messages.length
}

const textOf = (content: Extract<Message, { role: 'user' }>['content']): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
