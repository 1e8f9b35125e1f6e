import { type Message, type Part, Role, type SendMessageRequest } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors'
import { isJson, isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import { jsonSchemaCheck } from 'echelon/internal/schema'
import type { ServedAgent, TurnFile, TurnInput } from '../agents/served-agent.ts'
import type { OpenRequest } from './turn-to-task.ts'

/** Fetches a file that a message names by its address. */
export type FetchFile = (
  url: string,
) => Promise<{ readonly mediaType: string; readonly data: string }>

const MOST_ID = 200

/** The message of a request, in bounds. @throws RequestMalformedError */
export function messageIn({ message }: SendMessageRequest): Message {
  if (message === undefined) throw new RequestMalformedError('send a message')
  if (message.messageId.trim() === '')
    throw new RequestMalformedError('give the message a messageId')
  if (message.role !== Role.ROLE_USER) {
    throw new RequestMalformedError('send a message with the role user')
  }
  if (message.parts.length === 0) throw new RequestMalformedError('send at least one part')
  for (const id of [message.messageId, message.contextId, message.taskId]) {
    if (id.length > MOST_ID) {
      throw new RequestMalformedError(`an id is longer than ${MOST_ID} characters`)
    }
  }
  return message
}

/** The media types of answers. */
export const OUTPUT_MODES: readonly string[] = ['text/plain', 'application/json']

/** @throws ContentTypeNotSupportedError if the client takes none of what agents answer with */
export function checkOutputModes({ configuration }: SendMessageRequest): void {
  const accepted = configuration?.acceptedOutputModes ?? []
  const fits = (mode: string): boolean =>
    /^(?:\*\/\*|text(?:\/.*)?|application\/(?:json|\*))$/i.test(mode)
  if (accepted.length > 0 && !accepted.some(fits)) {
    throw new ContentTypeNotSupportedError(`answers are ${OUTPUT_MODES.join(' or ')}`)
  }
}

/** The parts of a message that an agent receives. Data parts are given to it as JSON text. */
export async function turnInput(
  {
    message,
    metadata,
  }: { readonly message: Message; readonly metadata: SendMessageRequest['metadata'] },
  agent: ServedAgent,
  fetchFile: FetchFile,
): Promise<TurnInput> {
  const texts: string[] = []
  const files: TurnFile[] = []
  for (const part of message.parts) {
    const text = spokenText(part)
    if (text !== undefined) texts.push(text)
    else if (agent.accepts.files) files.push(await fileOf(part, fetchFile))
    else throw new ContentTypeNotSupportedError(`the agent ${agent.name} takes no files, only text`)
  }
  const options = optionsIn(metadata) ?? optionsIn(message.metadata)
  const text = texts.join('\n')
  if (text.trim() === '' && files.length === 0)
    throw new RequestMalformedError('the message is empty')
  return { text, ...(files.length > 0 && { files }), ...(options !== undefined && { options }) }
}

/** Options of the agent are in the metadata of the request or of the message, as `options`. */
function optionsIn(metadata: Message['metadata']): JsonObject | undefined {
  const options: unknown = metadata?.['options']
  return isJson(options) && isJsonObject(options) ? options : undefined
}

function spokenText({ content }: Part): string | undefined {
  if (content?.$case === 'text') return content.value
  return content?.$case === 'data' ? JSON.stringify(content.value) : undefined
}

async function fileOf(part: Part, fetchFile: FetchFile): Promise<TurnFile> {
  const { content, filename, mediaType } = part
  const name = filename === '' ? null : filename
  if (content?.$case === 'raw') {
    const type = mediaType === '' ? 'application/octet-stream' : mediaType
    return { name, mediaType: type, data: content.value.toString('base64') }
  }
  if (content?.$case !== 'url') throw new RequestMalformedError('a part has no content')
  const file = await fetchFile(content.value)
  return { name, mediaType: mediaType === '' ? file.mediaType : mediaType, data: file.data }
}

export interface Reply {
  readonly request: string
  readonly reply: Json
}

/**
 * The replies in a message to a task that waits. A data part is `{ "request": "…", "reply": … }`; the
 * request may be left out if only one is open, and `choice` is another name for the reply to an approval.
 * Text is a reply only if one request is open: for an approval, one of the choices, or `approve` or `deny`.
 * @throws RequestMalformedError that says how to reply
 */
export function repliesIn({ parts }: Message, open: readonly OpenRequest[]): readonly Reply[] {
  const data = parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))
  if (data.length > 0) return data.map((value: unknown) => dataReply(value, open))
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
  const [only, ...others] = open
  if (texts.length === 0) {
    throw new ContentTypeNotSupportedError('reply with a text or a data part')
  }
  if (only === undefined || others.length > 0) {
    const ids = open.map(({ request }) => request).join(', ')
    throw new RequestMalformedError(
      `several requests are open (${ids}); reply with a data part that names one as "request"`,
    )
  }
  return [textReply(texts.join('\n'), only)]
}

function dataReply(value: unknown, open: readonly OpenRequest[]): Reply {
  if (!isJson(value) || !isJsonObject(value)) {
    throw new RequestMalformedError(
      'a data part of a reply is an object with "request" and "reply"',
    )
  }
  const { request, reply, choice, ...rest } = value
  const named = typeof request === 'string' ? request : undefined
  const meant = named === undefined ? (open.length === 1 ? open[0] : undefined) : byId(open, named)
  if (meant === undefined) {
    const ids = open.map(({ request: id }) => id).join(', ')
    throw new RequestMalformedError(`name one of the open requests as "request": ${ids}`)
  }
  const given = reply ?? choice
  if (meant.type === 'approval') return { request: meant.request, reply: choiceOf(given, meant) }
  return { request: meant.request, reply: fitting([given === undefined ? rest : given], meant) }
}

const byId = (open: readonly OpenRequest[], id: string): OpenRequest | undefined =>
  open.find(({ request }) => request === id)

function textReply(text: string, request: OpenRequest): Reply {
  if (request.type === 'approval') {
    return { request: request.request, reply: choiceOf(text, request) }
  }
  const words: Json = YES_OR_NO[text.trim().toLowerCase()] ?? text
  return { request: request.request, reply: fitting([text, ...jsonIn(text), words], request) }
}

const YES_OR_NO: Readonly<Record<string, boolean>> = { yes: true, no: false }

/** The first reading of a reply that fits the question. @throws RequestMalformedError */
function fitting(
  readings: readonly Json[],
  { schema }: Extract<OpenRequest, { readonly type: 'question' }>,
): Json {
  const check = schema === null ? undefined : jsonSchemaCheck(schema)
  const fit = readings.find((one) => check === undefined || check(one).length === 0)
  if (fit === undefined) {
    const [first = null] = readings
    const [issue] = check?.(first) ?? []
    throw new RequestMalformedError(
      `the reply does not fit the schema of the question: ${issue?.message ?? 'it is another kind of value'}`,
    )
  }
  return fit
}

/** Nothing is guessed: a sentence that holds a choice is not a choice. */
function choiceOf(
  given: Json | undefined,
  { about }: Extract<OpenRequest, { readonly type: 'approval' }>,
): Json {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : ''
  const choice = about.choices.find((one) => one === (word === 'approve' ? 'once' : word))
  if (choice === undefined) {
    const names = ['approve', ...about.choices].join(', ')
    throw new RequestMalformedError(`reply to the approval with exactly one of: ${names}`)
  }
  return choice
}

function jsonIn(text: string): readonly Json[] {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? [value] : []
  } catch {
    return []
  }
}
