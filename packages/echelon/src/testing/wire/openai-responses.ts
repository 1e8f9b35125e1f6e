import { isJsonArray, type JsonObject } from '../../core/value/json.ts'
import { FAILED, type WireCall, type WireEvent, type WireFormat } from './format.ts'
import { openaiError } from './openai-error.ts'
import { spentBy } from './openai-usage.ts'
import type { ServerReply } from './script.ts'

/**
 * OpenAI's responses: an answer is a list of items, and a stream reports how each of them grows.
 */
export const openaiResponses: WireFormat = {
  takes: (path) => path === '/v1/responses',
  streams: ({ body }) => body['stream'] === true,
  whole: (call, reply) => responseOf(call, reply),
  stream: (call, reply) => {
    const begun = beginning(call, reply)
    const finished = ending(call, reply)
    const failed = [{ type: 'error', code: 'server_error', message: FAILED.message, param: null }]
    return {
      begun: numbered(begun),
      finished: numbered(finished, begun.length),
      failed: numbered(failed, begun.length),
      last: [],
    }
  },
  error: openaiError,
  failure: (call) => ({
    ...envelope(call, 'failed'),
    error: { code: 'server_error', message: FAILED.message },
    output: [],
  }),
}

/** An event before numbering; the wire format repeats the type. */
type StreamEvent = JsonObject & { readonly type: string }

const numbered = (events: readonly StreamEvent[], from = 0): readonly WireEvent[] =>
  events.map((event, index) => ({
    event: event.type,
    data: { ...event, sequence_number: from + index },
  }))

function beginning(call: WireCall, reply: ServerReply): readonly StreamEvent[] {
  const response = { ...envelope(call, 'in_progress'), output: [] }
  const { text = [] } = reply
  const output_index = thoughtsOf(call, reply).length
  const place = { item_id: messageId(call), output_index, content_index: 0 }
  const item = { ...messageItem(call, []), status: 'in_progress' }
  return [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...thoughtsOf(call, reply).flatMap(itemAtOnce),
    ...(hasMessage(reply) ? [{ type: 'response.output_item.added', output_index, item }] : []),
    ...(text.length > 0
      ? [{ type: 'response.content_part.added', ...place, part: textPart('') }]
      : []),
    ...text.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
  ]
}

function ending(call: WireCall, reply: ServerReply): readonly StreamEvent[] {
  const items = itemsOf(call, reply)
  const calls = callsOf(call, reply)
  const response = responseOf(call, reply)
  const type = response['status'] === 'completed' ? 'response.completed' : 'response.incomplete'
  return [
    ...partsDone(call, reply),
    ...calls.flatMap((item, index) => grownCall(item, items.length - calls.length + index)),
    { type, response },
  ]
}

/** The end of the message: each of its parts, and the item itself. */
function partsDone(call: WireCall, reply: ServerReply): readonly StreamEvent[] {
  if (!hasMessage(reply)) return []
  const output_index = thoughtsOf(call, reply).length
  const parts = partsOf(reply)
  return [
    ...parts.flatMap((part, content_index) =>
      partDone(part, { item_id: messageId(call), output_index, content_index }),
    ),
    { type: 'response.output_item.done', output_index, item: messageItem(call, parts) },
  ]
}

/** Text was already streamed; a refusal comes in one piece. */
function partDone(part: Part, place: JsonObject): readonly StreamEvent[] {
  const done = { type: 'response.content_part.done', ...place, part }
  if (part.type === 'output_text') {
    return [{ type: 'response.output_text.done', ...place, text: part.text, logprobs: [] }, done]
  }
  return [
    { type: 'response.content_part.added', ...place, part: { ...part, refusal: '' } },
    { type: 'response.refusal.delta', ...place, delta: part.refusal },
    { type: 'response.refusal.done', ...place, refusal: part.refusal },
    done,
  ]
}

function grownCall(item: JsonObject, output_index: number): readonly StreamEvent[] {
  const { id: item_id = null, arguments: input = null } = item
  const place = { item_id, output_index }
  const empty = { ...item, arguments: '', status: 'in_progress' }
  return [
    { type: 'response.output_item.added', output_index, item: empty },
    { type: 'response.function_call_arguments.delta', ...place, delta: input },
    { type: 'response.function_call_arguments.done', ...place, arguments: input },
    { type: 'response.output_item.done', output_index, item },
  ]
}

const itemAtOnce = (item: JsonObject, output_index: number): readonly StreamEvent[] => [
  { type: 'response.output_item.added', output_index, item },
  { type: 'response.output_item.done', output_index, item },
]

function responseOf(call: WireCall, reply: ServerReply): JsonObject {
  const reason = INCOMPLETE[reply.finishReason ?? 'stop']
  const usage = usageOf(reply)
  return {
    ...envelope(call, reason === undefined ? 'completed' : 'incomplete'),
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    output: itemsOf(call, reply),
    ...(usage === null ? {} : { usage }),
  }
}

const INCOMPLETE: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

const envelope = ({ body, number }: WireCall, status: string): JsonObject => ({
  id: `resp_${number}`,
  object: 'response',
  created_at: 1_700_000_000,
  status,
  model: body['model'] ?? '',
})

const itemsOf = (call: WireCall, reply: ServerReply): readonly JsonObject[] => [
  ...thoughtsOf(call, reply),
  ...(hasMessage(reply) ? [messageItem(call, partsOf(reply))] : []),
  ...callsOf(call, reply),
]

/** Reasoning is a separate item, whose content is only sent encrypted. */
function thoughtsOf({ body, number }: WireCall, reply: ServerReply): readonly JsonObject[] {
  if ((spentBy(reply)?.reasoning ?? 0) === 0) return []
  const include = body['include'] ?? null
  const inCipher = isJsonArray(include) && include.includes('reasoning.encrypted_content')
  const cipher = inCipher ? { encrypted_content: `cipher-${number}` } : {}
  return [{ id: `rs_${number}`, type: 'reasoning', summary: [], ...cipher }]
}

const hasMessage = ({ text, refusal }: ServerReply): boolean =>
  text !== undefined || refusal !== undefined

const messageId = ({ number }: WireCall): string => `msg_${number}`

const messageItem = (call: WireCall, content: readonly JsonObject[]): JsonObject => ({
  id: messageId(call),
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content,
})

const textPart = (text: string) =>
  ({ type: 'output_text', text, annotations: [], logprobs: [] }) as const

type Part = ReturnType<typeof textPart> | { readonly type: 'refusal'; readonly refusal: string }

const partsOf = ({ text = [], refusal }: ServerReply): readonly Part[] => [
  ...(text.length > 0 ? [textPart(text.join(''))] : []),
  ...(refusal === undefined ? [] : [{ type: 'refusal', refusal } as const]),
]

const callsOf = ({ number }: WireCall, { toolCalls = [] }: ServerReply): readonly JsonObject[] =>
  toolCalls.map(({ tool, input }, index) => ({
    id: `fc_${number}_${index + 1}`,
    type: 'function_call',
    status: 'completed',
    call_id: `call-${number}-${index + 1}`,
    name: tool,
    arguments: JSON.stringify(input),
  }))

function usageOf(reply: ServerReply): JsonObject | null {
  const spent = spentBy(reply)
  if (spent === null) return null
  const { input, output, reasoning = 0 } = spent
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
