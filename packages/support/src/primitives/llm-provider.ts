import type { JsonObject, Message as PromptMessage } from 'echelon/runtime'
import type { BoundModel, Usage } from 'echelon/providers'
import type { ToolCall } from '../plan.ts'

export type { PromptMessage }

/** A tool as offered to a model. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema. */
  readonly parameters: JsonObject
}

export interface GenerateOptions {
  readonly tools?: readonly OfferedTool[]
  /** Requires an answer in JSON of this schema. */
  readonly responseFormat?: { readonly name: string; readonly jsonSchema: JsonObject }
  /** Default: the provider's. */
  readonly temperature?: number
  readonly maxTokens?: number
  readonly signal?: AbortSignal
}

export interface LLMResponse {
  readonly content: string | null
  readonly toolCalls: readonly ToolCall[]
  /** The server's name for it. */
  readonly model: string
  /** Total of prompt and answer. */
  readonly tokensUsed: number
  readonly latencyMs: number
  /** The two parts of `tokensUsed`, if the provider reports them. */
  readonly usage?: Usage
  /** Unusable parts of the response, in words, such as a tool call whose parameters are not JSON. */
  readonly warnings?: readonly string[]
}

/** Primitive: a model behind any API. `llmProviderContract` tests it. */
export interface LLMProvider {
  generate(messages: readonly PromptMessage[], options?: GenerateOptions): Promise<LLMResponse>
  /** US dollars; `null` if the price is unknown, which is never 0. */
  getCost(tokensIn: number, tokensOut: number): number | null
  /** One of Echelon's models that answers the same. A router calls it instead, so that answers stream. */
  readonly bound?: BoundModel
}
