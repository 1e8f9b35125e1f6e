import type { Moved, Note } from '../../core/agent/agent.ts'
import type { Finish } from '../../core/agent/effect.ts'
import type { Problem } from '../../core/model/problem.ts'
import { type Message, Thread, userMessage } from '../../core/message/thread.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
import type { ChatResult } from './input/chat-input.ts'
import type { ChatState } from './chat-state.ts'
import { isText } from './input/message-check.ts'
import { notRun, toolResults } from '../../core/message/tool-results.ts'

/** Shared by all states, so that no step allocates one. */
export const NO_CALLS: readonly ToolCall[] = []

/** Continues the history unchanged, unless the instructions have changed. */
export function startMessages(
  history: Thread,
  system: Message | undefined,
  said: readonly Message[],
): Thread {
  const first = history.at(0)
  if (first === undefined) return Thread.of(system === undefined ? said : [system, ...said])
  if (system === undefined || first === system || first.content === system.content) {
    return history.add(...said)
  }
  const rest = history.toArray().slice(first.role === 'system' ? 1 : 0)
  return Thread.of([system, ...rest, ...said])
}

/** More model calls for a turn. */
export const withMore = (state: ChatState, more: number): ChatState => ({
  ...state,
  most: state.iterations + more,
  asking: false,
})

/** The results of the calls are in the conversation. */
export function withResults(state: ChatState, results: Message): Moved<ChatState> {
  const messages = state.messages.add(results)
  return {
    state: {
      messages,
      pending: NO_CALLS,
      iterations: state.iterations,
      most: state.most,
      asking: false,
      repaired: state.repaired,
      text: state.text,
      continues: state.continues,
      ended: null,
    },
  }
}

/** Adds user text. Text in reply to the request for more model calls grants them. */
export function withUserText(state: ChatState, text: string, more: number): Moved<ChatState> {
  if (!isText(text)) return { state }
  const { pending } = state
  const closed =
    pending.length === 0 ? state.messages : state.messages.add(notRun(pending, SPOKE_FIRST))
  const going = state.asking ? withMore(state, more) : state
  const isAnswered = state.ended?.reason === 'stop' && state.iterations < state.most
  const ended = isAnswered ? null : state.ended
  const messages = closed.add(userMessage(text))
  return { state: { ...going, ended, pending: NO_CALLS, repaired: false, messages } }
}

const SPOKE_FIRST = 'the user spoke first'

/**
 * The messages of an interrupted turn. Calls without a result get one that says they may have run, so
 * that the conversation can continue.
 */
export function brokenOff({ messages, pending }: ChatState): Thread {
  if (pending.length === 0) return messages
  const outcomes = pending.map((): ToolOutcome => BROKE_OFF)
  return messages.add(toolResults(pending, outcomes))
}

const BROKE_OFF: ToolOutcome = { type: 'unknown', message: 'the turn broke off' }

/** Ends a turn that has used up its model calls. */
export function atLimit(state: ChatState, messages: Thread): Moved<ChatState> {
  const { iterations } = state
  const why = `the model was called ${iterations} times, which is the most; raise maxIterations, or say to go on`
  const notes: readonly Note[] = [{ stage: 'max-iterations', data: { iterations } }]
  return { ...stopped({ ...state, messages, asking: false }, 'max-iterations', why), notes }
}

/** Ends without an answer. Every call gets a result, so that the conversation can continue. */
export function stopped(state: ChatState, reason: string, why: string): Moved<ChatState> {
  const { pending } = state
  const messages = pending.length === 0 ? state.messages : state.messages.add(notRun(pending, why))
  return ended({ ...state, messages, pending: NO_CALLS, asking: false }, reason, why)
}

/** Adds the problem that ended a turn. */
export function withProblem({ state }: Moved<ChatState>, problem: Problem): Moved<ChatState> {
  const { ended: finish } = state
  if (finish === null) return { state }
  return { state: { ...state, ended: { ...finish, result: { ...finish.result, problem } } } }
}

/** Ends the turn. */
export function ended(state: ChatState, reason: string, detail: string | null): Moved<ChatState> {
  const finish: Finish<ChatResult> = {
    type: 'finish',
    result: { text: state.text, detail },
    reason,
  }
  return {
    state: {
      messages: state.messages,
      pending: NO_CALLS,
      iterations: state.iterations,
      most: state.most,
      asking: false,
      repaired: state.repaired,
      text: state.text,
      continues: state.continues,
      ended: finish,
    },
  }
}
