import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { Amounts } from '../core/agent/budget.ts'
import type { BoundModel, Usage } from '../core/model/model.ts'
import { type Message, Thread } from '../core/message/thread.ts'
import { isJson, isJsonObject } from '../core/value/json.ts'
import { utf8Bytes } from '../core/value/utf8.ts'
import {
  type CallWithUsage,
  mostCharacters,
  whyUnbelievable,
} from '../runtime/model/believed-usage.ts'
import {
  answeredAmounts,
  failedAmounts,
  priceOf,
  unknownAmounts,
} from '../runtime/model/model-amounts.ts'
import { type ModelAnswer, readResult, readStream } from '../runtime/model/model-answer.ts'
import { worstCase } from '../runtime/model/worst-case.ts'
import { CASCADE, type CallBudget, type Reserved } from './call-budget.ts'

/** One model call with its outcome and charged amounts. */
export interface CallCharged {
  /** As `provider/model`. */
  readonly model: string
  /** Tokens; `null` if none were reported that can be true. */
  readonly usage: Usage | null
  /** US dollars; `null` if unknown. */
  readonly cost: number | null
}

/** A call to be made, before its worst case is reserved. */
export interface CallToMake {
  readonly model: BoundModel
  readonly options: LanguageModelV4CallOptions
  /** A message after the conversation. */
  readonly note?: Message | undefined
}

/** An answer as the model gave it, and as it was read. */
export interface Answered<Raw> {
  readonly raw: Raw
  readonly answer: ModelAnswer
}

/** Output tokens without a limit: more than any model writes in one call. */
const MOST_TOKENS = 1_000_000

/** A model call whose worst case is reserved. It is to be settled once: with an answer, or as a failure. */
export class MeteredAttempt {
  readonly model: BoundModel
  /** As they are sent: with what the limits leave of the answer's length. */
  readonly options: LanguageModelV4CallOptions
  readonly #callBudget: CallBudget
  readonly #hold: Amounts
  readonly #call: CallWithUsage

  /** @returns why the limits refuse it, if they do */
  static async open(
    callBudget: CallBudget,
    toMake: CallToMake,
  ): Promise<MeteredAttempt | Extract<Reserved, { ok: false }>> {
    if (callBudget.isBounded && toMake.options.tools?.some(isOfProvider) === true) return UNBOUNDED
    const call = measured(toMake)
    const most = await callBudget.reserve((ledger) =>
      worstCase(call.asked, { ...call, ledger, known: NONE }),
    )
    if (!most.ok) return most
    if (toMake.options.abortSignal?.aborted === true) {
      // Given up while it waited for calls in flight: nothing was sent.
      callBudget.settle(most.hold, {})
      toMake.options.abortSignal.throwIfAborted()
    }
    return new MeteredAttempt(callBudget, toMake, { call, ...most })
  }

  private constructor(
    callBudget: CallBudget,
    { model, options, note }: CallToMake,
    reserved: { readonly call: CallWithUsage; readonly hold: Amounts; readonly maxTokens: number },
  ) {
    this.model = model
    this.#callBudget = callBudget
    this.#hold = reserved.hold
    this.#call = reserved.call
    this.options = {
      ...options,
      prompt: note === undefined ? options.prompt : [...options.prompt, note],
      ...(callBudget.isBounded && { maxOutputTokens: reserved.maxTokens }),
    }
  }

  /** Makes the call, unstreamed. */
  async generate(): Promise<Answered<LanguageModelV4GenerateResult>> {
    const raw = await this.model.model.doGenerate(this.options)
    return { raw, answer: readResult(raw, this.#mostCharacters) }
  }

  /** Opens the stream of the call. */
  stream(): ReturnType<LanguageModelV4['doStream']> {
    return Promise.resolve(this.model.model.doStream(this.options))
  }

  /**
   * Reads a stream to its end; one that is cut, or never ends, is a failure and throws.
   * @param onPart receives each part as it arrives
   */
  read(
    stream: ReadableStream<LanguageModelV4StreamPart>,
    onPart: (part: LanguageModelV4StreamPart) => void,
  ): Promise<ModelAnswer> {
    return readStream(tapped(stream, onPart), ignore, { most: this.#mostCharacters })
  }

  /** Charges what the answer took, or the worst case where its usage is unknown. */
  settle(answer: ModelAnswer): CallCharged {
    const { model } = this
    const usage = this.#believed(answer)
    const cost = usage === undefined ? null : priceOf(model, usage)
    const charged: ModelAnswer = { ...answer, usage }
    const amounts = answeredAmounts(CASCADE, model, { answer: charged, cost, hold: this.#hold })
    this.#callBudget.settle(this.#hold, amounts)
    return { model: model.id, usage: usage ?? null, cost }
  }

  /** Charges a failed call: nothing if no server received or accepted it, else its worst case. */
  fail(error: unknown): CallCharged {
    const { model } = this
    const isGivenUp = this.options.abortSignal?.aborted === true
    const amounts = isGivenUp
      ? unknownAmounts(CASCADE, model, this.#hold)
      : failedAmounts({ role: CASCADE, model, hold: this.#hold }, error)
    this.#callBudget.settle(this.#hold, amounts)
    const isFree =
      (amounts['tokens'] ?? amounts['money'] ?? amounts[`unpriced.${CASCADE}`]) === undefined
    return { model: model.id, usage: null, cost: isFree ? 0 : null }
  }

  #believed(answer: ModelAnswer): Usage | undefined {
    const { usage } = answer
    if (usage === undefined) return undefined
    const { maxOutputTokens: maxTokens = MOST_TOKENS } = this.options
    return whyUnbelievable(usage, this.#call, { answer, maxTokens }) === undefined
      ? usage
      : undefined
  }

  get #mostCharacters(): number {
    return mostCharacters(this.model, this.options.maxOutputTokens ?? MOST_TOKENS)
  }
}

const NONE = { length: 0, tokens: 0 }

const ignore = (): void => undefined

const isOfProvider = ({ type }: { readonly type: string }): boolean => type === 'provider'

const UNBOUNDED: Extract<Reserved, { ok: false }> = {
  ok: false,
  limit: 'money',
  message:
    'a tool that the provider runs can cost any amount; leave it out, or lift the limits of money and tokens',
}

function measured({ model, options, note }: CallToMake): CallWithUsage {
  const { prompt, tools = [], maxOutputTokens, responseFormat } = options
  const schema: unknown = responseFormat?.type === 'json' ? responseFormat.schema : undefined
  return {
    asked: {
      actor: CASCADE,
      role: CASCADE,
      ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
      ...(isJson(schema) && isJsonObject(schema) && { schema }),
    },
    model,
    thread: Thread.of(prompt),
    head: undefined,
    tail: note === undefined ? undefined : [note],
    tools: { bytes: utf8Bytes(JSON.stringify(tools)) },
  }
}

async function* tapped(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onPart: (part: LanguageModelV4StreamPart) => void,
): AsyncGenerator<LanguageModelV4StreamPart, void> {
  for await (const part of stream) {
    onPart(part)
    yield part
  }
}
