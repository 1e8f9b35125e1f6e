import type { JsonObject } from 'echelon/runtime'
import type { PlanExecution } from '../turn/planning/plan-execution.ts'
import type { ToolCall } from '../plan.ts'
import type { OfferedTool } from './llm-provider.ts'

export type ToolResult = {
  readonly success: boolean
  readonly data: JsonObject | null
  /** In words for people, such as `Order O-1 not found`. */
  readonly error: string | null
  readonly executionTimeMs: number
  /** `not_found` and `transient` (retryable) are acted on; others are for logs. */
  readonly code?: string
}

/** The customer and limits of a tool call. */
export interface ExecutionContext {
  readonly sessionId: string
  readonly interactionId: string
  /** The customer, as verified by the router's caller; `null` if unknown. */
  readonly customerId: string | null
  /** From plan, intent and parameters: a tool acts once per key. */
  readonly idempotencyKey: string
  /** The plan's state at this call; `null` if there is none. */
  readonly execution: PlanExecution | null
  readonly signal?: AbortSignal
}

/** Primitive: executes tool calls. It never throws for a tool that fails. `toolExecutorContract` tests it. */
export interface ToolExecutor {
  execute(call: ToolCall, context: ExecutionContext): Promise<ToolResult>
  /**
   * The outcome of a call under its key, without making it. Used if a process died during an acting call that may
   * not be repeated, since its order or the rules changed meanwhile. If this is missing, or returns `'unknown'`,
   * the customer is told that the outcome is unknown.
   */
  outcome?(call: ToolCall, context: ExecutionContext): Promise<ToolResult | 'not-done' | 'unknown'>
  /** The available tools, for the model that plans. */
  describe(): readonly ToolFacts[]
}

/** A tool as offered to a model, and whether it changes data. */
export interface ToolFacts extends OfferedTool {
  /** Default false. */
  readonly acts?: boolean
}
