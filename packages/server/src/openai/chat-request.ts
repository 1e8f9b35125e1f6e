import { z } from 'zod'
import type { JsonObject } from 'echelon/runtime'
import type { ClientTool } from '../agents/served-agent.ts'
import type { SentFile } from '../http/sent-file.ts'
import { audioOf, fileOf, noFileId } from './file-parts.ts'
import { read, unsupported } from './openai-problem.ts'
import { callInput, type Said } from './said.ts'
import { jsonSchema, toolName } from './tool-form.ts'

const MOST_MESSAGES = 2000
const MOST_PARTS = 200
const MOST_TOOLS = 128

const textPart = z.looseObject({ type: z.literal('text'), text: z.string() })
const texts = z.union([z.string(), z.array(textPart).max(MOST_PARTS)])
const id = z.string().min(1).max(200)

const userPart = z.discriminatedUnion('type', [
  textPart,
  z.looseObject({
    type: z.literal('image_url'),
    image_url: z.looseObject({ url: z.string() }),
  }),
  z.looseObject({
    type: z.literal('file'),
    file: z.looseObject({
      file_data: z.string().optional(),
      filename: z.string().max(255).optional(),
      file_id: z.string().optional(),
    }),
  }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
  }),
])

const assistantPart = z.discriminatedUnion('type', [
  textPart,
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
])

const toolCall = z.looseObject({
  id,
  type: z.literal('function'),
  function: z.looseObject({ name: toolName, arguments: z.string() }),
})

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: texts }),
  z.looseObject({ role: z.literal('developer'), content: texts }),
  z.looseObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(userPart).max(MOST_PARTS)]),
  }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(assistantPart).max(MOST_PARTS)]).nullish(),
    tool_calls: z.array(toolCall).max(MOST_TOOLS).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: id, content: texts }),
])

const schema = z.looseObject({
  model: z.string().min(1).max(200),
  messages: z.array(message).min(1).max(MOST_MESSAGES),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z
    .array(
      z.looseObject({
        type: z.literal('function', { error: 'only tools of the type function can be used' }),
        function: z.looseObject({
          name: toolName,
          description: z.string().nullish(),
          parameters: jsonSchema.nullish(),
        }),
      }),
    )
    .max(MOST_TOOLS)
    .nullish(),
  tool_choice: z.unknown().optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('text') }),
      z.looseObject({ type: z.literal('json_object') }),
      z.looseObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({ schema: jsonSchema }),
      }),
    ])
    .nullish(),
  n: z.number().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.number().nullish(),
  stop: z.unknown().optional(),
  logit_bias: z.record(z.string(), z.unknown()).nullish(),
  modalities: z.array(z.string()).nullish(),
  audio: z.unknown().optional(),
  functions: z.unknown().optional(),
  function_call: z.unknown().optional(),
  web_search_options: z.unknown().optional(),
})

type Body = z.output<typeof schema>

/** A request for a chat completion, read and checked. */
export interface ChatRequest {
  readonly model: string
  readonly said: readonly Said[]
  readonly isStream: boolean
  readonly includesUsage: boolean
  readonly tools: readonly ClientTool[]
  readonly output: JsonObject | undefined
}

/** @throws HttpProblem 400 */
export function readChatRequest(body: JsonObject): ChatRequest {
  const given = read(schema, body)
  refuseUnusable(given)
  return {
    model: given.model,
    said: given.messages.map(saidOf),
    isStream: given.stream === true,
    includesUsage: given.stream_options?.include_usage === true,
    tools: given.tool_choice === 'none' ? [] : (given.tools ?? []).map(toolOf),
    output: outputOf(given.response_format),
  }
}

/** An unsupported option that would change the answer is refused, not ignored. */
function refuseUnusable(given: Body): void {
  const { n, logprobs, top_logprobs, stop, logit_bias, modalities } = given
  if (n != null && n !== 1) throw unsupported('n', 'there is one answer; leave n out')
  if (logprobs === true) throw unsupported('logprobs', 'there are no logprobs; leave them out')
  if (top_logprobs != null && top_logprobs !== 0) {
    throw unsupported('top_logprobs', 'there are no logprobs; leave them out')
  }
  if (stop != null && !(Array.isArray(stop) && stop.length === 0)) {
    throw unsupported('stop', 'answers are not cut at a text; leave stop out')
  }
  if (logit_bias != null && Object.keys(logit_bias).length > 0) {
    throw unsupported('logit_bias', 'tokens cannot be weighted; leave logit_bias out')
  }
  if (modalities != null && modalities.some((one) => one !== 'text')) {
    throw unsupported('modalities', 'answers are text; leave modalities out')
  }
  const never = ['audio', 'functions', 'function_call', 'web_search_options'] as const
  for (const param of never) {
    if (given[param] != null) throw unsupported(param, `${param} cannot be used; leave it out`)
  }
  refuseToolChoice(given.tool_choice)
}

/** @throws HttpProblem 400 for a choice that forces a call */
export function refuseToolChoice(choice: unknown): void {
  if (choice != null && choice !== 'auto' && choice !== 'none') {
    throw unsupported('tool_choice', 'the agent chooses its tools; use auto or none')
  }
}

function saidOf(given: Body['messages'][number], index: number): Said {
  const at = `messages.${index}`
  switch (given.role) {
    case 'system':
    case 'developer':
      return { role: 'system', text: textOf(given.content) }
    case 'user':
      return {
        role: 'user',
        text: textOf(given.content),
        files: typeof given.content === 'string' ? [] : filesIn(given.content, `${at}.content`),
      }
    case 'assistant':
      return {
        role: 'assistant',
        text: textOf(given.content ?? ''),
        calls: (given.tool_calls ?? []).map(
          ({ id: call, function: { name, arguments: input } }) => ({
            id: call,
            tool: name,
            input: callInput(`${at}.tool_calls`, input),
          }),
        ),
      }
    case 'tool':
      return { role: 'tool', id: given.tool_call_id, text: textOf(given.content) }
  }
}

type Part = z.output<typeof userPart> | z.output<typeof assistantPart>

const textOf = (content: string | readonly Part[]): string =>
  typeof content === 'string'
    ? content
    : content
        .flatMap((part) =>
          part.type === 'text' ? [part.text] : part.type === 'refusal' ? [part.refusal] : [],
        )
        .join('\n\n')

const filesIn = (parts: readonly z.output<typeof userPart>[], at: string): readonly SentFile[] =>
  parts.flatMap((part): readonly SentFile[] => {
    switch (part.type) {
      case 'text':
        return []
      case 'image_url':
        return [fileOf(at, part.image_url.url, null)]
      case 'input_audio':
        return [audioOf(at, part.input_audio.data, part.input_audio.format)]
      case 'file':
        if (part.file.file_data === undefined) throw noFileId(at)
        return [fileOf(at, part.file.file_data, part.file.filename ?? null)]
    }
  })

const toolOf = ({ function: tool }: NonNullable<Body['tools']>[number]): ClientTool => ({
  name: tool.name,
  description: tool.description ?? '',
  parameters: tool.parameters ?? NO_PARAMETERS,
})

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} }

function outputOf(format: Body['response_format']): JsonObject | undefined {
  if (format?.type === 'json_schema') return format.json_schema.schema
  return format?.type === 'json_object' ? { type: 'object' } : undefined
}
