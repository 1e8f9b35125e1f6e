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
      return outcome.reason.startsWith(NEEDS_PERSON)
        ? failure(outcome.reason, 'needs_person')
        : failure(outcome.reason, 'denied')
    case 'refused':
      return failure(outcome.reason ?? `there are no ${outcome.limit} left`, 'refused')
    case 'unknown':
      return failure('it is not known whether it was done', 'unknown')
  }
}

/** How the rules say, at the call itself, that a person has to allow it; a digest of the order follows. */
const NEEDS_PERSON = 'a person has to allow it: '

/** The reason of a denial that leads to an approval. */
export const needsPersonReason = (rests: string): string => NEEDS_PERSON + rests

/** The digest of what a person has to allow; `null` for any other result. */
export function needsPerson({ code, error }: ToolResult): { readonly rests: string } | null {
  if (code !== 'needs_person' || error === null) return null
  return { rests: error.slice(NEEDS_PERSON.length) }
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
