import type { JsonObject } from '../../core/value/json.ts'
import { FAILED, type WireCall, type WireFormat } from './format.ts'
import { openaiError } from './openai-error.ts'
import { asksForUsage, completionUsage } from './openai-usage.ts'
import type { ServerReply } from './script.ts'

/**
 * OpenAI's completions, the plain text interface: it has no tools, and a refusal is text with
 * finish reason `content_filter`.
 */
export const openaiCompletions: WireFormat = {
  takes: (path) => path === '/v1/completions',
  streams: ({ body }) => body['stream'] === true,
  whole: (call, reply) => ({
    ...envelope(call),
    choices: [choice(piecesOf(reply).join(''), finishOf(reply))],
    ...completionUsage(reply),
  }),
  stream: (call, reply) => ({
    begun: (reply.text ?? []).map((text) => chunk(call, choice(text))),
    finished: [
      ...(reply.refusal === undefined ? [] : [chunk(call, choice(reply.refusal))]),
      chunk(call, choice('', finishOf(reply))),
      ...(asksForUsage(call)
        ? [{ data: { ...envelope(call), choices: [], ...completionUsage(reply) } }]
        : []),
    ],
    failed: [{ data: openaiError(FAILED) }],
    last: [{ data: '[DONE]' }],
  }),
  error: openaiError,
}

const piecesOf = ({ text = [], refusal }: ServerReply): readonly string[] =>
  refusal === undefined ? text : [...text, refusal]

const chunk = (call: WireCall, one: JsonObject): { data: JsonObject } => ({
  data: { ...envelope(call), choices: [one] },
})

const choice = (text: string, finish: string | null = null): JsonObject => ({
  text,
  index: 0,
  logprobs: null,
  finish_reason: finish,
})

const envelope = ({ body, number }: WireCall): JsonObject => ({
  id: `cmpl-${number}`,
  object: 'text_completion',
  created: 1_700_000_000,
  model: body['model'] ?? null,
})

const finishOf = ({ finishReason = 'stop', refusal }: ServerReply): string =>
  (refusal === undefined ? finishReason : 'content-filter').replace('-', '_')
