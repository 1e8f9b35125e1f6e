import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { Sampling } from '../agent/effect.ts'
import type { ProblemCode } from './problem.ts'

/** Tokens of one call, or of several added up. */
export interface Usage {
  readonly input: number
  readonly output: number
}

/**
 * Returns the cost of a usage in US dollars, or `null` if unknown. Unknown is never 0: under a money
 * limit, a call of unknown price is refused.
 */
export type Price = (usage: Usage) => number | null

/** A loaded model with its price, to which a role of an agent is bound. */
export interface BoundModel {
  /** Provider key and model id, such as `openai/gpt-5-nano`. */
  readonly id: string
  readonly model: LanguageModelV4
  readonly price: Price
  /** Interprets this provider's errors. If it returns `undefined`, general rules apply. */
  readonly normalizeError?: NormalizeError
  /**
   * Whether one call stands for several, such as a call to an agent of another framework: its usage
   * is then not bounded by the prompt and `maxTokens`. Default false.
   */
  readonly sumsCalls?: boolean
  /**
   * Returns values that must not be shown or stored, such as its API key: a server may repeat them in
   * an error. A function, so that logging the model does not print them.
   */
  readonly secrets?: () => readonly string[]
  /** Set only if the provider stores conversations and `store` allows it. */
  readonly conversation?: KeptConversation
}

/** The meaning of a provider's error: a message for people and a problem code. */
export interface ErrorMeaning {
  readonly message: string
  readonly type: ProblemCode
  /** Time to wait before a retry, in milliseconds, if no response header gives it. */
  readonly retryAfterMs?: number
}

/**
 * Interprets an error that a provider threw; returns `undefined` to leave it to the general rules.
 * It must not throw.
 */
export type NormalizeError = (error: unknown) => ErrorMeaning | undefined

/** Access to conversations stored by the provider, so that only new messages are sent. */
export interface KeptConversation {
  /** Returns the conversation's id from an answer's metadata; `undefined` if there is none. */
  idOf(metadata: unknown): string | undefined
  /** Returns the provider options of a call that continues the conversation. */
  options(id: string): SharedV4ProviderOptions
}

/** Which API of a server is used; `auto` selects the one that the model supports. */
export const APIS = ['auto', 'responses', 'chat', 'completions'] as const
export type Api = (typeof APIS)[number]

/** Reasoning effort of a model; `least` is the lowest that the model supports. */
export const REASONING = ['least', 'low', 'medium', 'high', 'provider-default'] as const
export type Reasoning = (typeof REASONING)[number]

/** Settings of a provider. Absent ones have the provider's defaults. */
export interface ProviderSettings {
  readonly baseUrl?: string
  readonly apiKey?: string
  /** Default `auto`. Only for providers with several APIs. */
  readonly api?: Api
  /** Whether the provider may store the conversation. Default false. */
  readonly store?: boolean
  /**
   * Default `provider-default`, unless a role asks for less: reasoning is billed as output, and some
   * roles, such as the first planner, have short answers.
   */
  readonly reasoning?: Reasoning
  /** Default sampling of its models. */
  readonly sampling?: Sampling
  /**
   * Other options of the provider's package, under the package's names, such as `organization` or
   * `headers`.
   */
  readonly additional?: Readonly<Record<string, unknown>>
  /** Maximum bytes of one answer, decompressed; a stream may have twice that. Default 32 MiB. */
  readonly maxAnswerBytes?: number
  /** US dollars per million tokens, for models that are not in the price list. */
  readonly price?: { readonly inputPerMillion: number; readonly outputPerMillion: number }
}

/**
 * Port: a source of models under one key. Its packages are loaded by `load`, not earlier.
 * Contract: `load` throws `EchelonError` MISSING_KEY, MISSING_PACKAGE or UNKNOWN_MODEL, with a message
 * that says what to do. `providerContract` tests it.
 */
export interface Provider {
  /** The part before the slash in a model's name. */
  readonly key: string
  /** One-line description for lists. */
  readonly summary: string
  /** Known model ids; a provider may accept others. */
  readonly models: readonly string[]
  /** Default `normalizeError` of its models. */
  readonly normalizeError?: NormalizeError
  load(modelId: string, settings: ProviderSettings): Promise<BoundModel>
}
