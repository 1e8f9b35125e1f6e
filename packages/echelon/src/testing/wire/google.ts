import type { Json, JsonObject } from '../../core/value/json.ts'
import { FAILED, type WireCall, type WireFormat } from './format.ts'
import type { ServerReply, ServerStatus } from './script.ts'

/** Google's `generateContent`, which streams at a separate path. */
export const googleContent: WireFormat = {
  takes: (path) => PATH.test(path),
  streams: ({ path }) => PATH.exec(path)?.groups?.['stream'] !== undefined,
  whole: (call, reply) =>
    reply.refusal === undefined
      ? answer(
          call,
          [...thoughtPart(reply), ...textPart(reply.text?.join('')), ...toolParts(call, reply)],
          reply,
        )
      : blocked(call, reply),
  stream: (call, reply) => ({
    begun: [...thoughtPart(reply), ...(reply.text ?? []).flatMap(textPart)].map((part) => ({
      data: candidate(call, [part]),
    })),
    finished: [
      {
        data:
          reply.refusal === undefined
            ? answer(call, toolParts(call, reply), reply)
            : blocked(call, reply),
      },
    ],
    failed: [{ data: googleError(FAILED) }],
    last: [],
  }),
  error: googleError,
}

const PATH =
  /^\/v1(?:beta)?\/models\/(?<model>[^/:?]+):(?:generateContent|(?<stream>streamGenerateContent)\?alt=sse)$/

const answer = (call: WireCall, parts: readonly Json[], reply: ServerReply): JsonObject => ({
  ...candidate(call, parts, FINISH_REASONS[reply.finishReason ?? 'stop']),
  ...usageOf(reply),
})

function candidate(call: WireCall, parts: readonly Json[], finishReason?: string): JsonObject {
  const end = finishReason === undefined ? {} : { finishReason }
  return {
    candidates: [{ content: { parts, role: 'model' }, ...end, index: 0 }],
    ...envelope(call),
  }
}

/** A blocked prompt has no candidates; a refusal's words are never sent. */
const blocked = (call: WireCall, reply: ServerReply): JsonObject => ({
  promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
  ...envelope(call),
  ...usageOf({ ...reply, usage: { input: reply.usage?.input ?? 10, output: 0 } }),
})

const envelope = ({ path, number }: WireCall): JsonObject => ({
  modelVersion: PATH.exec(path)?.groups?.['model'] ?? null,
  responseId: `response-${number}`,
})

const textPart = (text: string | undefined): Json[] => (text === undefined ? [] : [{ text }])

const thoughtPart = ({ thought }: ServerReply): Json[] =>
  thought === undefined ? [] : [{ text: thought, thought: true }]

/** The first call after reasoning carries its signature. */
const toolParts = ({ number }: WireCall, { toolCalls = [], thought }: ServerReply): Json[] =>
  toolCalls.map(({ tool, input }, index) => ({
    functionCall: { name: tool, args: input },
    ...(thought === undefined || index > 0 ? {} : { thoughtSignature: `signature-${number}` }),
  }))

/** A tool call ends like any answer. */
const FINISH_REASONS = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
  'tool-calls': 'STOP',
} as const

/** Reasoning is counted apart from the answer; cached tokens are part of the prompt. */
function usageOf({ usage = { input: 10, output: 5 } }: ServerReply): JsonObject {
  if (usage === null) return {}
  const { input, output, cached, reasoning = 0 } = usage
  return {
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output - reasoning,
      totalTokenCount: input + output,
      ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
      ...(cached === undefined ? {} : { cachedContentTokenCount: cached }),
    },
  }
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

function googleError({
  status,
  message = `status ${status}`,
  code = STATUS_NAMES[status] ?? 'UNKNOWN',
  details,
}: ServerStatus): JsonObject {
  const more = details === undefined ? {} : { details }
  return { error: { code: status, message, status: code, ...more } }
}
