import type { ModelCall } from '../../core/extension/middleware.ts'
import { type Message, Thread } from '../../core/message/thread.ts'

/** What was said, without what the agent is told. */
export const conversationOf = ({ prompt }: ModelCall): readonly Message[] =>
  prompt.thread.toArray().filter(({ role }) => role !== 'system')

/** What the provider keeps is counted in messages of the whole conversation, so it is not gone on with. */
export function withMessages(call: ModelCall, messages: readonly Message[]): ModelCall {
  const { continues: _kept, ...rest } = call
  const { prompt } = call
  const orders = prompt.thread.toArray().filter(({ role }) => role === 'system')
  return { ...rest, prompt: { ...prompt, thread: Thread.of([...orders, ...messages]) } }
}
