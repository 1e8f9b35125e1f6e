import type { JsonObject, Json, Message } from 'echelon/runtime'
import type { ClientTool, ServedAgent, TurnFile, TurnInput } from '../agents/served-agent.ts'
import { fetchedFiles, type SentFile } from '../http/sent-file.ts'
import { unsupported, unusable } from './openai-problem.ts'

type Words = Exclude<Said, { readonly role: 'user' }>
type UserSaid<File> = {
  readonly role: 'user'
  readonly text: string
  readonly files: readonly File[]
}
/** A message with its files fetched. */
type Fetched = Words | UserSaid<TurnFile>

/** A message of either API, before it is a turn. */
export type Said =
  | { readonly role: 'system'; readonly text: string }
  | UserSaid<SentFile>
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly SaidCall[] }
  | { readonly role: 'tool'; readonly id: string; readonly text: string }

export interface SaidCall {
  readonly id: string
  readonly tool: string
  readonly input: Json
}

export interface Asked {
  readonly said: readonly Said[]
  readonly tools: readonly ClientTool[]
  readonly output: JsonObject | undefined
  /** Whether the agent has the conversation up to the last message. */
  readonly continues?: boolean
}

/**
 * A turn of an agent. An agent without a history gets the last message alone.
 * @throws HttpProblem 400 for what the agent does not take
 */
export async function turnOf(agent: ServedAgent, asked: Asked): Promise<TurnInput> {
  const { said, tools, output, continues } = asked
  const { accepts, name } = agent
  if (tools.length > 0 && !accepts.tools) {
    throw unsupported('tools', `${name} takes no tools; leave them out`)
  }
  if (output !== undefined && !accepts.output) {
    throw unsupported('response_format', `${name} answers in text only; leave the format out`)
  }
  const last = said.at(-1)
  if (last === undefined) throw unusable('messages', 'there is no message; give at least one')
  if (last.role !== 'user' && last.role !== 'tool') {
    throw unusable('messages', 'the last message must be from the user, or the result of a tool')
  }
  if (last.role === 'tool' && !accepts.history) {
    throw unusable('messages', `nothing waits for this result of a tool, and ${name} takes none`)
  }
  if (last.role === 'user' && last.files.length > 0 && !accepts.files) {
    throw unsupported('messages', `${name} takes no files; send text`)
  }
  const fetched = await withFiles(accepts.history ? said : [last])
  const now = fetched.at(-1)
  const files = now?.role === 'user' ? now.files : []
  const earlier = last.role === 'user' ? fetched.slice(0, -1) : fetched
  const history = accepts.history ? messagesOf(continues === true ? dialog(earlier) : earlier) : []
  return {
    text: last.role === 'user' ? last.text : '',
    ...(files.length > 0 && { files }),
    ...(history.length > 0 && { history }),
    ...(tools.length > 0 && { tools }),
    ...(output !== undefined && { output }),
  }
}

async function withFiles(said: readonly Said[]): Promise<readonly Fetched[]> {
  const files = await fetchedFiles(said.flatMap((one) => (one.role === 'user' ? one.files : [])))
  const next = files.values()
  return said.map((one) =>
    one.role === 'user' ? { ...one, files: one.files.flatMap(() => next.next().value ?? []) } : one,
  )
}

/** The conversation has its instructions from its first response. */
const dialog = (said: readonly Fetched[]): readonly Fetched[] =>
  said.filter(({ role }) => role !== 'system')

/** All instructions come first, as models want them. */
function messagesOf(said: readonly Fetched[]): readonly Message[] {
  const tools = new Map<string, string>()
  const instructions: string[] = []
  const messages: Message[] = []
  for (const one of said) {
    if (one.role === 'system') instructions.push(one.text)
    else add(messages, one, tools)
  }
  const content = instructions.filter((text) => text.trim() !== '').join('\n\n')
  return content === '' ? messages : [{ role: 'system', content }, ...messages]
}

/** Blank messages are left out, since models refuse them. */
function add(
  messages: Message[],
  one: Exclude<Fetched, { readonly role: 'system' }>,
  tools: Map<string, string>,
): void {
  if (one.role === 'user') {
    const content = [...textParts(one.text), ...one.files.map(filePart)]
    if (content.length > 0) messages.push({ role: 'user', content })
  } else if (one.role === 'assistant') {
    for (const { id, tool } of one.calls) tools.set(id, tool)
    const calls = one.calls.map(({ id, tool, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: tool,
      input,
    }))
    const content = [...textParts(one.text), ...calls]
    if (content.length > 0) messages.push({ role: 'assistant', content })
  } else {
    const result = {
      type: 'tool-result' as const,
      toolCallId: one.id,
      toolName: tools.get(one.id) ?? 'unknown',
      output: { type: 'text' as const, value: one.text },
    }
    const before = messages.at(-1)
    if (before?.role === 'tool') before.content.push(result)
    else messages.push({ role: 'tool', content: [result] })
  }
}

const textParts = (text: string) => (text.trim() === '' ? [] : [{ type: 'text' as const, text }])

const filePart = ({ name, mediaType, data }: TurnFile) => ({
  type: 'file' as const,
  mediaType,
  data: { type: 'data' as const, data },
  ...(name !== null && { filename: name }),
})

/** The results at the end, which may belong to a run that waits; empty if the last message is not a result. */
export function lastResults(said: readonly Said[]): ReadonlyMap<string, string> {
  const from = said.findLastIndex(({ role }) => role !== 'tool') + 1
  return new Map(
    said.slice(from).flatMap((one) => (one.role === 'tool' ? [[one.id, one.text] as const] : [])),
  )
}

/** The input of a call as JSON. @throws HttpProblem 400 */
export function callInput(param: string, text: string): Json {
  if (text.trim() === '') return {}
  try {
    const input: Json = JSON.parse(text)
    return input
  } catch {
    throw unusable(param, `${param} is not JSON`)
  }
}
