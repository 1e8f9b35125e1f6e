import { validate } from '../../core/schema/schema.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
import type { Batch } from './batch.ts'
import type { Branch } from '../branch.ts'
import { Deadline } from '../model/deadline.ts'

/** Whether an earlier process put the intent of a call on record and not its outcome: it may have been done. */
export const wasLeftBegun = ({ branch, seq }: Batch, index: number): boolean =>
  branch.leftOpen(seq)?.intended.has(index) === true

/** The same, or an earlier try of middleware around this very call. */
export const isBegun = (batch: Batch, index: number): boolean =>
  wasLeftBegun(batch, index) || batch.intended?.has(index) === true

export const mayHaveActed = (tool: string): ToolOutcome => ({
  type: 'unknown',
  message: `${tool} was under way when the run stopped, and may have acted`,
})

/** Asks a tool what became of a call; a tool that cannot tell, or does not, leaves it open. */
export async function whatBecameOf(
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
  // With arguments that do not fit it was never run.
  if (!checked.ok) return 'not-done'
  return (await tool.reconcile?.(key, checked.value)) ?? 'unknown'
}
