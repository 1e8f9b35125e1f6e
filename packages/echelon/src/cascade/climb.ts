import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import { EchelonError } from '../core/value/error.ts'
import { isJson, isJsonObject, type JsonObject } from '../core/value/json.ts'
import { FALLS_BACK_ON } from '../core/model/falls-back-on.ts'
import type { BoundModel } from '../core/model/model.ts'
import type { ModelAnswer } from '../runtime/model/model-answer.ts'
import { toProblem } from '../runtime/model/provider-problem.ts'
import { attemptOf, type VerifiedCall } from '../verify/attempt-of.ts'
import type { Wanted } from '../verify/answer.ts'
import type { Ruling } from '../verify/gate.ts'
import { promotionNote } from '../verify/promotion-note.ts'
import { ruleOn, type VerifiedGate } from '../verify/rule-on.ts'
import { type AnsweredBy, Bill } from './bill.ts'
import { liveStream } from './live-stream.ts'
import { type Answered, MeteredAttempt } from './metered-attempt.ts'
import { type CallTools, performWith } from './opinions.ts'
import type { CallBudget } from './call-budget.ts'

/** The gate of a cascade with its loaded models. */
export interface Ladder extends VerifiedGate {
  /** The smallest first; at least two. */
  readonly models: readonly [BoundModel, ...BoundModel[]]
  /** Models of the roles that the verifier asks. */
  readonly ask: Readonly<Record<string, BoundModel>>
  /** Absent if the verifier was given no tools. */
  readonly callTools?: CallTools
  readonly wanted: Wanted | undefined
  readonly passEvidence: boolean
}

interface Accepted<Raw> extends Answered<Raw> {
  readonly by: AnsweredBy
}

/** One call of a cascade, on its way up the models. */
export class Climb {
  readonly #ladder: Ladder
  readonly #options: LanguageModelV4CallOptions
  readonly #callBudget: CallBudget
  readonly #bill = new Bill()
  /** Aborts when the reader of a stream leaves. */
  readonly #left = new AbortController()
  /** Why the last answer was not accepted. */
  #evidence: string | undefined
  #promotions = 0

  constructor(ladder: Ladder, options: LanguageModelV4CallOptions, callBudget: CallBudget) {
    const { abortSignal } = options
    const left = this.#left.signal
    this.#ladder = ladder
    this.#options = {
      ...options,
      abortSignal: abortSignal === undefined ? left : AbortSignal.any([abortSignal, left]),
    }
    this.#callBudget = callBudget
  }

  async generate(): Promise<LanguageModelV4GenerateResult> {
    const generated = (attempt: MeteredAttempt) => attempt.generate()
    const { raw, by } = (await this.#accepted(generated)) ?? (await this.#last())
    const providerMetadata = this.#bill.metadata(raw.providerMetadata, by)
    return { ...raw, usage: this.#bill.usage, providerMetadata }
  }

  /** Resolves when it is known who answers; only the last model's answer is streamed as it comes. */
  async stream(): Promise<LanguageModelV4StreamResult> {
    const accepted = await this.#accepted(held)
    if (accepted === undefined) return this.#lastStream()
    const { raw, by } = accepted
    const parts = raw.parts.map((part) => this.#closing(part, by))
    return { ...raw.opened, stream: ReadableStream.from(parts) }
  }

  // ---- all models but the last ----

  async #accepted<Raw extends { readonly usage: LanguageModelV4GenerateResult['usage'] }>(
    ask: (attempt: MeteredAttempt) => Promise<Answered<Raw>>,
  ): Promise<Accepted<Raw> | undefined> {
    for (const model of this.#ladder.models.slice(0, -1)) {
      const attempt = await this.#open(model)
      const answered = await this.#asked(attempt, ask)
      if (answered !== undefined) {
        const ruling = await this.#rule(answered.answer, model)
        if (ruling.decision === 'accept') {
          return { ...answered, by: { model: model.id, ruling, promotions: this.#promotions } }
        }
        this.#evidence = ruling.evidence
      }
      this.#options.abortSignal?.throwIfAborted()
      this.#promotions++
    }
    return undefined
  }

  /** Reserves a call. @throws EchelonError LIMIT_REACHED */
  async #open(model: BoundModel): Promise<MeteredAttempt> {
    this.#options.abortSignal?.throwIfAborted()
    const isTold = this.#evidence !== undefined && this.#ladder.passEvidence
    const note = isTold ? promotionNote(this.#evidence ?? '') : undefined
    const attempt = await MeteredAttempt.open(this.#callBudget, {
      model,
      options: this.#options,
      note,
    })
    if (attempt instanceof MeteredAttempt) return attempt
    throw limitReached(model, attempt, this.#evidence)
  }

  /** @returns nothing if the model failed in a way that another one may not */
  async #asked<Raw extends { readonly usage: LanguageModelV4GenerateResult['usage'] }>(
    attempt: MeteredAttempt,
    ask: (attempt: MeteredAttempt) => Promise<Answered<Raw>>,
  ): Promise<Answered<Raw> | undefined> {
    try {
      return this.#paid(attempt, await ask(attempt))
    } catch (error) {
      this.#failed(attempt, error)
      const { normalizeError } = attempt.model
      if (!FALLS_BACK_ON.includes(toProblem(error, 1, normalizeError).code)) throw error
      return undefined
    }
  }

  #paid<Raw extends { readonly usage: LanguageModelV4GenerateResult['usage'] }>(
    attempt: MeteredAttempt,
    answered: Answered<Raw>,
  ): Answered<Raw> {
    this.#bill.add(attempt.settle(answered.answer), 'answer', answered.raw.usage)
    return answered
  }

  #failed(attempt: MeteredAttempt, error: unknown): void {
    this.#bill.add(attempt.fail(error), 'answer')
    this.#options.abortSignal?.throwIfAborted()
  }

  /** @param small absent for the last model, whose answer is taken in any case */
  async #rule({ text, calls, finish }: ModelAnswer, small?: BoundModel): Promise<Ruling> {
    if (finish === 'content-filter') return WITHHELD
    if (!WHOLE.has(finish)) return CUT_OFF
    if (text.trim() === '' && calls.length === 0) return EMPTY
    const attempt = attemptOf(verifiedCall(this.#options, this.#ladder.wanted), { text, calls })
    if (small === undefined) return ruleOn(attempt, this.#ladder)
    const { ask, callTools } = this.#ladder
    const perform = performWith({
      callBudget: this.#callBudget,
      bill: this.#bill,
      signal: this.#options.abortSignal,
      models: { small, ...ask },
      callTools,
    })
    return ruleOn(attempt, this.#ladder, perform)
  }

  // ---- the last model ----

  async #last(): Promise<Accepted<LanguageModelV4GenerateResult>> {
    const attempt = await this.#open(this.#lastModel)
    const answered = await this.#orFailed(attempt, async () =>
      this.#paid(attempt, await attempt.generate()),
    )
    return { ...answered, by: await this.#answeredLast(answered.answer) }
  }

  async #lastStream(): Promise<LanguageModelV4StreamResult> {
    const attempt = await this.#open(this.#lastModel)
    const { stream, ...opened } = await this.#orFailed(attempt, () => attempt.stream())
    const live = liveStream(attempt, stream, {
      onAnswered: async (answer, finish) => {
        this.#bill.add(attempt.settle(answer), 'answer', finish.usage)
        return this.#closing(finish, await this.#answeredLast(answer))
      },
      onFailed: (error) => {
        this.#bill.add(attempt.fail(error), 'answer')
        return this.#bill.usage
      },
      onLeft: () => this.#left.abort(),
    })
    return { ...opened, stream: live }
  }

  /** Charges the call if the work fails. */
  async #orFailed<Result>(
    attempt: MeteredAttempt,
    work: () => PromiseLike<Result>,
  ): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      this.#failed(attempt, error)
      throw error
    }
  }

  get #lastModel(): BoundModel {
    const { models } = this.#ladder
    return models.at(-1) ?? models[0]
  }

  async #answeredLast(answer: ModelAnswer): Promise<AnsweredBy> {
    const ruling = await this.#rule(answer)
    return { model: this.#lastModel.id, ruling, promotions: this.#promotions }
  }

  #closing(part: LanguageModelV4StreamPart, by: AnsweredBy): LanguageModelV4StreamPart {
    if (part.type !== 'finish') return part
    const providerMetadata = this.#bill.metadata(part.providerMetadata, by)
    return { ...part, usage: this.#bill.usage, providerMetadata }
  }
}

