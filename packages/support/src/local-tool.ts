import type { JsonObject } from 'echelon/runtime'
import type { DataSource } from './primitives/data-source.ts'
import type { ExecutionContext } from './primitives/tool-executor.ts'

/** A tool of a `LocalExecutor`: a function, and what is to be known of it. */
export interface LocalTool {
  /** What the model reads. */
  readonly description: string
  /** JSON Schema of an object; what does not fit it never reaches `run`. */
  readonly parameters: JsonObject
  /** Whether it changes anything; default false. */
  readonly acts?: boolean
  /** Milliseconds; default that of the executor. */
  readonly timeoutMs?: number
  /**
   * Contract: one that acts does so once under `context.idempotencyKey`, since it is called again
   * where nobody knows what became of it. What it throws is a failure: worth another try for a network
   * that failed, and final otherwise.
   */
  run(params: JsonObject, context: LocalToolContext): ToolAnswer | Promise<ToolAnswer>
  /**
   * What became of a call under `context.idempotencyKey`, without making it, as far as the executor has
   * no result of it. Without it nobody can tell.
   */
  outcome?(
    params: JsonObject,
    context: LocalToolContext,
  ): Promise<ToolAnswer | 'not-done' | 'unknown'>
}

/** What came of it: what the customer may see, or why not, in words for the customer. */
export type ToolAnswer =
  | { readonly data: JsonObject }
  | {
      readonly error: string
      /** `not_found`, `transient` (worth another try) or one of your own. */
      readonly code: string
    }

export interface LocalToolContext extends ExecutionContext {
  /** Aborts at the tool's time limit too. */
  readonly signal: AbortSignal
  /** Orders and customers; only those of the customer where the executor enforces identity. */
  readonly data: DataSource
  /** Milliseconds since the epoch. */
  readonly at: number
}
