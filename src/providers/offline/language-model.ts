import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { promptText } from './prompt.ts'

/** From a prompt to the answer's text: the same prompt gives the same text. */
export type Answer = (prompt: LanguageModelV4CallOptions['prompt']) => string

type Ending = Pick<LanguageModelV4GenerateResult, 'finishReason' | 'usage'>

/**
 * A model that is a function. It looks at the prompt alone: sampling settings, tools and response
 * formats change nothing. Tokens are estimated as UTF-8 bytes / 4, rounded up.
 */
export function languageModel(modelId: string, answer: Answer): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId,
    supportedUrls: {},
    async doGenerate({ prompt, abortSignal }) {
      abortSignal?.throwIfAborted()
      const text = answer(prompt)
      return { content: [{ type: 'text', text }], ...ending(prompt, text), warnings: [] }
    },
    async doStream({ prompt, abortSignal }) {
      abortSignal?.throwIfAborted()
      const text = answer(prompt)
      return { stream: streamOf(parts(text, ending(prompt, text)), abortSignal) }
    },
  }
}

function ending(prompt: LanguageModelV4CallOptions['prompt'], text: string): Ending {
  const received = tokens(promptText(prompt))
  const sent = tokens(text)
  return {
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: received, noCache: received, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: sent, text: sent, reasoning: 0 },
    },
  }
}

const tokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

function* parts(text: string, ending: Ending): Generator<LanguageModelV4StreamPart> {
  const id = '0'
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id }
  for (const [delta] of text.matchAll(/[^]{1,40}/gu)) yield { type: 'text-delta', id, delta }
  yield { type: 'text-end', id }
  yield { type: 'finish', ...ending }
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
