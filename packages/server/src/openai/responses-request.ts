import { z } from 'zod'
import type { JsonObject } from 'echelon/runtime'
import type { ClientTool } from '../agents/served-agent.ts'
import type { SentFile } from '../http/sent-file.ts'
import { refuseToolChoice } from './chat-request.ts'
import { fileOf, noFileId } from './file-parts.ts'
import { read, unsupported, unusable } from './openai-problem.ts'
import { callInput, type Said } from './said.ts'
import { jsonSchema, toolName } from './tool-form.ts'

const MOST_ITEMS = 2000
const MOST_PARTS = 200
const MOST_TOOLS = 128

const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('input_text'), text: z.string() }),
  z.looseObject({ type: z.literal('output_text'), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  z.looseObject({
    type: z.literal('input_image'),
    image_url: z.string().nullish(),
    file_id: z.string().nullish(),
  }),
  z.looseObject({
    type: z.literal('input_file'),
    file_data: z.string().nullish(),
    file_url: z.string().nullish(),
    filename: z.string().max(255).nullish(),
  }),
])

const content = z.union([z.string(), z.array(part).max(MOST_PARTS)])
const id = z.string().min(1).max(200)

/** A message may come without a type. */
const item = z.union([
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'system', 'developer', 'assistant']),
    content,
  }),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: id,
    name: toolName,
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: id, output: content }),
  z.looseObject({ type: z.literal('reasoning') }),
])

const schema = z.looseObject({
  model: z.string().min(1).max(200),
  input: z.union([z.string(), z.array(item).min(1).max(MOST_ITEMS)], {
    error: 'give a text, or a list of messages, function_call and function_call_output items',
  }),
  instructions: z.string().nullish(),
  previous_response_id: z.string().min(1).max(200).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function', { error: 'only tools of the type function can be used' }),
        name: toolName,
        description: z.string().nullish(),
        parameters: jsonSchema.nullish(),
      }),
    )
    .max(MOST_TOOLS)
    .nullish(),
  tool_choice: z.unknown().optional(),
  text: z
    .looseObject({
      format: z
        .discriminatedUnion('type', [
          z.looseObject({ type: z.literal('text') }),
          z.looseObject({ type: z.literal('json_object') }),
          z.looseObject({ type: z.literal('json_schema'), schema: jsonSchema }),
        ])
        .nullish(),
    })
    .nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  top_logprobs: z.number().nullish(),
  background: z.boolean().nullish(),
  conversation: z.unknown().optional(),
  prompt: z.unknown().optional(),
})

type Body = z.output<typeof schema>

/** A request for a response, read and checked. */
export interface ResponseRequest {
  readonly model: string
  readonly said: readonly Said[]
  readonly previous: string | undefined
  /** Whether the conversation can be continued by the response's id. */
  readonly isStored: boolean
  readonly isStream: boolean
  readonly tools: readonly ClientTool[]
  readonly output: JsonObject | undefined
  /** Fields of the request that the response repeats. */
  readonly echo: JsonObject
}

/** @throws HttpProblem 400 */
export function readResponseRequest(body: JsonObject): ResponseRequest {
  const given = read(schema, body)
  refuseUnusable(given)
  const { model, input, instructions, previous_response_id: previous, store, stream } = given
  const items = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input
  const said = items.flatMap(saidOf)
  const isStored = store !== false
  return {
    model,
    said: instructions == null ? said : [{ role: 'system', text: instructions }, ...said],
    previous: previous ?? undefined,
    isStored,
    isStream: stream === true,
    tools: given.tool_choice === 'none' ? [] : (given.tools ?? []).map(toolOf),
    output: outputOf(given.text?.format),
    echo: echoOf(body, given),
  }
}

function refuseUnusable(given: Body): void {
  if (given.background === true) {
    throw unsupported('background', 'responses do not run in the background; leave it out')
  }
  if (given.top_logprobs != null && given.top_logprobs !== 0) {
    throw unsupported('top_logprobs', 'there are no logprobs; leave them out')
  }
  if (given.conversation != null) {
    throw unsupported('conversation', 'use previous_response_id to continue a conversation')
  }
  if (given.prompt != null) throw unsupported('prompt', 'there are no stored prompts')
  refuseToolChoice(given.tool_choice)
}

function saidOf(given: z.output<typeof item>, index: number): readonly Said[] {
  const at = `input.${index}`
  if (given.type === undefined || given.type === 'message') {
    const { role, content: said } = given
    const text = textOf(said)
    if (role === 'assistant') return [{ role, text, calls: [] }]
    if (role !== 'user') return [{ role: 'system', text }]
    return [{ role, text, files: filesIn(said, `${at}.content`) }]
  }
  switch (given.type) {
    case 'function_call': {
      const { call_id, name, arguments: input } = given
      const call = { id: call_id, tool: name, input: callInput(`${at}.arguments`, input) }
      return [{ role: 'assistant', text: '', calls: [call] }]
    }
    case 'function_call_output':
      return [{ role: 'tool', id: given.call_id, text: textOf(given.output) }]
    case 'reasoning':
      return []
  }
}

const textOf = (said: z.output<typeof content>): string =>
  typeof said === 'string' ? said : said.flatMap(wordsOf).join('\n\n')

function wordsOf(one: z.output<typeof part>): readonly string[] {
  switch (one.type) {
    case 'input_text':
    case 'output_text':
      return [one.text]
    case 'refusal':
      return [one.refusal]
    case 'input_image':
    case 'input_file':
      return []
  }
}

function filesIn(said: z.output<typeof content>, at: string): readonly SentFile[] {
  if (typeof said === 'string') return []
  return said.flatMap((one): readonly SentFile[] => {
    if (one.type === 'input_image') {
      if (one.image_url == null) throw noFileId(at)
      return [fileOf(at, one.image_url, null)]
    }
    if (one.type !== 'input_file') return []
    const data = one.file_data ?? one.file_url
    if (data == null) throw noFileId(at)
    return [fileOf(at, data, one.filename ?? null)]
  })
}

const toolOf = ({ name, description, parameters }: NonNullable<Body['tools']>[number]) => ({
  name,
  description: description ?? '',
  parameters: parameters ?? { type: 'object', properties: {} },
})

function outputOf(format: NonNullable<Body['text']>['format']): JsonObject | undefined {
  if (format?.type === 'json_schema') return format.schema
  return format?.type === 'json_object' ? { type: 'object' } : undefined
}

/** @throws HttpProblem 400 for metadata that OpenAI would not take */
function echoOf(body: JsonObject, given: Body): JsonObject {
  const { metadata, previous_response_id, store } = given
  if (metadata != null && Object.keys(metadata).length > 16) {
    throw unusable('metadata', 'metadata has at most 16 entries')
  }
  const echo = (name: string, otherwise: JsonObject[string]): JsonObject[string] =>
    body[name] ?? otherwise
  return {
    previous_response_id: previous_response_id ?? null,
    store: store !== false,
    metadata: metadata ?? {},
    instructions: given.instructions ?? null,
    tools: echo('tools', []),
    tool_choice: echo('tool_choice', 'auto'),
    text: echo('text', { format: { type: 'text' } }),
    parallel_tool_calls: true,
    temperature: null,
    top_p: null,
    max_output_tokens: null,
    truncation: 'disabled',
    reasoning: { effort: null, summary: null },
  }
}
