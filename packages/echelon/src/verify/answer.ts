import type { Json, JsonObject } from '../core/value/json.ts'
import type { ToolCall, ToolFacts, ToolOutcome } from '../core/tool/tool-call.ts'

/** The kind of answer that a task asks for. */
export type Wanted =
  | { readonly kind: 'number' }
  | { readonly kind: 'date' }
  | { readonly kind: 'yes-no' }
  /** One of these, such as the options of a multiple-choice question. */
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** JSON that matches a JSON Schema (draft 7). */
  | { readonly kind: 'json'; readonly schema: JsonObject }
  /** Calls of the task's tools, or words where no call is right. */
  | { readonly kind: 'calls' }
  /** Words that no other kind describes. */
  | { readonly kind: 'text' }

/** An answer of a model. */
export type Answer =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: Json }
  | { readonly type: 'calls'; readonly calls: readonly ToolCall[]; readonly text?: string }

/** A text that an answer may rely on: a document, a search result, an earlier message. */
export interface Source {
  readonly name: string
  readonly text: string
}

/** The task. It never holds the right answer or a bigger model's. */
export interface VerifiedTask {
  /** The user's question, or the last message of the conversation. */
  readonly question: string
  readonly wanted: Wanted
  /** Earlier messages of the conversation, oldest first. */
  readonly earlier?: readonly string[]
  /** The tools that the model was offered. */
  readonly tools?: readonly Pick<ToolFacts, 'name' | 'description' | 'jsonSchema'>[]
  /** Texts that were given to the model to answer from. */
  readonly sources?: readonly Source[]
  /** The day that the question may depend on, as an ISO date. */
  readonly today?: string
}

/** A tool call that was made for the answer, with its outcome. */
export interface CallMade {
  readonly call: ToolCall
  readonly outcome: ToolOutcome
}

/** The subject of a verifier: one answer to one task. */
export interface Attempt {
  readonly task: VerifiedTask
  readonly answer: Answer
  /** The tool calls that were made for the answer, in order. */
  readonly made: readonly CallMade[]
}
