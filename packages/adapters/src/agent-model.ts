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
import { type AskedTurn, askedTurn } from './agent-model-call.ts'
import type { ConversingAgent } from './conversing.ts'

export interface AgentModelOptions extends Pick<
  ChatRunOptions,
  'caller' | 'limits' | 'maxIterations'
> {
  /** What the model is called. Default the agent's name. */
  readonly modelId?: string
  /** Whether its own tool calls are shown, as calls that the provider executed. Default true. */
  readonly showTools?: boolean
  /**
   * Replies to what the agent asks: an approval with `once` or `deny`, a question with what fits its
   * schema. Default: an approval is handed to the caller as a `tool-approval-request`, and the next
   * call goes on with the response; a question fails the call.
   */
  readonly answer?: (about: JsonObject) => Json | Promise<Json>
}

type Part = LanguageModelV4StreamPart

/** Runs that wait for an approval at the same time; the oldest beyond it is canceled. */
const MOST_WAITING = 64

/**
 * An agent as a model of the AI SDK: `generateText({ model: asLanguageModel(agent), prompt })`. Each
 * call is a turn of a conversation that the caller keeps; system messages stand after the agent's own
 * instructions. Cost and run id are in `providerMetadata.echelon`. Settings that an agent does not take
 * are warnings; what ends it without an answer is an `APICallError` that is not to be tried again.
 */
export function asLanguageModel(
  agent: ConversingAgent,
  { modelId = agent.name, showTools = true, answer, ...turn }: AgentModelOptions = {},
): LanguageModelV4 {
  const waiting = new Map<string, AgentExchange>()
  const how: ExchangeOptions = { showsTools: showTools, answer }
  const begin = (asked: AskedTurn): AgentExchange => {
    const resumed = goOn(waiting, asked)
    if (resumed !== undefined) return resumed
    const { messages, configure: configureOptions } = asked
    return new AgentExchange(agent.run(messages, { ...turn, configureOptions }), how)
  }
  const parts = (
    options: LanguageModelV4CallOptions,
    isWhole: boolean,
  ): AsyncGenerator<Part, void> => {
    const asked = askedTurn(options)
    const exchange = begin(asked)
    const meta: Part = { type: 'response-metadata', id: exchange.run.id, modelId }
    const told = exchange.parts(options.abortSignal, isWhole)
    const head: readonly Part[] = [{ type: 'stream-start', warnings: asked.warnings }, meta]
    // Kept before it is handed out: whoever has the last part reads no further.
    return whole(head, told, options.abortSignal, () => keep(waiting, exchange))
  }
  return {
    specificationVersion: 'v4',
    provider: 'echelon',
    modelId,
    // What is only named has no known size: the caller downloads it.
    supportedUrls: {},
    doGenerate: async (options) => collected(parts(options, true)),
    doStream: async (options) => ({
      stream: ReadableStream.from(parts(options, options.responseFormat?.type === 'json')),
    }),
  }
}

/** Errors are parts, as the SDK has them; an abort is the end of the stream. */
async function* whole(
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

/** The run that waits for one of the replies. */
function goOn(
  waiting: Map<string, AgentExchange>,
  { replies, beside }: AskedTurn,
): AgentExchange | undefined {
  for (const [request, isApproved] of replies) {
    const exchange = waiting.get(request)
    if (exchange === undefined) continue
    exchange.reply(isApproved, textOf(beside))
    waiting.delete(request)
    return exchange
  }
  const [request] = replies.keys()
  // An old reply stays in a conversation that went on: what the user says after it is a turn.
  if (request === undefined || beside.length > 0) return undefined
  throw new EchelonError(
    'UNKNOWN_REQUEST',
    `no run waits for a reply to ${request}: it was answered or given up, or another process or another asLanguageModel has it; ask again from the user's message on`,
  )
}

/** @throws EchelonError INVALID_INPUT for what a run under way cannot hear */
function textOf(messages: AskedTurn['beside']): string {
  const parts = messages.flatMap(({ content }) => content)
  return parts
    .map((part) => {
      if (part.type === 'text') return part.text
      throw new EchelonError(
        'INVALID_INPUT',
        'a file came beside the response to an approval; send the response first, and the file in the call after that',
      )
    })
    .join('\n')
}

function keep(waiting: Map<string, AgentExchange>, exchange: AgentExchange): void {
  const { waitsFor } = exchange
  if (waitsFor === undefined) return
  waiting.set(waitsFor, exchange)
  const [oldest] = waiting
  if (waiting.size <= MOST_WAITING || oldest === undefined) return
  waiting.delete(oldest[0])
  oldest[1].run.cancel()
}

/** Streamed or not, there is one way from a run to an answer. */
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
    } else take(content, part)
  }
  throw new Error('the run ended without an end')
}

/** Blocks of text do not overlap: the one that was begun last is the one that goes on. */
function take(content: LanguageModelV4Content[], part: Part): void {
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
