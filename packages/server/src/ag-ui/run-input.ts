import type { Message as AgUiMessage } from '@ag-ui/core'
import { z } from 'zod'
import { isJson, isJsonObject, type Json, type JsonObject, type Message } from 'echelon/runtime'
import type { ClientTool, ServedAgent, TurnFile, TurnInput } from '../agents/served-agent.ts'
import { HttpProblem } from '../http/problem.ts'

const MOST_MESSAGES = 5000
const MOST_TOOLS = 128
const MOST_CONTEXTS = 128
const MOST_FILES = 20

type Source =
  | { readonly type: 'data'; readonly value: string; readonly mimeType: string }
  | { readonly type: 'url' | 'file'; readonly value: string }

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio' | 'video' | 'document'; readonly source: Source }
  /** As clients before 1.0 send files. */
  | {
      readonly type: 'binary'
      readonly mimeType: string
      readonly data?: string | undefined
      readonly filename?: string | undefined
    }

type Content = string | readonly Part[]

interface SentToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

type SentMessage =
  | { readonly role: 'developer' | 'system'; readonly id: string; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly id: string
      readonly content?: string | undefined
      readonly toolCalls?: readonly SentToolCall[] | undefined
    }
  | { readonly role: 'user'; readonly id: string; readonly content: Content }
  | {
      readonly role: 'tool'
      readonly id: string
      readonly content: Content
      readonly toolCallId: string
      readonly error?: string | undefined
    }
  | { readonly role: 'activity' | 'reasoning'; readonly id: string }

export interface ResumeEntry {
  readonly interruptId: string
  readonly status: 'resolved' | 'cancelled'
  readonly payload?: Json | undefined
}

interface SentTool {
  readonly name: string
  readonly description?: string | undefined
  readonly parameters?: JsonObject | undefined
}

/** A request of an AG-UI client, checked and bounded. */
export interface RunInput {
  readonly threadId: string
  readonly runId: string
  readonly protocolVersion?: string | undefined
  readonly state?: Json | undefined
  readonly messages: readonly SentMessage[]
  readonly tools?: readonly SentTool[] | undefined
  readonly context?: readonly { readonly description: string; readonly value: string }[] | undefined
  readonly forwardedProps?: Json | undefined
  readonly resume?: readonly ResumeEntry[] | undefined
}

const id = z.string().min(1).max(256)
const json = z.custom<Json>((value) => isJson(value))
const jsonObject = z.custom<JsonObject>((value) => isJson(value) && isJsonObject(value))

/** Released clients send `null` for what is absent. */
function absentIfNull<Value>(schema: z.ZodType<Value>): z.ZodType<Value | undefined> {
  return z.preprocess((value) => value ?? undefined, schema.optional())
}

const mimeType = z.string().max(200)
const source: z.ZodType<Source> = z.union([
  z.object({ type: z.literal('data'), value: z.string(), mimeType }),
  z.object({ type: z.enum(['url', 'file']), value: z.string() }),
])
const part: z.ZodType<Part> = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio', 'video', 'document']), source }),
  z.object({
    type: z.literal('binary'),
    mimeType,
    data: absentIfNull(z.string()),
    filename: absentIfNull(z.string().max(255)),
  }),
])
const content: z.ZodType<Content> = z.union([z.string(), z.array(part).max(200)])

const toolCall: z.ZodType<SentToolCall> = z.object({
  id,
  type: z.literal('function'),
  function: z.object({ name: z.string().max(256), arguments: z.string() }),
})
const message: z.ZodType<SentMessage> = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['developer', 'system']), id, content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    id,
    content: absentIfNull(z.string()),
    toolCalls: absentIfNull(z.array(toolCall).max(200)),
  }),
  z.object({ role: z.literal('user'), id, content }),
  z.object({
    role: z.literal('tool'),
    id,
    content,
    toolCallId: id,
    error: absentIfNull(z.string()),
  }),
  z.object({ role: z.enum(['activity', 'reasoning']), id }),
])

const resumeEntry: z.ZodType<ResumeEntry> = z.object({
  interruptId: z.string().min(1).max(1024),
  status: z.enum(['resolved', 'cancelled']),
  payload: json.optional(),
})

const tool: z.ZodType<SentTool> = z.object({
  name: z.string().min(1).max(128),
  description: absentIfNull(z.string().max(20_000)),
  parameters: absentIfNull(jsonObject),
})

const context = z.object({ description: z.string(), value: z.string() })

const runInput: z.ZodType<RunInput> = z.object({
  threadId: id,
  runId: id,
  protocolVersion: absentIfNull(z.string().max(32)),
  state: absentIfNull(json),
  messages: z.array(message).max(MOST_MESSAGES),
  tools: absentIfNull(z.array(tool).max(MOST_TOOLS)),
  context: absentIfNull(z.array(context).max(MOST_CONTEXTS)),
  forwardedProps: absentIfNull(json),
  resume: absentIfNull(z.array(resumeEntry).max(64)),
})

/** @throws HttpProblem 400 with the first place that is wrong */
export function readRunInput(body: unknown): RunInput {
  const read = runInput.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const place = issue?.path.join('.') ?? ''
  throw new HttpProblem(
    400,
    'invalid_input',
    `${place === '' ? 'the body' : place.slice(0, 200)}: ${issue?.message ?? 'is not valid'}`,
  )
}

/** Whether the client knows AG-UI 1.0. Older ones send no version. */
export const knows1 = ({ protocolVersion = '0' }: RunInput): boolean =>
  Number.parseInt(protocolVersion, 10) >= 1

