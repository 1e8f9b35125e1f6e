import { isRecord } from 'echelon/internal/value'
import type { Usage } from 'echelon/providers'
import type { Tool } from 'echelon/chat'
import { type ForeignAgentOptions, type ForeignAnswer, foreignAgentTool } from './foreign-agent.ts'

/** The part of a LangChain agent, graph or other Runnable that is used. */
export interface LangChainRunnable {
  // A method, so that a runnable can narrow its input and configuration types.
  invoke(
    input: unknown,
    config?: { readonly signal: AbortSignal; readonly recursionLimit?: number },
  ): PromiseLike<unknown>
}

export interface LangChainToolOptions extends ForeignAgentOptions {
  readonly agent: LangChainRunnable
  /** Maximum number of graph steps. Default LangChain's own, 25. */
  readonly recursionLimit?: number
  /** Input of the runnable. Default `{ messages: [{ role: 'user', content: task }] }`. */
  readonly input?: (task: string) => unknown
}

/**
 * Makes a LangChain agent (`createAgent`), graph or other Runnable a tool of an Echelon agent. Its
 * answer is the last message; its usage is the sum reported by its messages.
 * @throws EchelonError INVALID_DEFINITION for an invalid name or number
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
  if (isInterrupted(result)) throw new Error(INTERRUPTED)
  const messages = messagesOf(result)
  const last = messages.at(-1)
  if (last === undefined) {
    throw new Error('it returned neither a message nor a string; add an output parser')
  }
  return { text: textOf(last), usage: usageOf(messages) }
}

const INTERRUPTED =
  'it stopped to ask a person, which is not possible here; let its tools run without approval'

/** An interrupted graph returns its state, just like a finished one. */
function isInterrupted(result: unknown): boolean {
  const waits: unknown = isRecord(result) ? result['__interrupt__'] : undefined
  return Array.isArray(waits) && waits.length > 0
}

/** The message list of an agent's state, or the single message of a chat model. */
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

/** Undefined if any answer lacks its usage: a partial sum would look complete. */
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
