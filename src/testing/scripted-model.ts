import { setTimeout as wait } from 'node:timers/promises'
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4FinishReason,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { EchelonError } from '../core/error.ts'
import type { Json } from '../core/json.ts'
import type { BoundModel, Price, Usage } from '../core/model.ts'

/** What the model answers to one call. A string is a reply of that text; a function looks first. */
export type ScriptedAnswer =
  | string
  | ScriptedReply
  | ScriptedFailure
  | ((options: LanguageModelV4CallOptions) => ScriptedReply | ScriptedFailure | string)

interface Expectation {
  /** Must hold of the call, or the call fails with UNEXPECTED_CALL. */
  readonly when?: (options: LanguageModelV4CallOptions) => boolean
  /** Milliseconds before the answer begins; ends early when the call is aborted. Default 0. */
  readonly delayMs?: number
}

export interface ScriptedReply extends Expectation {
  /** A list is streamed piece by piece, and joined where the call does not stream. */
  readonly text?: string | readonly string[]
  readonly toolCalls?: readonly ScriptedToolCall[]
  /** Default `tool-calls` when there are some, else `stop`. */
  readonly finishReason?: LanguageModelV4FinishReason['unified']
  /** `null` is a provider that reports none. Default 10 tokens in and 5 out. */
  readonly usage?: Usage | null
}

export interface ScriptedToolCall {
  /** Default `call-<number of the model call>-<place in the answer>`. */
  readonly id?: string
  readonly tool: string
  /** A string is sent as it is, so that a model can be scripted to write broken JSON. */
  readonly input: Json
}

export interface ScriptedFailure extends Expectation {
  /** What the call fails with; `apiError` makes one such as providers throw. */
  readonly error: unknown
  /** In a stream, the pieces of text that arrive first. Without them there is no stream at all. */
  readonly after?: readonly string[]
  /**
   * How a stream tells it: reading it throws (`cut`, the default), or it sends an `error` part and
   * then finishes for the reason `error`, as AI SDK providers do for what is wrong inside a stream.
   */
  readonly as?: 'cut' | 'part'
}

export interface ScriptedModelOptions {
  /** The model's id; default `scripted`. */
  readonly modelId?: string
  /** Rejects when the signal aborts; default a real timer. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** A model that says what its script says, and what it was asked. */
export interface ScriptedModel extends LanguageModelV4 {
  /** The options of every call, unexpected ones included, in order. */
  readonly calls: readonly LanguageModelV4CallOptions[]
  /**
   * @throws EchelonError UNEXPECTED_CALL when answers are left or a call did not fit the script;
   * and what an answer's function threw. Either also when the caller swallowed that error.
   */
  assertComplete(): void
}

/**
 * A model for tests: gives the next answer of its script to each call, streamed or not, and fails
 * with UNEXPECTED_CALL on a call beyond the script or one that its answer does not expect.
 */
export function scriptedModel(
  script: readonly ScriptedAnswer[],
  { modelId = 'scripted', sleep = sleepOnClock }: ScriptedModelOptions = {},
): ScriptedModel {
  const calls: LanguageModelV4CallOptions[] = []
  const surprises: unknown[] = []

  const look = (number: number, options: LanguageModelV4CallOptions): Answer['answer'] => {
    try {
      return answerTo(script[number - 1], number, options)
    } catch (error) {
      surprises.push(error)
      throw error
    }
  }

  const next = async (options: LanguageModelV4CallOptions): Promise<Answer> => {
    const number = calls.push(options)
    const answer = look(number, options)
    options.abortSignal?.throwIfAborted()
    if (answer.delayMs !== undefined) await sleep(answer.delayMs, options.abortSignal)
    return { number, answer }
  }

  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    calls,
    doGenerate: async (options) => generated(await next(options)),
    doStream: async (options) => {
      const { number, answer } = await next(options)
      if ('error' in answer && answer.after === undefined && answer.as !== 'part') {
        throw answer.error
      }
      return { stream: ReadableStream.from(parts(number, answer, options.abortSignal)) }
    },
    assertComplete: () => {
      if (surprises.length > 0) throw surprises[0]
      if (calls.length < script.length) {
        throw new EchelonError(
          'UNEXPECTED_CALL',
          `${modelId} was called ${calls.length} times, but its script holds ${script.length} answers`,
        )
      }
    },
  }
}

/** The model as a role is bound to it. Default name `scripted/<model id>`; it costs nothing. */
export function asBound(
  model: LanguageModelV4,
  id = `${model.provider}/${model.modelId}`,
  price: Price = () => 0,
): BoundModel {
  return { id, model, price }
}

/** What a provider answers with instead of a reply, apart from its HTTP status. */
export interface ApiErrorOptions {
  readonly message?: string
  /** The provider's own code, such as `insufficient_quota`. */
  readonly code?: string
  /** Lower case names, as the AI SDK hands them on. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default by the SDK's rule: 408, 409, 429, from 500 on, and no status at all. */
  readonly isRetryable?: boolean
}

