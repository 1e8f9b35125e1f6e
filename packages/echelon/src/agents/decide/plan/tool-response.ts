import type { Json, JsonObject } from '../../../core/value/json.ts'
import type { ToolErrorCode } from '../../../core/tool/tool.ts'
import type { Evidence, Task } from '../state.ts'
import { timestampIn } from '../../../core/value/timestamp.ts'

/** The evidence of an action that gave no result. */
export interface ToolErrorObject {
  /** One sentence. */
  readonly error: string
  readonly code: ToolErrorCode
  readonly details: { readonly tool: string; readonly args: Json }
  readonly kind: 'error'
  /** ISO 8601 with the zone's offset. */
  readonly timestamp: string
  /** The run and the action's position in it. */
  readonly step_id: string
}

/** An action's result as shown: the tool's own object, or an error object. */
export function toolResponse(
  { call, outcome, at }: Evidence,
  { timeZone, runId }: Pick<Task, 'timeZone' | 'runId'>,
): Json | ToolErrorObject {
  const error = (code: ToolErrorCode, message: string): ToolErrorObject & JsonObject => ({
    error: message,
    code,
    details: { tool: call.tool, args: call.input },
    kind: 'error',
    timestamp: timestampIn(timeZone, at),
    step_id: `${runId}:${call.id}`,
  })
  switch (outcome.type) {
    case 'ok':
      return outcome.value
    case 'error':
      return error(outcome.code, outcome.message)
    case 'denied':
      return error('UNKNOWN_TOOL', outcome.reason)
    case 'refused':
      return error('TOOL_ERROR', `the limit of ${outcome.limit} did not allow the call`)
    case 'unknown':
      return error('TOOL_ERROR', outcome.message)
  }
}
