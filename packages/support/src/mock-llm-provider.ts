import { EchelonError, utf8Bytes } from 'echelon/internal/value'
import type { Price, Usage } from 'echelon/providers'
import type {
  GenerateOptions,
  LLMProvider,
  LLMResponse,
  PromptMessage,
} from './primitives/llm-provider.ts'

/** The answer to a call: text, a partial response, or an error to throw. */
export type MockAnswer = string | Error | Partial<LLMResponse>

/** An answer, or a function that makes one from the call. */
export type MockAnswerOrMaker =
  | MockAnswer
  | ((
      messages: readonly PromptMessage[],
      options: GenerateOptions,
    ) => MockAnswer | Promise<MockAnswer>)

/** A call as the mock was given it. */
export interface MockCall {
  readonly messages: readonly PromptMessage[]
  readonly options: GenerateOptions
}

export interface MockOptions {
  /** The model name in its answers; default `mock`. */
  readonly model?: string
  /** The price of tokens; default zero. */
  readonly price?: Price
}

/**
 * A provider for tests: returns the given answers in order, the same on every run. Fields missing in an answer are
 * empty, usage is counted at four bytes per token, and calls take no time.
 */
export class MockLLMProvider implements LLMProvider {
  /** Every call, in order. */
  readonly calls: MockCall[] = []
  readonly #answers: readonly MockAnswerOrMaker[]
  readonly #model: string
  readonly #price: Price

  constructor(answers: readonly MockAnswerOrMaker[] = [], options: MockOptions = {}) {
    this.#answers = answers
    this.#model = options.model ?? 'mock'
    this.#price = options.price ?? (() => 0)
  }

  /** @throws EchelonError UNEXPECTED_CALL when no answer is left */
  async generate(
    messages: readonly PromptMessage[],
    options: GenerateOptions = {},
  ): Promise<LLMResponse> {
    options.signal?.throwIfAborted()
    // A copy, since the caller may reuse its array.
    const number = this.calls.push({ messages: [...messages], options })
    const given = this.#answers[number - 1]
    if (given === undefined) throw this.#nothingLeft(messages)
    const answer = typeof given === 'function' ? await given(messages, options) : given
    if (answer instanceof Error) throw answer
    return this.#responseOf(typeof answer === 'string' ? { content: answer } : answer, messages)
  }

  getCost(tokensIn: number, tokensOut: number): number | null {
    return this.#price({ input: tokensIn, output: tokensOut })
  }

  /** @throws EchelonError UNEXPECTED_CALL unless there were as many calls as answers */
  assertComplete(): void {
    if (this.calls.length === this.#answers.length) return
    throw unexpected(
      `MockLLMProvider was asked ${this.calls.length} times, and was given ${this.#answers.length} answers`,
    )
  }

  #responseOf(answer: Partial<LLMResponse>, messages: readonly PromptMessage[]): LLMResponse {
    const { content = null, toolCalls = [] } = answer
    const usage = answer.usage ?? (answer.tokensUsed === undefined ? estimated() : undefined)
    return {
      model: this.#model,
      latencyMs: 0,
      ...answer,
      content,
      toolCalls,
      tokensUsed: answer.tokensUsed ?? (usage === undefined ? 0 : usage.input + usage.output),
      ...(usage !== undefined && { usage }),
    }
    function estimated(): Usage {
      return { input: tokensOf(messages), output: tokensOf([content ?? '', toolCalls]) }
    }
  }

  #nothingLeft(messages: readonly PromptMessage[]): EchelonError {
    const last = JSON.stringify(messages.at(-1)?.content ?? '').slice(0, MOST_SHOWN)
    return unexpected(
      `MockLLMProvider was asked for answer ${this.calls.length}, and was given ${this.#answers.length}; give it one more, for ${last}`,
    )
  }
}

const MOST_SHOWN = 300
const BYTES_PER_TOKEN = 4

const tokensOf = (value: unknown): number =>
  Math.ceil(utf8Bytes(JSON.stringify(value)) / BYTES_PER_TOKEN)

const unexpected = (message: string): EchelonError => new EchelonError('UNEXPECTED_CALL', message)
