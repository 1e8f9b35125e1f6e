import type { ModelCall } from '../../core/extension/middleware.ts'
import type { ToolCall, ToolOutcome } from '../../core/tool/tool-call.ts'
import type { Branch } from '../branch.ts'
import { callTools } from './tool-batch.ts'

/** Maximum number of these calls that run at the same time. */
const AT_ONCE = 8

/**
 * Tool calls of middleware within a model call. Only tools that read: a model call that a crash interrupts
 * is made again, with its tool calls.
 */
export function readingTools(
  branch: Branch,
  actor: string,
  seq: number,
): NonNullable<ModelCall['callTools']> {
  let firstCall = 0
  return async (calls) => {
    const reading = calls.filter(({ tool }) => branch.tools.find(tool)?.does === 'reads')
    const place = { seq, firstCall }
    firstCall += reading.length
    const effect = { type: 'call-tools', actor, calls: reading, atOnce: AT_ONCE } as const
    const { outcomes } = await callTools(branch, effect, place, 'checks')
    const outcomeOf = new Map(reading.map((call, index) => [call, outcomes[index]]))
    return {
      type: 'tools-called',
      outcomes: calls.map((call) => outcomeOf.get(call) ?? notReading(branch, call)),
    }
  }
}

const notReading = (branch: Branch, { tool }: ToolCall): ToolOutcome =>
  branch.tools.find(tool) === undefined
    ? { type: 'error', code: 'UNKNOWN_TOOL', message: `no tool ${tool} is registered` }
    : { type: 'denied', reason: `${tool} does more than read, so no check may call it` }
