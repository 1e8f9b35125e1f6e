import { EchelonError } from 'echelon/internal/value'
import type { Json, Message } from 'echelon/runtime'
import type { AssistantContent } from 'echelon/internal/message'
import type { AIContent, ChatMessage, FunctionResultContent, RunInput } from './content.ts'

/** The input of a run, converted. */
export interface RunMessages {
  readonly messages: readonly Message[]
  /** Replies to earlier requests, by request id. */
  readonly replies: ReadonlyMap<string, Json>
}

/**
 * Converts a caller's messages to those of a conversation, and collects the replies among them.
 * @throws EchelonError INVALID_INPUT with the index of an invalid message
 */
export function readInput(input: RunInput | undefined): RunMessages {
  const replies = new Map<string, Json>()
  const list = (typeof input === 'string' ? [userText(input)] : listOf(input)).map(
    (message, index) => ({
      index,
      role: message.role,
      contents: message.contents.filter((content) => !readReply(content, replies)),
      isReply: message.contents.length > 0,
    }),
  )
  const messages = list
    .filter(({ contents, isReply }) => contents.length > 0 || !isReply)
    .map(({ index, role, contents }) => messageOf(role, contents, index))
  return { messages, replies }
}

const listOf = (input: Exclude<RunInput, string> | undefined): readonly ChatMessage[] => {
  if (input === undefined) return []
  return 'role' in input ? [input] : input
}

const userText = (text: string): ChatMessage => ({
  role: 'user',
  contents: [{ type: 'text', text }],
})

function readReply(content: AIContent, replies: Map<string, Json>): boolean {
  if (content.type === 'toolApprovalResponse') {
    const { requestId, approved, always = false } = content
    const [yes, no] = always ? ['always', 'never'] : ['once', 'deny']
    replies.set(requestId, approved ? yes : no)
    return true
  }
  if (content.type !== 'userInputResponse') return false
  replies.set(content.requestId, content.response)
  return true
}

type PartOf<Role extends Message['role']> = Extract<
  Message,
  { role: Role }
>['content'] extends (infer Part)[]
  ? Part
  : never

function messageOf(
  role: ChatMessage['role'],
  contents: readonly AIContent[],
  index: number,
): Message {
  const refuse = ({ type }: AIContent): never => {
    throw new EchelonError(
      'INVALID_INPUT',
      `message ${index} has role ${role}, which cannot have content of type ${type}; leave it out`,
      { details: { index } },
    )
  }
  switch (role) {
    case 'system':
      return {
        role,
        content: contents
          .map((each) => (each.type === 'text' ? each.text : refuse(each)))
          .join('\n'),
      }
    case 'user':
      return { role, content: contents.map((each) => userPart(each) ?? refuse(each)) }
    case 'assistant':
      return { role, content: contents.map((each) => assistantPart(each) ?? refuse(each)) }
    case 'tool':
      return {
        role,
        content: contents.map((each) =>
          each.type === 'functionResult' ? resultPart(each) : refuse(each),
        ),
      }
  }
}

function userPart(content: AIContent): PartOf<'user'> | undefined {
  if (content.type === 'text') return { type: 'text', text: content.text }
  if (content.type === 'data') {
    const { data, mediaType, name } = content
    const filename = name === undefined ? {} : { filename: name }
    return { type: 'file', mediaType, data: { type: 'data', data }, ...filename }
  }
  if (content.type !== 'uri' || !URL.canParse(content.uri)) return undefined
  return {
    type: 'file',
    mediaType: content.mediaType,
    data: { type: 'url', url: new URL(content.uri) },
  }
}

function assistantPart(content: AIContent): AssistantContent[number] | undefined {
  if (content.type === 'text' || content.type === 'reasoning') {
    return { type: content.type, text: content.text }
  }
  if (content.type !== 'functionCall') return undefined
  const { callId: toolCallId, name: toolName, arguments: input } = content
  return { type: 'tool-call', toolCallId, toolName, input }
}

function resultPart({ callId, name, result, exception }: FunctionResultContent): PartOf<'tool'> {
  const base = { type: 'tool-result', toolCallId: callId, toolName: name } as const
  if (exception !== undefined) return { ...base, output: { type: 'error-text', value: exception } }
  return typeof result === 'string'
    ? { ...base, output: { type: 'text', value: result } }
    : { ...base, output: { type: 'json', value: plainCopy(result) } }
}

/** A copy, because the model interface uses mutable JSON types. */
const plainCopy = (
  value: Json,
): Extract<Extract<PartOf<'tool'>, { type: 'tool-result' }>['output'], { type: 'json' }>['value'] =>
  JSON.parse(JSON.stringify(value))
