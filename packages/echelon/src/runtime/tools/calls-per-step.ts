import type { ToolOutcome } from '../../core/tool/tool.ts'
import type { Batch } from './batch.ts'

/**
 * Several times as many calls as models usually make in one step, and few enough for a person to
 * read. It stops a server that requests thousands of calls before they cost anything.
 */
const DEFAULT_CALLS_PER_STEP = 64

/**
 * Returns why a call exceeds the limit of its step. Calls that an earlier process started are
 * finished, whatever the limit was then.
 */
export function beyondStep({ branch, seq }: Batch, index: number): ToolOutcome | undefined {
  const { maxCallsPerStep: most = DEFAULT_CALLS_PER_STEP } = branch.services
  if (index < most) return undefined
  const open = branch.leftOpen(seq)
  if (open?.settled.has(index) === true || open?.intended.has(index) === true) return undefined
  return {
    type: 'refused',
    limit: 'calls per step',
    reason: `one answer may ask for ${most} tool calls; this was number ${index + 1}, ask for it again in the next answer if it is still needed`,
  }
}
