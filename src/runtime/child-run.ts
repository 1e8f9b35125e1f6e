import type { Json } from '../core/json.ts'
import type { Path } from '../core/journal.ts'
import type { ChildEnd, ChildRun } from '../core/tool.ts'
import type { Branch } from './branch.ts'
import { carryOn } from './carry-on.ts'
import { drive } from './loop.ts'
import { recordEnd } from './record.ts'
import { ToolRegistry } from './tool-registry.ts'

/**
 * Runs another agent within a tool call: in the same tree, so that one budget, one journal and one
 * cancel hold for both, and what it asks is asked by the run. After a crash it goes on where it was.
 */
export async function runChild<Input extends Json, State, Result>(
  parent: Branch,
  path: Path,
  { definition, input, surroundings }: ChildRun<Input, State, Result>,
): Promise<ChildEnd<Result>> {
  const { tree } = parent
  // The child's own effects are measured; the call that waits for them is not.
  tree.endWork()
  try {
    const tools = surroundings.tools
    const { branch, position } = carryOn(tree, definition, input, {
      path,
      models: surroundings.models ?? parent.models,
      tools: tools === undefined ? parent.tools : new ToolRegistry(tools),
      pipeline: surroundings.pipeline,
    })
    const finish = await drive(branch, definition, position, () => undefined)
    return await recordEnd(branch, finish)
  } finally {
    tree.beginWork()
  }
}
