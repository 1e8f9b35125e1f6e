import type {
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { isJson, type Json } from '../core/json.ts'
import type { Usage } from '../core/model.ts'
import type { AssistantContent } from '../core/thread.ts'
import type { ToolCall } from '../core/tool.ts'

/** A model's answer, however it came. */
export interface ModelAnswer {
  readonly text: string
  readonly calls: readonly ToolCall[]
  readonly finish: LanguageModelV4FinishReason['unified']
  /** Nothing when the provider did not say. */
  readonly usage: Usage | undefined
  readonly warnings: readonly SharedV4Warning[]
  /** The answer as a conversation keeps it, where that is more than its text and calls. */
  readonly content?: AssistantContent
  /** What the provider says of the whole answer. */
  readonly metadata?: unknown
}

/**
 * An answer that came at once. One without content, reason and usage is none: so an error arrives
 * that a server sends as a success, where the package does not look for one.
 */
export function readResult(result: LanguageModelV4GenerateResult): ModelAnswer {
  const texts: string[] = []
  const calls: ToolCall[] = []
  for (const part of result.content) {
    if (part.type === 'text') texts.push(part.text)
    if (part.type === 'tool-call') calls.push(toToolCall(part))
  }
  const finish = result.finishReason.unified
  const usage = toUsage(result.usage)
  if (result.content.length === 0 && finish === 'other' && usage === undefined) {
    throw new CutAnswer('the answer holds neither text nor a reason')
  }
  return { text: texts.join(''), calls, finish, usage, warnings: result.warnings }
}

/**
 * An answer that comes in parts; `onText` hears each piece of text. A stream that reports an error
 * or ends without its finish part is a failure and throws, like a call that was never answered.
 */
export async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onText: (delta: string) => void,
): Promise<ModelAnswer> {
  const texts: string[] = []
  const calls: ToolCall[] = []
  let warnings: readonly SharedV4Warning[] = []
  let end: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined
  for await (const part of stream) {
    if (part.type === 'text-delta') {
      texts.push(part.delta)
      onText(part.delta)
    } else if (part.type === 'tool-call') calls.push(toToolCall(part))
    else if (part.type === 'stream-start') ({ warnings } = part)
    else if (part.type === 'error') throw part.error
    else if (part.type === 'finish') end = part
  }
  if (end === undefined) throw new CutAnswer('the stream ended before the answer did')
  const finish = end.finishReason.unified
  return { text: texts.join(''), calls, finish, usage: toUsage(end.usage), warnings }
}

/** An answer that broke off; worth another try. Has the shape that provider errors have. */
export class CutAnswer extends Error {
  override readonly name = 'AI_APICallError'
}

function toToolCall(part: LanguageModelV4ToolCall): ToolCall {
  return { id: part.toolCallId, tool: part.toolName, input: parseInput(part.input) }
}

/** The arguments as JSON; text that is none stays text, which no tool's schema accepts. */
function parseInput(text: string): Json {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : text
  } catch {
    return text
  }
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return undefined
  return { input: inputTokens.total, output: outputTokens.total }
}
