import type { ModelCall } from '../../core/extension/middleware.ts'
import { type Message, Thread } from '../../core/message/thread.ts'

/** The messages without the instructions. */
export const conversationOf = ({ prompt }: ModelCall): readonly Message[] =>
  prompt.thread.toArray().filter(({ role }) => role !== 'system')

/** The provider counts messages of the whole conversation, so a shortened one cannot be continued there. */
export function withMessages(call: ModelCall, messages: readonly Message[]): ModelCall {
  const { continues: _kept, ...rest } = call
  const { prompt } = call
  const orders = prompt.thread.toArray().filter(({ role }) => role === 'system')
  return { ...rest, prompt: { ...prompt, thread: Thread.of([...orders, ...messages]) } }
}
