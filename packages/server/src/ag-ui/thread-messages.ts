import { type AGUIEvent, EventType, type Message } from '@ag-ui/core'

/**
 * The messages of a thread as its client has them: those that it sent, and those of the events since then.
 * It is needed for a snapshot without a message that does not hold.
 */
export class ThreadMessages {
  #messages: Message[]

  constructor(sent: readonly Message[]) {
    // A client keeps its own of these kinds if a snapshot has none.
    this.#messages = sent.filter(({ role }) => role !== 'activity' && role !== 'reasoning')
  }

  add(event: AGUIEvent): void {
    const { type } = event
    if (type === EventType.TEXT_MESSAGE_START) {
      this.#messages.push({ id: event.messageId, role: 'assistant', content: '' })
    } else if (type === EventType.TEXT_MESSAGE_CONTENT) {
      this.#append(event.messageId, event.delta)
    } else if (type === EventType.TOOL_CALL_START) {
      const { toolCallId: id, toolCallName: name, subagentRunId } = event
      this.#messages.push({
        id,
        role: 'assistant',
        toolCalls: [{ id, type: 'function', function: { name, arguments: '' } }],
        ...(subagentRunId !== undefined && { subagentRunId }),
      })
    } else if (type === EventType.TOOL_CALL_ARGS) {
      this.#appendArguments(event.toolCallId, event.delta)
    } else if (type === EventType.TOOL_CALL_RESULT) {
      const { messageId: id, toolCallId, content, subagentRunId } = event
      const owner = subagentRunId !== undefined && { subagentRunId }
      this.#messages.push({ id, role: 'tool', toolCallId, content, ...owner })
    }
  }

  /** Takes a message back. @returns the snapshot without it */
  drop(id: string): AGUIEvent {
    this.#messages = this.#messages.filter((message) => message.id !== id)
    return { type: EventType.MESSAGES_SNAPSHOT, messages: structuredClone(this.#messages) }
  }

  #append(id: string, delta: string): void {
    const message = this.#messages.findLast((one) => one.id === id)
    if (message?.role === 'assistant') message.content = (message.content ?? '') + delta
  }

  #appendArguments(id: string, delta: string): void {
    const message = this.#messages.findLast((one) => one.id === id)
    const call = message?.role === 'assistant' ? message.toolCalls?.[0] : undefined
    if (call !== undefined) call.function.arguments += delta
  }
}
