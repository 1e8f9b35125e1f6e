import type {
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'

/** Tokens in the AI SDK's form, if only the two sums are known. */
export const reportedUsage = (
  input: number | undefined,
  output: number | undefined,
): LanguageModelV4Usage => ({
  inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: undefined, reasoning: undefined },
})

/** The stream of a complete answer with text and tool calls. */
export function streamOfWhole({
  content,
  warnings,
  response,
  finishReason,
  usage,
}: LanguageModelV4GenerateResult): ReadableStream<LanguageModelV4StreamPart> {
  const parts: LanguageModelV4StreamPart[] = [{ type: 'stream-start', warnings }]
  if (response !== undefined) parts.push({ type: 'response-metadata', ...response })
  for (const part of content) {
    if (part.type === 'text') {
      parts.push(
        { type: 'text-start', id: 'text' },
        { type: 'text-delta', id: 'text', delta: part.text },
        { type: 'text-end', id: 'text' },
      )
    } else if (part.type === 'tool-call') parts.push(part)
  }
  parts.push({ type: 'finish', finishReason, usage })
  return ReadableStream.from(parts)
}
