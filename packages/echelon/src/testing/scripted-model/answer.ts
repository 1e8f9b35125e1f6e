import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { Json } from '../../core/value/json.ts'
import type { Usage } from '../../core/model/model.ts'

/** What the model answers to one call. A string is a reply of that text; a function looks first. */
export type ScriptedAnswer =
  | string
  | ScriptedReply
  | ScriptedFailure
  | ((
      options: LanguageModelV4CallOptions,
      /** From 1 on. */
      call: number,
    ) => GivenAnswer | Promise<GivenAnswer>)

export type GivenAnswer = string | ScriptedReply | ScriptedFailure

interface Expectation {
  /** Must hold of the call, or the call fails with UNEXPECTED_CALL. */
  readonly when?: (options: LanguageModelV4CallOptions) => boolean
  /**
   * Milliseconds before the answer begins; ends early when the call is aborted. Infinite for a model
   * that never answers. Default 0.
   */
  readonly delayMs?: number
  /** Milliseconds before each further piece of a stream. Default 0. */
  readonly betweenMs?: number
}

/** An answer; what is left out is not said. */
export interface ScriptedReply extends Expectation {
  /** A list is streamed piece by piece, and joined where the call does not stream. */
  readonly text?: string | readonly string[]
  /** What it thinks before it speaks, in pieces as the text. */
  readonly reasoning?: string | readonly string[]
  readonly toolCalls?: readonly ScriptedToolCall[]
  /** What comes between text and tool calls: files, sources, results of the provider's own tools. */
  readonly content?: readonly OtherContent[]
  /** Default `tool-calls` when there are some, else `stop`. */
  readonly finishReason?: LanguageModelV4FinishReason['unified']
  /** `null` is a provider that reports none. Default 10 tokens in, and 5 out or as many as its text takes. */
  readonly usage?: ScriptedUsage | null
  /** What the provider says besides, such as the name of a stored response. */
  readonly providerMetadata?: SharedV4ProviderMetadata
}

/** What a stream carries as one part. */
export type OtherContent = Extract<
  LanguageModelV4Content,
  { type: 'file' | 'source' | 'tool-result' }
>

/** Tokens; those read from a cache are within `input`, those of thinking within `output`. */
export interface ScriptedUsage extends Usage {
  readonly cacheRead?: number
  readonly reasoning?: number
}

/** A tool call of an answer. */
export interface ScriptedToolCall {
  /** Default `call-<number of the model call>-<place in the answer>`. */
  readonly id?: string
  readonly tool: string
  /** A string is sent as it is, so that a model can be scripted to write broken JSON. */
  readonly input: Json
  /** Where the input's JSON is cut in a stream, in characters; default nowhere. */
  readonly cutAt?: readonly number[]
}

/** A call that fails instead of being answered. */
export interface ScriptedFailure extends Expectation {
  /** What the call fails with; `apiError` makes one such as providers throw. */
  readonly error: unknown
  /** In a stream, the pieces of text that arrive first. Without them there is no stream at all. */
  readonly after?: readonly string[]
  /**
   * How a stream tells it: reading it throws (`cut`, the default), or it sends an `error` part and
   * then finishes for the reason `error`, as AI SDK providers do for what is wrong inside a stream
   * (`part`), or it ends without a word, as a connection that is closed too early (`end`).
   */
  readonly as?: 'cut' | 'part' | 'end'
}

export const isFailure = (answer: ScriptedReply | ScriptedFailure): answer is ScriptedFailure =>
  'error' in answer
