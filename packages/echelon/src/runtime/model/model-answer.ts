import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  SharedV4ProviderMetadata,
  SharedV4Warning,
} from '@ai-sdk/provider'
import type { Usage } from '../../core/model/model.ts'
import type { AssistantContent } from '../../core/message/thread.ts'
import type { ToolCall } from '../../core/tool/tool.ts'
import type { AnsweredBy } from '../../core/observability/tracing.ts'
import { contentToKeep } from './answer-content.ts'
import { readUsage } from './believed-usage.ts'
import { StreamedContent } from './streamed-content.ts'
import { toolInput } from '../tools/tool-input.ts'

/** A model's answer, streamed or not. */
export interface ModelAnswer {
  readonly text: string
  /** Calls for the run to make; those that the provider made itself are only part of `content`. */
  readonly calls: readonly ToolCall[]
  /** The answer as a conversation keeps it, if that is more than its text and calls. */
  readonly content?: AssistantContent
  readonly finish: LanguageModelV4FinishReason['unified']
  /** Undefined if the provider reported none, or implausible usage. */
  readonly usage: Usage | undefined
  /** Why the reported usage is implausible. */
  readonly doubt?: string
  readonly warnings: readonly SharedV4Warning[]
  /** The provider's metadata of the whole answer. */
  readonly metadata?: SharedV4ProviderMetadata
}

/**
 * Reads an answer that is not streamed. One without content, reason and usage is a failure: some servers
 * send an error as a success, which not every package detects.
 */
export function readResult(
  result: LanguageModelV4GenerateResult,
  most: number = Infinity,
): ModelAnswer {
  const characters = result.content.reduce((sum, part) => sum + charactersOf(part), 0)
  if (characters > most) throw new AnswerTooLong(most)
  const answer = answerOf(result)
  if (result.content.length === 0 && answer.finish === 'other' && answer.usage === undefined) {
    throw new CutAnswer('the answer holds neither text nor a reason')
  }
  return answer
}

/** Receives an answer as it arrives, except its text. */
export interface StreamListener {
  /** Called for each part of the answer before it is processed; not for announcements. */
  readonly onPart?: (() => void) | undefined
  readonly onAnswered?: ((by: AnsweredBy) => void) | undefined
  /** Maximum characters of the answer; default no limit. */
  readonly most?: number | undefined
}

/**
 * Reads a streamed answer; `onText` receives each piece of text. A stream that reports an error or ends
 * without its finish part throws, like a call without an answer. The answer is complete with its finish
 * part, though a provider may keep the stream open.
 */
export async function readStream(
  stream: AsyncIterable<LanguageModelV4StreamPart>,
  onText: (delta: string) => void,
  { onPart, onAnswered, most = Infinity }: StreamListener = NOBODY,
): Promise<ModelAnswer> {
  const content = new StreamedContent()
  let warnings: readonly SharedV4Warning[] = []
  const parts = stream[Symbol.asyncIterator]()
  let characters = 0
  try {
    for (;;) {
      const next = await parts.next()
      if (next.done === true) throw new CutAnswer('the stream ended before the answer did')
      const part = next.value
      characters += charactersOf(part)
      if (characters > most) throw new AnswerTooLong(most)
      if (part.type === 'text-delta') {
        onPart?.()
        content.addText(part)
        onText(part.delta)
      } else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') {
        return answerOf({ ...part, content: content.parts(), warnings })
      } else if (part.type === 'stream-start') ({ warnings } = part)
      else if (part.type === 'response-metadata') onAnswered?.(part)
      else {
        onPart?.()
        content.add(part)
      }
    }
  } finally {
    hangUp(parts)
  }
}

const NOBODY: StreamListener = {}

/** Not awaited: a stream that does not close must not block the run. */
function hangUp(parts: AsyncIterator<LanguageModelV4StreamPart>): void {
  parts.return?.().then(undefined, () => undefined)
}

/** Length of what the model itself wrote in a part: text, reasoning and call arguments. */
function charactersOf(part: LanguageModelV4StreamPart | LanguageModelV4Content): number {
  const { type } = part
  if (type === 'text' || type === 'reasoning') return part.text.length
  if (type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-input-delta') {
    return part.delta.length
  }
  return type === 'tool-call' ? part.input.length : 0
}

/** An answer longer than all tokens that it was allowed. */
class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'

  constructor(most: number) {
    super(`the answer has more than ${most} characters, which is more than the call allowed`)
  }
}

/** An incomplete answer, which is retryable. Has the shape of provider errors. */
export class CutAnswer extends Error {
  override readonly name = 'AI_APICallError'
}

type Whole = Pick<LanguageModelV4GenerateResult, 'finishReason' | 'usage' | 'providerMetadata'> & {
  readonly content: readonly LanguageModelV4Content[]
  readonly warnings: readonly SharedV4Warning[]
}

function answerOf({
  content,
  finishReason,
  usage,
  warnings,
  providerMetadata,
}: Whole): ModelAnswer {
  let text = ''
  const calls: ToolCall[] = []
  for (const part of content) {
    if (part.type === 'text') text += part.text
    else if (part.type === 'tool-call' && part.providerExecuted !== true) {
      calls.push(toToolCall(part))
    }
  }
  const kept = contentToKeep(content)
  const finish = finishReason.unified
  const reported = readUsage(usage)
  const answer: ModelAnswer = {
    text,
    calls,
    finish,
    usage: reported.type === 'plausible' ? reported.usage : undefined,
    warnings,
    ...(reported.type === 'impossible' && { doubt: reported.why }),
  }
  if (kept === undefined && providerMetadata === undefined) return answer
  return {
    ...answer,
    ...(kept && { content: kept }),
    ...(providerMetadata && { metadata: providerMetadata }),
  }
}

const toToolCall = (part: LanguageModelV4ToolCall): ToolCall => ({
  id: part.toolCallId,
  tool: part.toolName,
  input: toolInput(part.input),
})
