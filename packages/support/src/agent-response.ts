import type { PlanExecution } from './turn/planning/plan-execution.ts'
import type { ToolResult } from './primitives/tool-executor.ts'

/** The answer to the customer. */
export interface AgentResponse {
  readonly text: string
  /** Result of the last tool of this turn; `null` if none was called. */
  readonly toolResult: ToolResult | null
  readonly needsUserInput: boolean
  readonly missingParam: string | null
  /** The current state of the answer's plan; `null` if nothing was planned. */
  readonly execution: PlanExecution | null
  /** The run that made it. */
  readonly runId: string
}