/** The messages as they were sent, for a snapshot. They were checked by `readRunInput`. */
export const sentMessages = ({ messages }: RunInput): readonly AgUiMessage[] =>
  messages.flatMap((sent): AgUiMessage[] => {
    const { id: messageId } = sent
    switch (sent.role) {
      case 'developer':
      case 'system':
        return [{ id: messageId, role: sent.role, content: sent.content }]
      case 'user':
        return [{ id: messageId, role: 'user', content: userContent(sent.content) }]
      case 'assistant': {
        const { content: text, toolCalls } = sent
        const said = text !== undefined && { content: text }
        const calls = toolCalls && { toolCalls: toolCalls.map((call) => ({ ...call })) }
        return [{ id: messageId, role: 'assistant', ...said, ...calls }]
      }
      case 'tool': {
        const { toolCallId, error } = sent
        const failed = error !== undefined && { error }
        return [
          { id: messageId, role: 'tool', toolCallId, content: textIn(sent.content), ...failed },
        ]
      }
      case 'activity':
      case 'reasoning':
        return []
    }
  })

type UserContent = Extract<AgUiMessage, { role: 'user' }>['content']

const userContent = (given: Content): UserContent =>
  typeof given === 'string' ? given : given.flatMap((one) => (one.type === 'binary' ? [] : [one]))

/** The text of a content, without its files. */
export const textIn = (given: Content): string =>
  typeof given === 'string'
    ? given
    : given.map((one) => (one.type === 'text' ? one.text : '')).join('')

/**
 * The input of a turn: the last message, which is the user's, and what a server without the conversation needs.
 * @param isNew whether the server does not have the thread, so that the client's messages are its history
 * @throws HttpProblem 400
 */
export function turnInputOf(
  input: RunInput,
  { accepts }: Pick<ServedAgent, 'accepts'>,
  { isNew }: { readonly isNew: boolean },
): TurnInput {
  const last = input.messages.at(-1)
  if (last?.role !== 'user') {
    throw new HttpProblem(400, 'invalid_input', 'the last message must be from the user')
  }
  const { options, output } = extrasIn(input.forwardedProps)
  const files = filesIn(last.content)
  if (files.length > 0 && !accepts.files) {
    throw new HttpProblem(400, 'invalid_input', 'this agent takes no files; send text')
  }
  const text = textIn(last.content) + (accepts.history ? contextText(input) : '')
  if (text === '' && files.length === 0) {
    throw new HttpProblem(400, 'invalid_input', 'the last message is empty')
  }
  const tools: readonly ClientTool[] = accepts.tools ? (input.tools ?? []).map(clientTool) : []
  const history = accepts.history && isNew ? historyIn(input) : []
  return {
    text,
    ...(files.length > 0 && { files }),
    ...(history.length > 0 && { history }),
    ...(tools.length > 0 && { tools }),
    ...(options !== undefined && { options }),
    ...(output !== undefined && accepts.output && { output }),
  }
}

const clientTool = ({
  name,
  description = '',
  parameters = { type: 'object', properties: {} },
}: NonNullable<RunInput['tools']>[number]): ClientTool => ({ name, description, parameters })

/** Our own extras are in `forwardedProps.echelon`, beside those of others. */
function extrasIn(forwarded: Json | undefined): {
  readonly options?: JsonObject
  readonly output?: JsonObject
} {
  const own = isJsonObject(forwarded) ? forwarded['echelon'] : undefined
  if (!isJsonObject(own)) return {}
  const { options, output } = own
  return {
    ...(isJsonObject(options) && { options }),
    ...(isJsonObject(output) && { output }),
  }
}

/** Context from the application, such as the page that the user looks at. */
const contextText = ({ context = [] }: RunInput): string =>
  context.length === 0
    ? ''
    : `\n\nContext from the application:\n${context.map(({ description, value }) => `- ${description}: ${value}`).join('\n')}`

/** Only what was said: results of tools belong to runs of a server that has them. */
const historyIn = ({ messages }: RunInput): readonly Message[] =>
  messages.slice(0, -1).flatMap((sent): Message[] => {
    switch (sent.role) {
      case 'system':
      case 'developer':
        return sent.content === '' ? [] : [{ role: 'system', content: sent.content }]
      case 'user': {
        const text = textIn(sent.content)
        return text === '' ? [] : [{ role: 'user', content: [{ type: 'text', text }] }]
      }
      case 'assistant': {
        const { content: text = '' } = sent
        return text === '' ? [] : [{ role: 'assistant', content: [{ type: 'text', text }] }]
      }
      case 'tool':
      case 'activity':
      case 'reasoning':
        return []
    }
  })

function filesIn(given: Content): readonly TurnFile[] {
  if (typeof given === 'string') return []
  const files = given.flatMap((one) => (one.type === 'text' ? [] : [fileOf(one)]))
  if (files.length > MOST_FILES) {
    throw new HttpProblem(400, 'invalid_input', `send at most ${MOST_FILES} files in a message`)
  }
  return files
}

function fileOf(given: Exclude<Part, { type: 'text' }>): TurnFile {
  if (given.type === 'binary') {
    const { data, mimeType: mediaType, filename: name = null } = given
    if (data !== undefined) return { name, mediaType, data }
  } else if (given.source.type === 'data') {
    return { name: null, mediaType: given.source.mimeType, data: given.source.value }
  }
  throw new HttpProblem(400, 'invalid_input', 'send files as data; addresses are not fetched')
}
