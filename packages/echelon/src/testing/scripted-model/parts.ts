import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import {
  isFailure,
  type ScriptedFailure,
  type ScriptedReply,
  type ScriptedToolCall,
  type ScriptedUsage,
} from './answer.ts'

/** An answer, and the number of its call. */
export interface Answered {
  readonly number: number
  readonly answer: ScriptedReply | ScriptedFailure
}

/** The answer in one piece. */
export function generated({ number, answer }: Answered): LanguageModelV4GenerateResult {
  if (isFailure(answer)) throw answer.error
  return { content: contentOf(number, answer), ...endOf(answer), warnings: [] }
}

/** @param wait before each piece but the first */
export async function* streamed(
  { number, answer }: Answered,
  signal: AbortSignal | undefined,
  wait: () => Promise<void>,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  const parts = isFailure(answer) ? openParts('text', answer.after) : replyParts(number, answer)
  let pieces = 0
  for (const part of parts) {
    if (part.type.endsWith('-delta') && pieces++ > 0) await wait()
    signal?.throwIfAborted()
    yield part
  }
  if (!isFailure(answer)) {
    yield { type: 'finish', ...endOf(answer) }
    return
  }
  const { as = 'cut', error } = answer
  if (as === 'cut') throw error
  if (as === 'end') return
  yield { type: 'error', error }
  yield { type: 'finish', ...endOf(BROKEN_OFF) }
}

const BROKEN_OFF: ScriptedReply = { finishReason: 'error', usage: null }

function replyParts(number: number, reply: ScriptedReply): LanguageModelV4StreamPart[] {
  const { reasoning, text, content = [], toolCalls = [] } = reply
  return [
    ...closed('reasoning', openParts('reasoning', reasoning)),
    ...closed('text', openParts('text', text)),
    ...content,
    ...toolCalls.flatMap((one, index) => callParts(one, toolCallOf(number, one, index))),
  ]
}

function callParts(
  { cutAt = [] }: ScriptedToolCall,
  call: LanguageModelV4ToolCall,
): LanguageModelV4StreamPart[] {
  const { toolCallId: id, toolName, input } = call
  const cuts = [0, ...cutAt.toSorted((a, b) => a - b), input.length]
  const pieces = cuts.slice(1).map((cut, index) => input.slice(cuts[index], cut))
  return [
    { type: 'tool-input-start', id, toolName },
    ...pieces.map((delta) => ({ type: 'tool-input-delta', id, delta }) as const),
    { type: 'tool-input-end', id },
    call,
  ]
}

function openParts(
  kind: 'text' | 'reasoning',
  given: ScriptedReply['text'] = [],
): LanguageModelV4StreamPart[] {
  const pieces = typeof given === 'string' ? [given] : given
  if (pieces.length === 0) return []
  const id = `${kind}-1`
  return [
    { type: `${kind}-start`, id },
    ...pieces.map((delta) => ({ type: `${kind}-delta`, id, delta }) as const),
  ]
}

const closed = (
  kind: 'text' | 'reasoning',
  parts: LanguageModelV4StreamPart[],
): LanguageModelV4StreamPart[] =>
  parts.length === 0 ? [] : [...parts, { type: `${kind}-end`, id: `${kind}-1` }]

function contentOf(number: number, reply: ScriptedReply): LanguageModelV4Content[] {
  const { content = [], toolCalls = [] } = reply
  const [reasoning, text] = [joined(reply.reasoning), joined(reply.text)]
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning } as const]),
    ...(text === undefined ? [] : [{ type: 'text', text } as const]),
    ...content,
    ...toolCalls.map((one, index) => toolCallOf(number, one, index)),
  ]
}

const joined = (text: ScriptedReply['text']): string | undefined =>
  typeof text === 'string' ? text : text?.join('')

const toolCallOf = (
  number: number,
  { id, tool, input }: ScriptedToolCall,
  index: number,
): LanguageModelV4ToolCall => ({
  type: 'tool-call',
  toolCallId: id ?? `call-${number}-${index + 1}`,
  toolName: tool,
  input: typeof input === 'string' ? input : JSON.stringify(input),
})

function endOf({
  text = [],
  toolCalls = [],
  finishReason,
  usage,
  providerMetadata,
}: ScriptedReply): Pick<
  LanguageModelV4GenerateResult,
  'finishReason' | 'usage' | 'providerMetadata'
> {
  const unified: LanguageModelV4FinishReason['unified'] =
    finishReason ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop')
  return {
    finishReason: { unified, raw: unified },
    usage: usageOf(usage === undefined ? usualUsage(text) : usage),
    ...(providerMetadata && { providerMetadata }),
  }
}

/** Implausibly few tokens for a long text would be rejected. */
const usualUsage = (text: string | readonly string[]): ScriptedUsage => ({
  input: 10,
  output: Math.max(5, Math.ceil([text].flat().join('').length / 16)),
})

function usageOf(given: ScriptedUsage | null): LanguageModelV4Usage {
  const { input, output, cacheRead, reasoning } = given ?? {}
  const less = (total?: number, part = 0): number | undefined =>
    total === undefined ? undefined : total - part
  return {
    inputTokens: {
      total: input,
      noCache: less(input, cacheRead),
      cacheRead,
      cacheWrite: undefined,
    },
    outputTokens: { total: output, text: less(output, reasoning), reasoning },
  }
}
