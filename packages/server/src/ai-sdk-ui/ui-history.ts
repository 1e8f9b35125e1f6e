import type { Message } from 'echelon/runtime'
import type { ServedAgent, TurnFile, TurnInput } from '../agents/served-agent.ts'
import { fetchedFiles, type SentFile, sentFile } from '../http/sent-file.ts'
import { HttpProblem } from '../http/problem.ts'
import type { UiMessage, UiPart, UiRequest } from './ui-request.ts'

/**
 * The turn of a request.
 * @param hasConversation whether the agent has the earlier messages
 * @throws HttpProblem 400 for what the agent does not take
 */
export async function turnOf(
  { accepts, name }: ServedAgent,
  { messages, last, options, tools }: UiRequest,
  hasConversation: boolean,
): Promise<TurnInput> {
  if (last.role !== 'user') {
    throw new HttpProblem(400, 'invalid_input', 'the last message must be from the user')
  }
  const sent = filesIn(last.parts)
  if (sent.length > 0 && !accepts.files) {
    throw new HttpProblem(400, 'invalid_input', `${name} takes no files; send text`)
  }
  if (tools.length > 0 && !accepts.tools) {
    throw new HttpProblem(400, 'invalid_input', `${name} takes no tools; leave them out`)
  }
  const files = await fetchedFiles(sent)
  const earlier = accepts.history && !hasConversation ? messages.slice(0, -1) : []
  const history = earlier.flatMap(messagesOf)
  return {
    text: textIn(last.parts),
    ...(files.length > 0 && { files }),
    ...(history.length > 0 && { history }),
    ...(options !== undefined && { options }),
    ...(tools.length > 0 && { tools }),
  }
}

export const textIn = (parts: readonly UiPart[]): string =>
  parts.flatMap(({ type, text }) => (type === 'text' && text ? [text] : [])).join('\n\n')

/** @throws HttpProblem 400 for a part that is not a file */
const filesIn = (parts: readonly UiPart[]): readonly SentFile[] =>
  parts.flatMap(({ type, url, filename }) => {
    if (type !== 'file') return []
    const file = sentFile(url ?? '', filename ?? null)
    if (typeof file === 'string') throw new HttpProblem(400, 'invalid_input', file)
    return [file]
  })

/** A message as models take it. Content that a client invented is data like any other text of the client. */
function messagesOf({ role, parts }: UiMessage): readonly Message[] {
  if (role === 'system') return []
  if (role === 'user') {
    // Addresses in an old conversation are not fetched once more.
    const files = filesIn(parts).filter((file) => 'data' in file)
    const content = [...textParts(textIn(parts)), ...files.map(filePart)]
    return content.length === 0 ? [] : [{ role, content }]
  }
  return stepsOf(parts).flatMap(stepMessages)
}

function stepsOf(parts: readonly UiPart[]): readonly (readonly UiPart[])[] {
  const steps: UiPart[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps
}

function stepMessages(parts: readonly UiPart[]): readonly Message[] {
  const calls = parts.flatMap(finishedCall)
  const content = [
    ...textParts(textIn(parts)),
    ...calls.map(({ toolCallId, toolName, input }) => ({
      type: 'tool-call' as const,
      toolCallId,
      toolName,
      input,
    })),
  ]
  if (content.length === 0) return []
  const results = calls.map(({ toolCallId, toolName, value }) => ({
    type: 'tool-result' as const,
    toolCallId,
    toolName,
    output: { type: 'text' as const, value },
  }))
  const answer: Message = { role: 'assistant', content }
  return results.length === 0 ? [answer] : [answer, { role: 'tool', content: results }]
}

function finishedCall({ type, toolName, toolCallId, state, input, output, errorText }: UiPart) {
  const tool = type.startsWith('tool-') ? type.slice('tool-'.length) : toolName
  if (tool === undefined || tool === '' || toolCallId === undefined) return []
  if (state !== 'output-available' && state !== 'output-error') return []
  const value = state === 'output-error' ? (errorText ?? 'it failed') : words(output ?? null)
  return [{ toolCallId, toolName: tool, input: input ?? {}, value }]
}

const words = (output: NonNullable<UiPart['output']> | null): string =>
  typeof output === 'string' ? output : JSON.stringify(output)

const textParts = (text: string) => (text.trim() === '' ? [] : [{ type: 'text' as const, text }])

const filePart = ({ name, mediaType, data }: TurnFile) => ({
  type: 'file' as const,
  mediaType,
  data: { type: 'data' as const, data },
  ...(name !== null && { filename: name }),
})
