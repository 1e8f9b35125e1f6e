import { isJsonObject } from 'echelon/internal/value'
import type { Json } from 'echelon/runtime'
import type { ToolOutcome } from 'echelon/internal/tool'
import type { ToolResult } from '../primitives/tool-executor.ts'

/** The result of a call, including refusals by the executor, a rule, a limit, or a crash. */
export function resultOf(outcome: ToolOutcome | undefined): ToolResult {
  if (outcome === undefined) return failure('nothing came of the call', 'tool_error')
  switch (outcome.type) {
    case 'ok':
      return resultIn(outcome.value)
    case 'error':
      return failure(outcome.message, outcome.code)
    case 'denied':
      return failure(outcome.reason, 'denied')
    case 'refused':
      return failure(outcome.reason ?? `there are no ${outcome.limit} left`, 'refused')
    case 'unknown':
      return failure('it is not known whether it was done', 'unknown')
  }
}

/** Reads a stored result; an invalid one counts as a failure. */
export function resultIn(value: Json): ToolResult {
  if (!isJsonObject(value) || typeof value['success'] !== 'boolean') {
    return failure('the tool gave no result', 'tool_error')
  }
  const { success, data = null, error, executionTimeMs, code } = value
  return {
    success,
    data: isJsonObject(data) ? data : null,
    error: typeof error === 'string' ? error : null,
    executionTimeMs: typeof executionTimeMs === 'number' ? executionTimeMs : 0,
    ...(typeof code === 'string' && { code }),
  }
}

const failure = (error: string, code: string): ToolResult => ({
  success: false,
  data: null,
  error,
  executionTimeMs: 0,
  code,
})
