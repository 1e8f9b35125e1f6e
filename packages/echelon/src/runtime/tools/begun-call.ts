import { validate } from '../../core/schema/schema.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
import type { Batch } from './batch.ts'
import type { Branch } from '../branch.ts'
import { Deadline } from '../model/deadline.ts'

/** Returns whether an earlier process recorded the start of a call but no outcome: it may have run. */
export const wasLeftBegun = ({ branch, seq }: Batch, index: number): boolean =>
  branch.leftOpen(seq)?.intended.has(index) === true

/** Like `wasLeftBegun`, or whether middleware has already tried this call in this process. */
export const isBegun = (batch: Batch, index: number): boolean =>
  wasLeftBegun(batch, index) || batch.intended?.has(index) === true

export const mayHaveActed = (tool: string): ToolOutcome => ({
  type: 'unknown',
  message: `${tool} was running when the run stopped, and may have acted`,
})

/** Asks a tool whether a call happened; the outcome is `unknown` if the tool cannot tell or times out. */
export async function findOutcome(
  { tree }: Branch,
  tool: Tool,
  key: string,
  call: ToolCall,
): Promise<ToolOutcome | 'not-done'> {
  const unknown = mayHaveActed(tool.name)
  const deadline = new Deadline(tree, tool.timeoutMs)
  try {
    const was = await deadline.race(askTool(tool, key, call))
    return was === 'unknown' ? unknown : was
  } catch {
    return unknown
  } finally {
    deadline.release()
  }
}

async function askTool(
  tool: Tool,
  key: string,
  call: ToolCall,
): Promise<ToolOutcome | 'not-done' | 'unknown'> {
  const checked = await validate(tool.input, call.input)
  // Never run, since its arguments are invalid.
  if (!checked.ok) return 'not-done'
  return (await tool.reconcile?.(key, checked.value)) ?? 'unknown'
}
