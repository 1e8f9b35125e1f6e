import type { JsonObject } from '../../core/value/json.ts'
import { FAILED, type WireCall, type WireFormat } from './format.ts'
import { openaiError } from './openai-error.ts'
import { asksForUsage, completionUsage } from './openai-usage.ts'
import type { ServerReply } from './script.ts'

/** OpenAI's chat completions, which most servers of open models support too. */
export const openaiChat: WireFormat = {
  takes: (path) => path === '/v1/chat/completions',
  streams: ({ body }) => body['stream'] === true,
  whole: (call, reply) => ({
    ...envelope('chat.completion', call),
    choices: [{ index: 0, message: messageOf(call, reply), finish_reason: finishOf(reply) }],
    ...completionUsage(reply),
  }),
  stream: (call, reply) => ({
    begun: [
      { role: 'assistant' },
      ...thoughtOf(reply),
      ...(reply.text ?? []).map((content) => ({ content })),
    ].map((delta) => chunk(call, delta)),
    finished: [
      ...(reply.refusal === undefined ? [] : [chunk(call, { refusal: reply.refusal })]),
      ...toolCallsOf(call, reply).map((toolCall, index) =>
        chunk(call, { tool_calls: [{ index, ...toolCall }] }),
      ),
      chunk(call, {}, finishOf(reply)),
      ...(asksForUsage(call)
        ? [{ data: { ...envelope(CHUNK, call), choices: [], ...completionUsage(reply) } }]
        : []),
    ],
    failed: [{ data: openaiError(FAILED) }],
    last: [{ data: '[DONE]' }],
  }),
  error: openaiError,
}

const CHUNK = 'chat.completion.chunk'

function chunk(
  call: WireCall,
  delta: JsonObject,
  finish: string | null = null,
): { data: JsonObject } {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return { data: { ...envelope(CHUNK, call), choices } }
}

/** A field of open models' servers, which OpenAI does not have. */
const thoughtOf = ({ thought }: ServerReply): readonly JsonObject[] =>
  thought === undefined ? [] : [{ reasoning_content: thought }]

const messageOf = (call: WireCall, reply: ServerReply): JsonObject => ({
  role: 'assistant',
  content: reply.text === undefined ? null : reply.text.join(''),
  ...thoughtOf(reply)[0],
  ...(reply.refusal === undefined ? {} : { refusal: reply.refusal }),
  ...(reply.toolCalls === undefined ? {} : { tool_calls: toolCallsOf(call, reply) }),
})

const envelope = (object: string, { body, number }: WireCall): JsonObject => ({
  id: `chatcmpl-${number}`,
  object,
  created: 1_700_000_000,
  model: body['model'] ?? null,
})

function finishOf({ finishReason, toolCalls = [] }: ServerReply): string {
  return (finishReason ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop')).replace('-', '_')
}

const toolCallsOf = ({ number }: WireCall, { toolCalls = [] }: ServerReply): JsonObject[] =>
  toolCalls.map(({ tool, input }, index) => ({
    id: `call-${number}-${index + 1}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(input) },
  }))
