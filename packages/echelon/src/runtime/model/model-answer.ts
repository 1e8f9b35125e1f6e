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

/** A model's answer, however it came. */
export interface ModelAnswer {
  readonly text: string
  /** What the run is to call; what the provider called itself is part of `content` alone. */
  readonly calls: readonly ToolCall[]
  /** The answer as a conversation keeps it, where that is more than its text and calls. */
  readonly content?: AssistantContent
  readonly finish: LanguageModelV4FinishReason['unified']
  /** Nothing when the provider did not say, or not what can be true. */
  readonly usage: Usage | undefined
  /** Why the usage that was reported cannot be true. */
  readonly doubt?: string
  readonly warnings: readonly SharedV4Warning[]
  /** What the provider says of the answer as a whole, in its own words. */
  readonly metadata?: SharedV4ProviderMetadata
}

/**
 * An answer that came at once. One without content, reason and usage is none: so an error arrives
 * that a server sends as a success, where the package does not look for one.
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

/** Who hears of an answer while it comes, its text aside. */
export interface StreamListener {
  /** Called for each part of the answer, before it is taken in; not for what only announces it. */
  readonly onPart?: (() => void) | undefined
  readonly onAnswered?: ((by: AnsweredBy) => void) | undefined
  /** Characters that it may have; default no limit. */
  readonly most?: number | undefined
}

/**
 * An answer that comes in parts; `onText` hears each piece of text. A stream that reports an error
 * or ends without its finish part is a failure and throws, like a call that was never answered. With
 * its finish part it is over, though a provider may keep it open.
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

/** Not waited for: whoever does not let go of a stream holds nobody up. */
function hangUp(parts: AsyncIterator<LanguageModelV4StreamPart>): void {
  parts.return?.().then(undefined, () => undefined)
}

/** What the model itself wrote in a part: its words, thoughts, and arguments of calls. */
function charactersOf(part: LanguageModelV4StreamPart | LanguageModelV4Content): number {
  const { type } = part
  if (type === 'text' || type === 'reasoning') return part.text.length
  if (type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-input-delta') {
    return part.delta.length
  }
  return type === 'tool-call' ? part.input.length : 0
}

/** An answer that is longer than all tokens that it was allowed. */
class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'

  constructor(most: number) {
    super(`the answer has more than ${most} characters, which is more than the call allowed`)
  }
}

/** An answer that broke off; worth another try. Has the shape that provider errors have. */
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
