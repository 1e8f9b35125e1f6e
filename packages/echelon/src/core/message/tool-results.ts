import type { Message } from './thread.ts'
import type { ToolCall, ToolOutcome } from '../tool/tool-call.ts'

type ToolMessage = Extract<Message, { role: 'tool' }>
type ResultPart = Extract<ToolMessage['content'][number], { type: 'tool-result' }>
type Output = ResultPart['output']

/** The results of calls, in order, as the model reads them; errors included, so that it can correct them. */
export const toolResults = (
  calls: readonly ToolCall[],
  outcomes: readonly ToolOutcome[],
): ToolMessage => ({
  role: 'tool',
  content: calls.map((call, index) => part(call, outputOf(outcomes[index]))),
})

/** The same result for all calls, none of which ran. */
export const notRun = (calls: readonly ToolCall[], why: string): ToolMessage => ({
  role: 'tool',
  content: calls.map((call) => part(call, { type: 'error-text', value: `not run: ${why}` })),
})

const part = ({ id, tool }: ToolCall, output: Output): ResultPart => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: tool,
  output,
})

const LOST: Output = { type: 'error-text', value: 'nothing came of the call' }

function outputOf(outcome: ToolOutcome | undefined): Output {
  if (outcome === undefined) return LOST
  switch (outcome.type) {
    case 'ok':
      return typeof outcome.value === 'string'
        ? { type: 'text', value: outcome.value }
        : { type: 'json', value: outcome.value }
    case 'error':
      return { type: 'error-text', value: `${outcome.code}: ${outcome.message}` }
    case 'denied':
      return { type: 'execution-denied', reason: outcome.reason }
    case 'refused':
      return {
        type: 'error-text',
        value: `not run: ${outcome.reason ?? `the limit of ${outcome.limit} is used up; answer with what there is`}`,
      }
    case 'unknown':
      return {
        type: 'error-text',
        value: `it is not known whether this was done: ${outcome.message}`,
      }
  }
}
