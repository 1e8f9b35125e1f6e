import type { JsonObject } from 'echelon/runtime'
import type { PlanExecution } from '../turn/plan-execution.ts'
import type { ToolCall } from '../plan.ts'
import type { OfferedTool } from './llm-provider.ts'

export type ToolResult = {
  readonly success: boolean
  readonly data: JsonObject | null
  /** In words for people, such as `Order O-1 not found`. */
  readonly error: string | null
  readonly executionTimeMs: number
  /** `not_found` and `transient` (worth another try) are acted on; others are for logs. */
  readonly code?: string
}

/** For whom and within what a tool works. */
export interface ExecutionContext {
  readonly sessionId: string
  readonly interactionId: string
  /** Whom the caller of the router has made sure of; `null` for nobody. */
  readonly customerId: string | null
  /** Of plan, intent and parameters: under the same key a tool acts once. */
  readonly idempotencyKey: string
  /** The plan as it stands at this call; `null` where there is none. */
  readonly execution: PlanExecution | null
  readonly signal?: AbortSignal
}

/**
 * Primitive: what carries out tool calls. It never throws for a tool that fails.
 * `toolExecutorContract` tests it.
 */
export interface ToolExecutor {
  execute(call: ToolCall, context: ExecutionContext): Promise<ToolResult>
  /**
   * What became of a call under its key, without making it. Asked where a process died within a call
   * that changes something and that may not be made again, since its order or the rules changed
   * meanwhile. Without it, and for `'unknown'`, the customer hears that nobody can tell.
   */
  outcome?(call: ToolCall, context: ExecutionContext): Promise<ToolResult | 'not-done' | 'unknown'>
  /** What it can do, for the model that plans. */
  describe(): readonly ToolFacts[]
}

/** A tool as a model is offered it, and whether it changes anything. */
export interface ToolFacts extends OfferedTool {
  /** Default false. */
  readonly acts?: boolean
}
