import { setTimeout as wait } from 'node:timers/promises'
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
} from '@ai-sdk/provider'
import { pause } from '../core/value/abortable.ts'
import { EchelonError } from '../core/value/error.ts'
import type { BoundModel, Price } from '../core/model/model.ts'
import type { Clock } from '../core/agent/ports.ts'
import { type GivenAnswer, isFailure, type ScriptedAnswer } from './scripted-model/answer.ts'
import { type Answered, generated, streamed } from './scripted-model/parts.ts'

export type {
  OtherContent,
  ScriptedAnswer,
  ScriptedFailure,
  ScriptedReply,
  ScriptedToolCall,
  ScriptedUsage,
} from './scripted-model/answer.ts'

/** The options of a scripted model. */
export interface ScriptedModelOptions {
  /** The model's id. Default `scripted`. */
  readonly modelId?: string
  /** The answer to every call after the script's end. Default: such a call fails. */
  readonly beyond?: ScriptedAnswer
  /**
   * Whether a call gets the first remaining answer whose `when` matches it, rather than the next
   * one: for concurrent calls in an unknown order. Default false.
   */
  readonly inAnyOrder?: boolean
  /** The clock for delays, such as the run's `SetClock`. Default: the system clock. */
  readonly clock?: Clock
  /** Waits for delays instead of `clock`. Rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** A model that answers from a script and records its calls. */
export interface ScriptedModel extends LanguageModelV4 {
  /** The options of every call in order, including unexpected ones; `promptText` reads them. */
  readonly calls: readonly LanguageModelV4CallOptions[]
  /**
   * @throws EchelonError UNEXPECTED_CALL when answers are left or a call did not match the script;
   * and any error thrown by an answer's function. Both also if the caller swallowed that error.
   */
  assertComplete(): void
}

/**
 * A model for tests. Gives the next answer of its script to each call, streamed or not. Fails with
 * UNEXPECTED_CALL on a call beyond the script or one that its answer does not expect.
 */
export function scriptedModel(
  script: readonly ScriptedAnswer[],
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const { modelId = 'scripted', sleep = sleepOn(options.clock) } = options
  const running = new Script(script, options)
  const next = async (call: LanguageModelV4CallOptions): Promise<Answered> => {
    const answered = await running.answer(call)
    call.abortSignal?.throwIfAborted()
    const { delayMs } = answered.answer
    if (delayMs !== undefined) await sleep(delayMs, call.abortSignal)
    return answered
  }
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    calls: running.calls,
    doGenerate: async (call) => generated(await next(call)),
    doStream: async (call) => {
      const answered = await next(call)
      const { answer } = answered
      if (isFailure(answer) && answer.after === undefined && (answer.as ?? 'cut') === 'cut') {
        throw answer.error
      }
      const { betweenMs } = answer
      const between = async (): Promise<void> => {
        if (betweenMs !== undefined) await sleep(betweenMs, call.abortSignal)
      }
      return { stream: ReadableStream.from(streamed(answered, call.abortSignal, between)) }
    },
    assertComplete: () => running.assertComplete(modelId),
  }
}

/** The state of a script during a test. */
class Script {
  readonly calls: LanguageModelV4CallOptions[] = []
  readonly #left: { readonly answer: ScriptedAnswer; readonly place: number }[]
  readonly #options: ScriptedModelOptions
  readonly #surprises: unknown[] = []
  readonly #count: number

  constructor(script: readonly ScriptedAnswer[], options: ScriptedModelOptions) {
    this.#count = script.length
    this.#left = script.map((answer, index) => ({ answer, place: index + 1 }))
    this.#options = options
  }

  async answer(call: LanguageModelV4CallOptions): Promise<Answered> {
    const number = this.calls.push(call)
    try {
      const scripted = this.#take(call)
      if (scripted === undefined) throw unexpected(call, number, this.#whyNone())
      const given: GivenAnswer =
        typeof scripted === 'function' ? await scripted(call, number) : scripted
      const answer = typeof given === 'string' ? { text: given } : given
      if (answer.when?.(call) === false) {
        throw unexpected(call, number, 'its answer expects another call')
      }
      return { number, answer }
    } catch (error) {
      this.#surprises.push(error)
      throw error
    }
  }

  #take(call: LanguageModelV4CallOptions): ScriptedAnswer | undefined {
    const { inAnyOrder = false, beyond } = this.#options
    const place = inAnyOrder ? this.#left.findIndex(({ answer }) => mayAnswer(answer, call)) : 0
    const [taken] = place < 0 ? [] : this.#left.splice(place, 1)
    return taken?.answer ?? beyond
  }

  #whyNone = (): string =>
    this.#left.length === 0 ? 'the script ends before it' : 'no remaining answer expects it'

  assertComplete(modelId: string): void {
    if (this.#surprises.length > 0) throw this.#surprises[0]
    if (this.#left.length === 0) return
    const places = this.#left.map(({ place }) => place).join(', ')
    throw new EchelonError(
      'UNEXPECTED_CALL',
      `${modelId} was called ${this.calls.length} times, but its script holds ${this.#count} answers; unused: number ${places}`,
    )
  }
}

const mayAnswer = (answer: ScriptedAnswer, call: LanguageModelV4CallOptions): boolean =>
  typeof answer !== 'object' || answer.when?.(call) !== false

/**
 * A call's prompt as text: each message on a line after its role, tool calls and results as JSON.
 * For `when`, and to search `calls`.
 */
export function promptText({ prompt }: LanguageModelV4CallOptions): string {
  return prompt
    .map(({ role, content }) => {
      if (typeof content === 'string') return `${role}: ${content}`
      const texts = content.map((part) =>
        part.type === 'text' || part.type === 'reasoning' ? part.text : JSON.stringify(part),
      )
      return `${role}: ${texts.join(' ')}`
    })
    .join('\n')
}

/** The model as bound to a role. Default name `scripted/<model id>`; it costs nothing. */
export function asBound(
  model: LanguageModelV4,
  id = `${model.provider}/${model.modelId}`,
  price: Price = () => 0,
): BoundModel {
  return { id, model, price }
}

/** The error response of a provider, apart from its HTTP status. */
export interface ApiErrorOptions {
  readonly message?: string
  /** The provider's own code, such as `insufficient_quota`. */
  readonly code?: string
  /** Lower case names, as in the AI SDK. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default as in the SDK: true for 408, 409, 429, 500 and above, and without a status. */
  readonly isRetryable?: boolean
}

/**
 * The error that an AI SDK provider throws for an HTTP status; without a status, for a failed
 * connection. A cut stream has status 200 and is retryable.
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

function unexpected(
  options: LanguageModelV4CallOptions,
  number: number,
  why: string,
): EchelonError {
  const text = JSON.stringify(lastUserMessage(options))
  return new EchelonError(
    'UNEXPECTED_CALL',
    `call ${number}: ${why}; the last user message was ${text}`,
  )
}

function lastUserMessage({ prompt }: LanguageModelV4CallOptions): string {
  const message = prompt.findLast(({ role }) => role === 'user')
  if (message?.role !== 'user') return ''
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function sleepOn(clock: Clock | undefined): NonNullable<ScriptedModelOptions['sleep']> {
  if (clock === undefined) return sleepOnMachine
  return async (ms, signal) => {
    await pause(clock, ms, signal ?? new AbortController().signal)
    signal?.throwIfAborted()
  }
}

/** Fails with the signal's own reason, as `fetch` does. */
async function sleepOnMachine(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // No timer accepts an infinite delay.
  if (ms === Infinity) await new Promise((resolve) => signal?.addEventListener('abort', resolve))
  try {
    await wait(ms, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