// ---- an answer that must not be shown yet ----

interface HeldStream {
  readonly opened: Omit<LanguageModelV4StreamResult, 'stream'>
  readonly parts: readonly LanguageModelV4StreamPart[]
  readonly usage: LanguageModelV4GenerateResult['usage']
}

async function held(attempt: MeteredAttempt): Promise<Answered<HeldStream>> {
  const { stream, ...opened } = await attempt.stream()
  const parts: LanguageModelV4StreamPart[] = []
  const answer = await attempt.read(stream, (part) => void parts.push(part))
  const finish = parts.findLast((part) => part.type === 'finish')
  if (finish === undefined) throw new Error('the stream ended before the answer did')
  return { raw: { opened, parts, usage: finish.usage }, answer }
}

// ---- what is judged ----

const WHOLE: ReadonlySet<string> = new Set(['stop', 'tool-calls', 'other'])

/** Refused content is not tried with other models. */
const WITHHELD: Ruling = {
  decision: 'accept',
  status: 'unchecked',
  confidence: null,
  evidence: 'the provider withheld the answer',
}

const unsupported = (evidence: string): Ruling => ({
  decision: 'promote',
  status: 'unsupported',
  confidence: 0,
  evidence,
})

const CUT_OFF = unsupported('the answer was cut off')
const EMPTY = unsupported('the answer is empty')

function verifiedCall(
  { prompt, tools = [], responseFormat }: LanguageModelV4CallOptions,
  wanted: Wanted | undefined,
): VerifiedCall {
  const offered = tools.flatMap((tool) => {
    if (tool.type !== 'function') return []
    const { name, description = '', inputSchema } = tool
    return [{ name, description, jsonSchema: objectOf(inputSchema) }]
  })
  const isJsonWanted = responseFormat?.type === 'json'
  return {
    messages: prompt,
    tools: offered,
    schema: isJsonWanted ? objectOf(responseFormat.schema) : undefined,
    wanted,
  }
}

/** A JSON Schema as plain data; `true`, which allows anything, if it is not an object. */
const objectOf = (schema: unknown): JsonObject =>
  isJson(schema) && isJsonObject(schema) ? schema : ANYTHING
const ANYTHING: JsonObject = {}

// ---- what the limits do not allow ----

function limitReached(
  { id }: BoundModel,
  refused: { readonly limit: string; readonly message: string; readonly cause?: 'unknown-price' },
  evidence: string | undefined,
): EchelonError {
  const why =
    refused.cause === 'unknown-price'
      ? `the price of ${id} is unknown, so a limit of money refuses it; give it with its price, as { id, model, price }`
      : refused.message
  const before =
    evidence === undefined ? '' : `; the answer before it was not accepted: ${evidence}`
  return new EchelonError('LIMIT_REACHED', `${id} was not asked: ${why}${before}`, {
    details: { limit: refused.limit, model: id },
  })
}
