import { isRecord } from 'echelon/internal/value'
import type { Usage } from 'echelon/providers'
import type { Tool } from 'echelon/chat'
import { type ForeignAgentOptions, type ForeignAnswer, foreignAgentTool } from './foreign-agent.ts'

/** As much of a LangChain agent, graph or other Runnable as is called. */
export interface LangChainRunnable {
  // A method, so that a runnable's own types of input and configuration stand.
  invoke(
    input: unknown,
    config?: { readonly signal: AbortSignal; readonly recursionLimit?: number },
  ): PromiseLike<unknown>
}

export interface LangChainToolOptions extends ForeignAgentOptions {
  readonly agent: LangChainRunnable
  /** Steps of a graph after which LangChain gives up. Default LangChain's own, 25. */
  readonly recursionLimit?: number
  /** What the runnable is given. Default `{ messages: [{ role: 'user', content: task }] }`. */
  readonly input?: (task: string) => unknown
}

/**
 * A LangChain agent (`createAgent`), a graph, or any other Runnable, as a tool of one of our agents.
 * Its answer is the last message, and its usage the sum of what its messages say that they took.
 * @throws EchelonError INVALID_DEFINITION for a name or a number that cannot work
 */
export function langChainTool({
  agent,
  recursionLimit,
  input = userSays,
  ...how
}: LangChainToolOptions): Tool {
  return foreignAgentTool('langchain', how, async ({ task, signal }) =>
    answerOf(
      await agent.invoke(input(task), {
        signal,
        ...(recursionLimit !== undefined && { recursionLimit }),
      }),
    ),
  )
}

const userSays = (task: string): unknown => ({ messages: [{ role: 'user', content: task }] })

function answerOf(result: unknown): ForeignAnswer {
  if (typeof result === 'string') return { text: result, usage: undefined }
  if (isInterrupted(result)) throw new Error(WAITS)
  const messages = messagesOf(result)
  const last = messages.at(-1)
  if (last === undefined) {
    throw new Error('it returned neither a message nor a text; add a parser that makes it one')
  }
  return { text: textOf(last), usage: usageOf(messages) }
}

const WAITS = 'it stopped to ask a person, and nobody here can answer; let its tools run unasked'

/** A graph that waits to be resumed returns its state as it stands, as one that is done does. */
function isInterrupted(result: unknown): boolean {
  const waits: unknown = isRecord(result) ? result['__interrupt__'] : undefined
  return Array.isArray(waits) && waits.length > 0
}

/** Of an agent the state's list of messages; of a chat model the one message that it returned. */
function messagesOf(result: unknown): readonly object[] {
  if (typeof result !== 'object' || result === null) return []
  const messages: unknown = Reflect.get(result, 'messages')
  if (!Array.isArray(messages)) return 'content' in result ? [result] : []
  return messages.filter((message: unknown) => typeof message === 'object' && message !== null)
}

function textOf(message: object): string {
  const content: unknown = Reflect.get(message, 'content')
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((block: unknown) =>
      isRecord(block) && typeof block['text'] === 'string' ? block['text'] : '',
    )
    .join('')
}

/** Nothing when any of its answers does not say what it took: a part of a sum would look like all. */
function usageOf(messages: readonly object[]): Usage | undefined {
  const answers = messages.filter(isAnswer)
  let [input, output] = [0, 0]
  for (const answer of answers) {
    const usage: unknown = Reflect.get(answer, 'usage_metadata')
    if (!isRecord(usage)) return undefined
    const { input_tokens: took, output_tokens: gave } = usage
    if (typeof took !== 'number' || typeof gave !== 'number') return undefined
    input += took
    output += gave
  }
  return answers.length === 0 ? undefined : { input, output }
}

function isAnswer(message: object): boolean {
  const type: unknown = Reflect.get(message, 'type')
  return type === 'ai'
}
