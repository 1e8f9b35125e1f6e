import type { JsonObject } from 'echelon/runtime'
import type { BoundModel, Usage } from 'echelon/providers'
import type { Message as PromptMessage } from 'echelon/runtime'
import type { ToolCall } from '../plan.ts'

export type { PromptMessage }

/** A tool as a model is offered it. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema. */
  readonly parameters: JsonObject
}

export interface GenerateOptions {
  readonly tools?: readonly OfferedTool[]
  /** The answer is to be JSON of this schema. */
  readonly responseFormat?: { readonly name: string; readonly jsonSchema: JsonObject }
  /** Default: that of the provider. */
  readonly temperature?: number
  readonly maxTokens?: number
  readonly signal?: AbortSignal
}

export interface LLMResponse {
  readonly content: string | null
  readonly toolCalls: readonly ToolCall[]
  /** As the server names it. */
  readonly model: string
  /** Of the prompt and of the answer, together. */
  readonly tokensUsed: number
  readonly latencyMs: number
  /** The two parts of `tokensUsed`, where the provider tells them apart. */
  readonly usage?: Usage
  /** What came that could not be used, in words: such as a tool call whose parameters are no JSON. */
  readonly warnings?: readonly string[]
}

/** Primitive: a model, behind whatever API. `llmProviderContract` tests it. */
export interface LLMProvider {
  generate(messages: readonly PromptMessage[], options?: GenerateOptions): Promise<LLMResponse>
  /** US dollars; `null` where nobody knows the price, which is never 0. */
  getCost(tokensIn: number, tokensOut: number): number | null
  /** A model of Echelon's that answers the same. A router calls it instead, so that answers stream. */
  readonly bound?: BoundModel
}
