import type { PlanExecution } from './turn/plan-execution.ts'
import type { ToolResult } from './primitives/tool-executor.ts'

/** What the customer is answered. */
export interface AgentResponse {
  readonly text: string
  /** Of the last tool of this turn; `null` where none was called. */
  readonly toolResult: ToolResult | null
  readonly needsUserInput: boolean
  readonly missingParam: string | null
  /** The plan that the answer comes of, as it stands now; `null` where nothing was planned. */
  readonly execution: PlanExecution | null
  /** The run that made it. */
  readonly runId: string
}
