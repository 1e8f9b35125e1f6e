import { isJsonObject, type JsonObject } from '../../../core/value/json.ts'
import type { ToolOutcome } from '../../../core/tool/tool.ts'
import type { Evidence } from '../state.ts'

/** The fields of a tool's result, if it gave one. */
export function resultOf(outcome: ToolOutcome | undefined): JsonObject | undefined {
  return outcome?.type === 'ok' && isJsonObject(outcome.value) ? outcome.value : undefined
}

/** The last action of a round with a result, of one tool or of any. */
export function lastResult(
  ran: readonly Evidence[],
  tool?: string,
): { readonly evidence: Evidence; readonly result: JsonObject } | undefined {
  for (const evidence of ran.toReversed()) {
    const result = resultOf(evidence.outcome)
    if (result !== undefined && (tool === undefined || evidence.call.tool === tool)) {
      return { evidence, result }
    }
  }
  return undefined
}

/** The text of a result that is an answer by itself: a number or a date. */
export function textOf(result: JsonObject | undefined): string | null {
  const text = result?.['value'] ?? result?.['date_str'] ?? result?.['image_path']
  return typeof text === 'string' ? text : null
}

/** The answer in a round's evidence, proved or not. */
export const lastAnswer = (ran: readonly Evidence[]): string | null =>
  textOf(lastResult(ran)?.result)

/** The message of the last failed action, for a missing answer. */
export const lastError = (ran: readonly Evidence[]): string | undefined => lastFailure(ran)?.message

/** The last action that failed. */
export function lastFailure(ran: readonly Evidence[]): ToolFailure | undefined {
  const failed = ran.findLast(({ outcome }) => outcome.type === 'error')
  return failed?.outcome.type === 'error' ? failed.outcome : undefined
}

/** The setup problem that a person must fix outside the run, in the words of the tool that found it. */
export function setupFault(outcomes: readonly ToolOutcome[]): string | undefined {
  const failed = outcomes.find((one) => one.type === 'error' && one.fault === 'setup')
  return failed?.type === 'error' ? failed.message : undefined
}

type ToolFailure = Extract<ToolOutcome, { type: 'error' }>
