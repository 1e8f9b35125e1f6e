import type { JsonObject } from 'echelon/runtime'
import type { DataSource } from './primitives/data-source.ts'
import type { ExecutionContext } from './primitives/tool-executor.ts'

/** A tool of a `LocalExecutor`: a function and its description. */
export interface LocalTool {
  /** Read by models. */
  readonly description: string
  /** JSON Schema of an object; invalid parameters never reach `run`. */
  readonly parameters: JsonObject
  /** Whether it changes data; default false. */
  readonly acts?: boolean
  /** Milliseconds; default that of the executor. */
  readonly timeoutMs?: number
  /**
   * Contract: an acting tool acts once per `context.idempotencyKey`, since it is called again if the outcome is
   * unknown. An exception is a failure: retryable for a network failure, and final otherwise.
   */
  run(params: JsonObject, context: LocalToolContext): ToolAnswer | Promise<ToolAnswer>
  /**
   * The outcome of a call under `context.idempotencyKey`, without making it, if the executor has no stored result.
   * If this is missing, the outcome is unknown.
   */
  outcome?(
    params: JsonObject,
    context: LocalToolContext,
  ): Promise<ToolAnswer | 'not-done' | 'unknown'>
}

/** The result: the data that the customer may see, or a reason in words for the customer. */
export type ToolAnswer =
  | { readonly data: JsonObject }
  | {
      readonly error: string
      /** `not_found`, `transient` (retryable) or a custom code. */
      readonly code: string
    }

export interface LocalToolContext extends ExecutionContext {
  /** Also aborts at the tool's time limit. */
  readonly signal: AbortSignal
  /** Orders and customers; only the customer's own if the executor enforces identity. */
  readonly data: DataSource
  /** Milliseconds since the epoch. */
  readonly at: number
}
