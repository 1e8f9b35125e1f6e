import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Text,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider'
import { promptText } from './prompt.ts'

/** An answer: a text, or one tool call. */
export type Reply =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'call'
      readonly id: string
      readonly tool: string
      readonly args: Readonly<Record<string, unknown>>
    }

/** Computes the answer to a call: the same prompt, tools and response format give the same answer. */
export type Answer = (options: LanguageModelV4CallOptions) => Promise<Reply>

type Ending = Pick<LanguageModelV4GenerateResult, 'finishReason' | 'usage'>

/**
 * A model implemented by a function. Sampling settings have no effect. Tokens are estimated as UTF-8
 * bytes / 4, rounded up.
 */
export function languageModel(modelId: string, answer: Answer): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted()
      const content = contentOf(await answer(options))
      return { content: [content], ...ending(options, content), warnings: [] }
    },
    async doStream(options) {
      const { abortSignal } = options
      abortSignal?.throwIfAborted()
      const content = contentOf(await answer(options))
      return { stream: streamOf(parts(content, ending(options, content)), abortSignal) }
    },
  }
}

type Content = LanguageModelV4Text | LanguageModelV4ToolCall

const contentOf = (reply: Reply): Content =>
  reply.type === 'text'
    ? reply
    : {
        type: 'tool-call',
        toolCallId: reply.id,
        toolName: reply.tool,
        input: JSON.stringify(reply.args),
      }

function ending({ prompt }: LanguageModelV4CallOptions, content: Content): Ending {
  const received = tokens(promptText(prompt))
  const isText = content.type === 'text'
  const sent = tokens(isText ? content.text : content.input)
  return {
    finishReason: isText
      ? { unified: 'stop', raw: 'stop' }
      : { unified: 'tool-calls', raw: 'tool_calls' },
    usage: {
      inputTokens: { total: received, noCache: received, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: sent, text: sent, reasoning: 0 },
    },
  }
}

const tokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

function* parts(content: Content, ending: Ending): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  if (content.type === 'text') yield* textParts(content.text)
  else yield content
  yield { type: 'finish', ...ending }
}

function* textParts(text: string): Generator<LanguageModelV4StreamPart> {
  const id = '0'
  yield { type: 'text-start', id }
  for (const [delta] of text.matchAll(/[^]{1,40}/gu)) yield { type: 'text-delta', id, delta }
  yield { type: 'text-end', id }
}

/** One part per pull, so that an abort between two parts ends the stream with the abort's reason. */
function streamOf(
  parts: Iterator<LanguageModelV4StreamPart>,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      pull(controller) {
        signal?.throwIfAborted()
        const next = parts.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      },
    },
    { highWaterMark: 0 },
  )
}
