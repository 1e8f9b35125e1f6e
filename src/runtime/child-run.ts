import type { Json } from '../core/json.ts'
import type { Path } from '../core/journal.ts'
import type { ChildEnd, ChildRun, ChildSurroundings } from '../core/tool.ts'
import type { Branch } from './branch.ts'
import { carryOn } from './carry-on.ts'
import { drive } from './loop.ts'
import { recordEnd } from './record.ts'
import type { OwnServices } from './services.ts'
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
  const { tree, delegate } = parent
  // The child's own effects are measured; the call that waits for them is not.
  tree.endWork()
  try {
    const services = servicesOf(parent, surroundings)
    const { branch, position } = carryOn(tree, definition, input, { path, services, delegate })
    const finish = await drive(branch, definition, position, () => undefined)
    return await recordEnd(branch, finish)
  } finally {
    tree.beginWork()
  }
}

/** The child's own, over what it has in common with its parent. */
function servicesOf(
  { services: { pipeline: _around, ...common }, tools, models }: Branch,
  own: ChildSurroundings,
): OwnServices {
  return {
    ...common,
    ...own,
    models: own.models ?? models,
    tools: own.tools === undefined ? tools : new ToolRegistry(own.tools),
  }
}
