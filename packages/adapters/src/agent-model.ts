import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { ChatRunOptions } from 'echelon/chat'
import { EchelonError } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { AgentExchange, type ExchangeOptions, UNKNOWN_USAGE } from './agent-exchange.ts'
import { type RequestedTurn, requestedTurn } from './agent-model-call.ts'
import type { ConversingAgent } from './conversing.ts'

export interface AgentModelOptions extends Pick<
  ChatRunOptions,
  'caller' | 'limits' | 'maxIterations'
> {
  /** Id of the model. Default the agent's name. */
  readonly modelId?: string
  /** Whether to show the agent's own tool calls, as provider-executed calls. Default true. */
  readonly showTools?: boolean
  /**
   * Answers the agent's requests: an approval with `once` or `deny`, a question with a value that fits
   * its schema. Default: an approval is returned to the caller as a `tool-approval-request`, and the
   * next call resumes with the response; a question fails the call.
   */
  readonly answer?: (about: JsonObject) => Json | Promise<Json>
}

type Part = LanguageModelV4StreamPart

/** Maximum number of runs waiting for approval; beyond it the oldest is canceled. */
const MAX_WAITING = 64

/**
 * Presents an agent as an AI SDK model: `generateText({ model: asLanguageModel(agent), prompt })`. Each
 * call is a turn of a conversation that the caller stores; system messages follow the agent's own
 * instructions. Cost and run id are in `providerMetadata.echelon`. Settings that an agent does not take
 * become warnings; a turn that ends without an answer throws an `APICallError` that is not retryable.
 */
export function asLanguageModel(
  agent: ConversingAgent,
  { modelId = agent.name, showTools = true, answer, ...turn }: AgentModelOptions = {},
): LanguageModelV4 {
  const waiting = new Map<string, AgentExchange>()
  const exchangeOptions: ExchangeOptions = { showsTools: showTools, answer }
  const begin = (requested: RequestedTurn): AgentExchange => {
    const resumed = resumeRun(waiting, requested)
    if (resumed !== undefined) return resumed
    const { messages, configure: configureOptions } = requested
    return new AgentExchange(agent.run(messages, { ...turn, configureOptions }), exchangeOptions)
  }
  const parts = (
    options: LanguageModelV4CallOptions,
    isWhole: boolean,
  ): AsyncGenerator<Part, void> => {
    const requested = requestedTurn(options)
    const exchange = begin(requested)
    const meta: Part = { type: 'response-metadata', id: exchange.run.id, modelId }
    const stream = exchange.parts(options.abortSignal, isWhole)
    const head: readonly Part[] = [{ type: 'stream-start', warnings: requested.warnings }, meta]
    // Stored before the last part is emitted, because the reader may stop after it.
    return withErrors(head, stream, options.abortSignal, () => storeWaiting(waiting, exchange))
  }
  return {
    specificationVersion: 'v4',
    provider: 'echelon',
    modelId,
    // Files given by URL have no known size: the caller downloads them.
    supportedUrls: {},
    doGenerate: async (options) => collected(parts(options, true)),
    doStream: async (options) => ({
      stream: ReadableStream.from(parts(options, options.responseFormat?.type === 'json')),
    }),
  }
}

/** Emits errors as parts, as the SDK does; an abort ends the stream. */
async function* withErrors(
  head: readonly Part[],
  parts: AsyncIterable<Part>,
  signal: AbortSignal | undefined,
  onFinish: () => void,
): AsyncGenerator<Part, void> {
  yield* head
  try {
    for await (const part of parts) {
      if (part.type === 'finish') onFinish()
      yield part
    }
  } catch (error) {
    signal?.throwIfAborted()
    yield { type: 'error', error }
    yield {
      type: 'finish',
      usage: UNKNOWN_USAGE,
      finishReason: { unified: 'error', raw: undefined },
    }
  }
}

/** Resumes the run that waits for one of the replies. */
function resumeRun(
  waiting: Map<string, AgentExchange>,
  { replies, alongside }: RequestedTurn,
): AgentExchange | undefined {
  for (const [request, isApproved] of replies) {
    const exchange = waiting.get(request)
    if (exchange === undefined) continue
    exchange.reply(isApproved, textOf(alongside))
    waiting.delete(request)
    return exchange
  }
  const [request] = replies.keys()
  // An old reply stays in a conversation that moved on; a user message after it is a new turn.
  if (request === undefined || alongside.length > 0) return undefined
  throw new EchelonError(
    'UNKNOWN_REQUEST',
    `no run waits for a reply to ${request}: it was answered or canceled, or belongs to another process or another asLanguageModel; start again from the user's message`,
  )
}

/** @throws EchelonError INVALID_INPUT for content that a running agent does not accept */
function textOf(messages: RequestedTurn['alongside']): string {
  const parts = messages.flatMap(({ content }) => content)
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text
      throw new EchelonError(
        'INVALID_INPUT',
        'a file came along with the response to an approval; send the response first, and the file in the next call',
      )
    })
    .join('\n')
}

function storeWaiting(waiting: Map<string, AgentExchange>, exchange: AgentExchange): void {
  const { waitsFor } = exchange
  if (waitsFor === undefined) return
  waiting.set(waitsFor, exchange)
  const [oldest] = waiting
  if (waiting.size <= MAX_WAITING || oldest === undefined) return
  waiting.delete(oldest[0])
  oldest[1].run.cancel()
}

/** Streamed or not, an answer is made from the same parts. */
async function collected(parts: AsyncIterable<Part>): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  let head: Pick<LanguageModelV4GenerateResult, 'warnings' | 'response'> = { warnings: [] }
  for await (const part of parts) {
    if (part.type === 'error') throw part.error
    if (part.type === 'finish') {
      const { type: _, ...end } = part
      return { content, ...head, ...end }
    }
    if (part.type === 'stream-start') head = { ...head, warnings: part.warnings }
    else if (part.type === 'response-metadata') {
      const { type: _, ...response } = part
      head = { ...head, response }
    } else appendPart(content, part)
  }
  throw new Error('the run ended without a finish part')
}

/** Text blocks do not overlap: a delta belongs to the block begun last. */
function appendPart(content: LanguageModelV4Content[], part: Part): void {
  if (part.type === 'text-start') content.push({ type: 'text', text: '' })
  else if (part.type === 'text-delta') {
    const place = content.length - 1
    const last = content[place]
    if (last?.type === 'text') content[place] = { ...last, text: last.text + part.delta }
  } else if (
    part.type === 'tool-call' ||
    part.type === 'tool-result' ||
    part.type === 'tool-approval-request'
  ) {
    content.push(part)
  }
}
