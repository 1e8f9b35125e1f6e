import type { JsonObject } from '../../core/value/json.ts'
import { FAILED, type WireCall, type WireEvent, type WireFormat } from './format.ts'
import type { ServerReply, ServerStatus } from './script.ts'

/** Anthropic's messages. Usage is always sent; a script's `null` is sent as zero tokens. */
export const anthropicMessages: WireFormat = {
  takes: (path) => path === '/v1/messages',
  streams: ({ body }) => body['stream'] === true,
  whole: (call, reply) => ({
    ...envelope(call),
    content: [
      ...thoughtBlocks(call, reply),
      ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text.join('') }]),
      ...toolUses(call, reply),
    ],
    ...endOf(reply),
    usage: usageOf(reply),
  }),
  stream: (call, reply) => ({
    begun: [
      start(call, reply),
      ...thoughtBlocks(call, reply).flatMap(thoughtPieces),
      ...(reply.text === undefined ? [] : textPieces(reply.text, textIndex(reply))),
    ],
    finished: [
      ...(reply.text === undefined ? [] : [blockStop(textIndex(reply))]),
      ...toolUses(call, reply).flatMap((block, index) =>
        toolPieces(block, textIndex(reply) + (reply.text === undefined ? 0 : 1) + index),
      ),
      event('message_delta', { delta: endOf(reply), usage: usageOf(reply) }),
      event('message_stop'),
    ],
    failed: [{ event: 'error', data: anthropicError(FAILED) }],
    last: [],
  }),
  error: anthropicError,
}

const event = (type: string, more: JsonObject = {}): WireEvent => ({
  event: type,
  data: { type, ...more },
})

const envelope = ({ body, number }: WireCall): JsonObject => ({
  id: `msg_${number}`,
  type: 'message',
  role: 'assistant',
  model: body['model'] ?? null,
})

/** Input tokens are reported at once; of the output, only the first token. */
function start(call: WireCall, reply: ServerReply): WireEvent {
  const usage = { ...usageOf(reply), output_tokens: 1 }
  const open = { content: [], stop_reason: null, stop_sequence: null, usage }
  return event('message_start', { message: { ...envelope(call), ...open } })
}

const textIndex = ({ thought }: ServerReply): number => (thought === undefined ? 0 : 1)

/**
 * The signature proves that the reasoning is the model's own; without it, later calls reject it.
 */
const thoughtBlocks = ({ number }: WireCall, { thought }: ServerReply) =>
  thought === undefined
    ? []
    : [{ type: 'thinking', thinking: thought, signature: `signature-${number}` }]

const thoughtPieces = ({
  thinking,
  signature,
}: ReturnType<typeof thoughtBlocks>[number]): WireEvent[] => [
  event('content_block_start', {
    index: 0,
    content_block: { type: 'thinking', thinking: '', signature: '' },
  }),
  blockDelta(0, { type: 'thinking_delta', thinking }),
  blockDelta(0, { type: 'signature_delta', signature }),
  blockStop(0),
]

const textPieces = (pieces: readonly string[], index: number): WireEvent[] => [
  event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
  event('ping'),
  ...pieces.map((text) => blockDelta(index, { type: 'text_delta', text })),
]

const toolPieces = ({ input, ...block }: ToolUse, index: number): WireEvent[] => [
  event('content_block_start', { index, content_block: { ...block, input: {} } }),
  blockDelta(index, { type: 'input_json_delta', partial_json: JSON.stringify(input) }),
  blockStop(index),
]

const blockDelta = (index: number, delta: JsonObject): WireEvent =>
  event('content_block_delta', { index, delta })

const blockStop = (index: number): WireEvent => event('content_block_stop', { index })

type ToolUse = ReturnType<typeof toolUses>[number]

const toolUses = ({ number }: WireCall, { toolCalls = [] }: ServerReply) =>
  toolCalls.map(({ tool, input }, index) => ({
    type: 'tool_use',
    id: `toolu_${number}_${index + 1}`,
    name: tool,
    input,
  }))

const STOP_REASONS = {
  stop: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'refusal',
  'tool-calls': 'tool_use',
} as const

/** A refusal is not text; its words are in `stop_details`. */
function endOf({ finishReason, refusal, toolCalls = [] }: ServerReply): JsonObject {
  if (refusal !== undefined) {
    const details = { type: 'refusal', category: null, explanation: refusal }
    return { stop_reason: 'refusal', stop_sequence: null, stop_details: details }
  }
  const reason = finishReason ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop')
  return { stop_reason: STOP_REASONS[reason], stop_sequence: null }
}

/** Cached tokens are not part of `input_tokens`; reasoning is part of the output. */
function usageOf({ usage = { input: 10, output: 5 } }: ServerReply): JsonObject {
  const { input, output, cached = 0, reasoning } = usage ?? { input: 0, output: 0 }
  return {
    input_tokens: input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: output,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  }
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

function anthropicError({ status, message = `status ${status}`, code }: ServerStatus): JsonObject {
  const usual = status >= 500 ? 'api_error' : 'invalid_request_error'
  return { type: 'error', error: { type: code ?? ERROR_TYPES[status] ?? usual, message } }
}
