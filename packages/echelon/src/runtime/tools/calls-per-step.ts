import type { ToolOutcome } from '../../core/tool/tool.ts'
import type { Batch } from './batch.ts'

/**
 * Several times what models ask for at once. A person can read as many, and a server that asks for
 * thousands is stopped before it costs anything.
 */
const DEFAULT_CALLS_PER_STEP = 64

/**
 * Why a call is not made: its step has made as many as it may. What an earlier process began of it is
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
