import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'

/** A model that answers at once and counts its calls. */
export interface CountedModel extends LanguageModelV4 {
  readonly seen: {
    calls: number
    /** Messages of the longest prompt. */
    messages: number
  }
}

export const ANSWER = 'done'

const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

const FINAL: LanguageModelV4GenerateResult = {
  content: [{ type: 'text', text: ANSWER }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: USAGE,
  warnings: [],
}

/** An answer with several parallel tool calls, created before timing. */
const calling = (step: number, tool: string, calls: number): LanguageModelV4GenerateResult => ({
  ...FINAL,
  content: Array.from({ length: calls }, (_, index): LanguageModelV4Content => ({
    type: 'tool-call',
    toolCallId: `call-${step}-${index}`,
    toolName: tool,
    input: `{"a":${step},"b":${index}}`,
  })),
  finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
})

export interface LoopingOptions {
  readonly steps: number
  readonly tool: string
  /** Tool calls in one step; default 1. */
  readonly atOnce?: number
  /** Called with the number of each model call of a run. */
  readonly onCall?: (call: number) => void
}

/** Calls a tool in a number of steps, then answers; then starts over. */
export function looping({ steps, tool, atOnce = 1, onCall }: LoopingOptions): CountedModel {
  const answers = Array.from({ length: steps }, (_, step) => calling(step, tool, atOnce))
  let next = 0
  return model((prompt, seen) => {
    count(seen, prompt)
    onCall?.(next)
    const answer = answers[next]
    next = answer === undefined ? 0 : next + 1
    return Promise.resolve(answer ?? FINAL)
  })
}

/** Like `looping`, for concurrent runs: the prompt tells the step of a run. */
export function waiting(steps: number, tool: string, ms: number): CountedModel {
  const answers = Array.from({ length: steps }, (_, step) => calling(step, tool, 1))
  return model(async (prompt, seen) => {
    count(seen, prompt)
    await new Promise((resolve) => setTimeout(resolve, ms))
    return answers[prompt.filter(({ role }) => role === 'tool').length] ?? FINAL
  })
}

type Answering = (
  prompt: LanguageModelV4Prompt,
  seen: CountedModel['seen'],
) => Promise<LanguageModelV4GenerateResult>

function model(answer: Answering): CountedModel {
  const seen = { calls: 0, messages: 0 }
  return {
    ...NAMED,
    seen,
    doGenerate: ({ prompt }) => answer(prompt, seen),
    doStream: () => Promise.reject(new Error('this model does not stream')),
  }
}

const NAMED = {
  specificationVersion: 'v4',
  provider: 'benchmark',
  modelId: 'model',
  supportedUrls: {},
} as const

function count(seen: CountedModel['seen'], prompt: LanguageModelV4Prompt): void {
  seen.calls++
  if (prompt.length > seen.messages) seen.messages = prompt.length
}

/** Streams text deltas from a web stream or, without its cost, from an iterator. */
export function streaming(deltas: number, source: 'web-stream' | 'iterator'): CountedModel {
  const seen = { calls: 0, messages: 0 }
  const parts: readonly LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '1' },
    ...Array.from({ length: deltas }, (_, index) => {
      return { type: 'text-delta', id: '1', delta: `w${index}` } as const
    }),
    { type: 'text-end', id: '1' },
    { type: 'finish', finishReason: FINAL.finishReason, usage: USAGE },
  ]
  return {
    ...NAMED,
    seen,
    doGenerate: () => Promise.reject(new Error('this model streams')),
    doStream: ({ prompt }) => {
      count(seen, prompt)
      return Promise.resolve({
        stream: source === 'iterator' ? new IteratedParts(parts) : webStream(parts),
      })
    },
  }
}

/** All parts exist before reading, so that only reading is timed. */
function webStream(
  parts: readonly LanguageModelV4StreamPart[],
): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0
  return new ReadableStream(
    {
      pull(controller) {
        const part = parts[next++]
        if (part === undefined) controller.close()
        else controller.enqueue(part)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Typed as a stream, but iterated without Node's web streams and their cost. */
class IteratedParts extends ReadableStream<LanguageModelV4StreamPart> {
  readonly #parts: readonly LanguageModelV4StreamPart[]
  constructor(parts: readonly LanguageModelV4StreamPart[]) {
    super()
    this.#parts = parts
  }
  override async *[Symbol.asyncIterator](): AsyncGenerator<LanguageModelV4StreamPart, undefined> {
    for (const part of this.#parts) yield part
  }
}
