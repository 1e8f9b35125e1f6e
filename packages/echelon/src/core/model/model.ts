import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { Sampling } from '../agent/effect.ts'
import type { ProblemCode } from './problem.ts'

/** Tokens of one call, or of several added up. */
export interface Usage {
  readonly input: number
  readonly output: number
}

/**
 * What a usage costs in US dollars, or `null` when nobody knows. Unknown is never 0:
 * under a money limit a call of unknown price is refused.
 */
export type Price = (usage: Usage) => number | null

/** A model, ready to be called: what a role of an agent is bound to. */
export interface BoundModel {
  /** Provider key and model id, such as `openai/gpt-5-nano`. */
  readonly id: string
  readonly model: LanguageModelV4
  readonly price: Price
  /** What this provider's errors mean. What it leaves open is read by the general rules. */
  readonly normalizeError?: NormalizeError
  /**
   * Whether one call stands for a task of several, such as that of an agent of another framework: its
   * usage is then not bounded by what is sent and asked for. Default false.
   */
  readonly sumsCalls?: boolean
  /** Only where the provider keeps conversations and may. */
  readonly conversation?: KeptConversation
}

/** What an error means, in words for people and as a type of the closed list. */
export interface ErrorMeaning {
  readonly message: string
  readonly type: ProblemCode
  /** How long to wait, in milliseconds, where no header of the answer says it. */
  readonly retryAfterMs?: number
}

/**
 * What an error that a provider threw means; nothing where the provider knows no more of it than
 * the general rules do. It never throws.
 */
export type NormalizeError = (error: unknown) => ErrorMeaning | undefined

/** A conversation that the provider keeps, so that only what is new is sent. */
export interface KeptConversation {
  /** Its name, out of what an answer brought along; nothing where there is none. */
  idOf(metadata: unknown): string | undefined
  /** What a call says to go on with it. */
  options(id: string): SharedV4ProviderOptions
}

/** Which of a server's interfaces is spoken; `auto` is the one that the model takes. */
export const APIS = ['auto', 'responses', 'chat', 'completions'] as const
export type Api = (typeof APIS)[number]

/** How long a model thinks before it answers; `least` is as little as the model can be told. */
export const REASONING = ['least', 'low', 'medium', 'high', 'provider-default'] as const
export type Reasoning = (typeof REASONING)[number]

/** Where a provider finds its server and its key. What is absent comes from the provider. */
export interface ProviderSettings {
  readonly baseUrl?: string
  readonly apiKey?: string
  /** Default `auto`. Only for providers with several interfaces. */
  readonly api?: Api
  /** Whether the provider may keep the conversation. Default false. */
  readonly store?: boolean
  /**
   * Default `provider-default`, unless a role asks for less: thinking is paid like output, and a role
   * such as the first planner has a short answer.
   */
  readonly reasoning?: Reasoning
  /** How its models choose their words where a call does not say. */
  readonly sampling?: Sampling
  /**
   * Whatever else the provider's package takes, in the package's own words, such as `organization`
   * or `headers`.
   */
  readonly additional?: Readonly<Record<string, unknown>>
  /** The most bytes of one answer, unpacked; a stream may have twice that. Default 32 MiB. */
  readonly maxAnswerBytes?: number
  /** US dollars per million tokens, where the price list knows none. */
  readonly price?: { readonly inputPerMillion: number; readonly outputPerMillion: number }
}

/**
 * A source of models under one key. Its packages are loaded by `load` and not before.
 * Contract: `load` throws `EchelonError` MISSING_KEY, MISSING_PACKAGE or UNKNOWN_MODEL, each with
 * what to do. `providerContract` tests it.
 */
export interface Provider {
  /** What stands before the slash in a model's name. */
  readonly key: string
  /** One line for a list. */
  readonly summary: string
  /** Models known by name; a provider may take others. */
  readonly models: readonly string[]
  /** Handed to each of its models. */
  readonly normalizeError?: NormalizeError
  load(modelId: string, settings: ProviderSettings): Promise<BoundModel>
}
