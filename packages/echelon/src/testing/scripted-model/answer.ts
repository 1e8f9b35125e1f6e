import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { Json } from '../../core/value/json.ts'
import type { Usage } from '../../core/model/model.ts'

/**
 * The answer to one call: a string is a reply with that text, a function computes the answer from
 * the call.
 */
export type ScriptedAnswer =
  | string
  | ScriptedReply
  | ScriptedFailure
  | ((
      options: LanguageModelV4CallOptions,
      /** From 1. */
      call: number,
    ) => GivenAnswer | Promise<GivenAnswer>)

export type GivenAnswer = string | ScriptedReply | ScriptedFailure

interface Expectation {
  /** Must match the call; otherwise the call fails with UNEXPECTED_CALL. */
  readonly when?: (options: LanguageModelV4CallOptions) => boolean
  /**
   * Milliseconds before the answer begins; an abort ends the wait. Infinite for a model that never
   * answers. Default 0.
   */
  readonly delayMs?: number
  /** Milliseconds before each further stream piece. Default 0. */
  readonly betweenMs?: number
}

/** An answer; omitted parts are not sent. */
export interface ScriptedReply extends Expectation {
  /** A list is streamed piece by piece, and joined if the call does not stream. */
  readonly text?: string | readonly string[]
  /** The reasoning before the text, in pieces like the text. */
  readonly reasoning?: string | readonly string[]
  readonly toolCalls?: readonly ScriptedToolCall[]
  /** Parts between text and tool calls: files, sources, results of the provider's own tools. */
  readonly content?: readonly OtherContent[]
  /** Default `tool-calls` if there are any, otherwise `stop`. */
  readonly finishReason?: LanguageModelV4FinishReason['unified']
  /**
   * `null` is a provider that reports none. Default: 10 input tokens, and 5 output tokens or as
   * many as the text needs.
   */
  readonly usage?: ScriptedUsage | null
  /** Additional provider data, such as the id of a stored response. */
  readonly providerMetadata?: SharedV4ProviderMetadata
}

/** Content that a stream carries as a single part. */
export type OtherContent = Extract<
  LanguageModelV4Content,
  { type: 'file' | 'source' | 'tool-result' }
>

/** Tokens; cached ones are included in `input`, reasoning ones in `output`. */
export interface ScriptedUsage extends Usage {
  readonly cacheRead?: number
  readonly reasoning?: number
}

/** A tool call of an answer. */
export interface ScriptedToolCall {
  /** Default `call-<number of the model call>-<place in the answer>`. */
  readonly id?: string
  readonly tool: string
  /** A string is sent unchanged, so that a script can contain broken JSON. */
  readonly input: Json
  /** Where a stream cuts the input's JSON, in characters. Default: nowhere. */
  readonly cutAt?: readonly number[]
}

/** A call that fails. */
export interface ScriptedFailure extends Expectation {
  /** The error of the call; `apiError` creates one like those of providers. */
  readonly error: unknown
  /**
   * In a stream, the text pieces that arrive first. Without them the call fails before a stream
   * exists.
   */
  readonly after?: readonly string[]
  /**
   * How a stream reports the failure: reading throws (`cut`, the default); or it sends an `error`
   * part and finishes with the reason `error`, as AI SDK providers do for errors inside a stream
   * (`part`); or it ends without a finish, like a connection closed too early (`end`).
   */
  readonly as?: 'cut' | 'part' | 'end'
}

export const isFailure = (answer: ScriptedReply | ScriptedFailure): answer is ScriptedFailure =>
  'error' in answer