/**
 * The error that an AI SDK provider throws for an HTTP status; without a status, the one for a
 * connection that failed. A stream that is cut has status 200 and is retryable.
 */
export function apiError(
  statusCode: number | undefined,
  options: ApiErrorOptions = {},
): APICallError {
  const { message = `status ${statusCode ?? 'none'}`, code = null, headers = {} } = options
  const data = { error: { message, type: 'scripted', param: null, code } }
  const answered = { responseHeaders: { ...headers }, responseBody: JSON.stringify(data), data }
  const retryable = options.isRetryable ?? (statusCode === undefined ? true : undefined)
  return new APICallError({
    message,
    url: 'http://scripted.invalid/v1/chat/completions',
    requestBodyValues: {},
    ...(statusCode === undefined ? {} : { statusCode, ...answered }),
    ...(retryable === undefined ? {} : { isRetryable: retryable }),
  })
}

function answerTo(
  scripted: ScriptedAnswer | undefined,
  number: number,
  options: LanguageModelV4CallOptions,
): Answer['answer'] {
  if (scripted === undefined) throw unexpected(options, number, 'the script ends before it')
  const given = typeof scripted === 'function' ? scripted(options) : scripted
  const answer: Answer['answer'] = typeof given === 'string' ? { text: given } : given
  if (answer.when?.(options) === false) {
    throw unexpected(options, number, 'its answer expects another call')
  }
  return answer
}

function unexpected(
  options: LanguageModelV4CallOptions,
  number: number,
  why: string,
): EchelonError {
  const said = JSON.stringify(lastUserMessage(options))
  return new EchelonError(
    'UNEXPECTED_CALL',
    `call ${number}: ${why}; the last user message was ${said}`,
  )
}

interface Answer {
  readonly number: number
  readonly answer: ScriptedReply | ScriptedFailure
}

function generated({ number, answer }: Answer): LanguageModelV4GenerateResult {
  if ('error' in answer) throw answer.error
  return { content: contentOf(number, answer), ...endOf(answer), warnings: [] }
}

async function* parts(
  number: number,
  answer: ScriptedReply | ScriptedFailure,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (const part of 'error' in answer ? textParts(answer.after) : replyParts(number, answer)) {
    signal?.throwIfAborted()
    yield part
  }
  if ('error' in answer) {
    if (answer.as !== 'part') throw answer.error
    yield { type: 'error', error: answer.error }
  }
  yield { type: 'finish', ...endOf('error' in answer ? BROKEN_OFF : answer) }
}

const BROKEN_OFF: ScriptedReply = { finishReason: 'error', usage: null }

function replyParts(number: number, reply: ScriptedReply): LanguageModelV4StreamPart[] {
  const calls = toolCallsOf(number, reply).flatMap((call): LanguageModelV4StreamPart[] => [
    { type: 'tool-input-start', id: call.toolCallId, toolName: call.toolName },
    { type: 'tool-input-delta', id: call.toolCallId, delta: call.input },
    { type: 'tool-input-end', id: call.toolCallId },
    call,
  ])
  const text = textParts(reply.text)
  return [...text, ...(text.length === 0 ? [] : [TEXT_END]), ...calls]
}

const TEXT_ID = 'text-1'
const TEXT_END = { type: 'text-end', id: TEXT_ID } as const

function textParts(text: ScriptedReply['text'] = []): LanguageModelV4StreamPart[] {
  const pieces = typeof text === 'string' ? [text] : text
  if (pieces.length === 0) return []
  return [
    { type: 'text-start', id: TEXT_ID },
    ...pieces.map((delta) => ({ type: 'text-delta', id: TEXT_ID, delta }) as const),
  ]
}

function contentOf(number: number, reply: ScriptedReply): LanguageModelV4Content[] {
  const text = typeof reply.text === 'string' ? reply.text : reply.text?.join('')
  const calls = toolCallsOf(number, reply)
  return text === undefined ? calls : [{ type: 'text', text }, ...calls]
}

const toolCallsOf = (
  number: number,
  { toolCalls = [] }: ScriptedReply,
): Extract<LanguageModelV4Content, { type: 'tool-call' }>[] =>
  toolCalls.map(({ id, tool, input }, index) => ({
    type: 'tool-call',
    toolCallId: id ?? `call-${number}-${index + 1}`,
    toolName: tool,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }))

function endOf({ toolCalls = [], finishReason, usage }: ScriptedReply): {
  finishReason: LanguageModelV4FinishReason
  usage: LanguageModelV4Usage
} {
  const unified = finishReason ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop')
  return { finishReason: { unified, raw: unified }, usage: usageOf(usage) }
}

function usageOf(usage: Usage | null = { input: 10, output: 5 }): LanguageModelV4Usage {
  const [input, output] = [usage?.input, usage?.output]
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}

function lastUserMessage({ prompt }: LanguageModelV4CallOptions): string {
  const message = prompt.findLast(({ role }) => role === 'user')
  if (message?.role !== 'user') return ''
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Fails with the signal's own reason, as `fetch` does. */
async function sleepOnClock(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
