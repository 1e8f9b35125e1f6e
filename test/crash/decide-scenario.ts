import { join } from 'node:path'
import { createDecider } from '../../src/decide.ts'
import type { Mode, PartialSettings } from '../../src/agents/decide/settings.ts'
import type { Tool } from '../../src/core/tool.ts'
import { standardTools } from '../../src/tools.ts'
import type { Outside } from './outside.ts'
import type { Scenario } from './scenario.ts'

interface Task {
  readonly task: string
  readonly mode?: Mode
  readonly limits?: PartialSettings['limits']
}

let loaded: Promise<readonly Tool[]> | undefined

/** The real ones; each says that it was called, and the process may die before its answer is heard. */
async function toolsIn(outside: Outside): Promise<readonly Tool[]> {
  loaded ??= standardTools()
  return (await loaded).map((tool) => ({
    ...tool,
    run: async (input, context) => {
      const value = await tool.run(input, context)
      outside.do(tool.name, context.key)
      return value
    },
  }))
}

export const decide =
  ({ task, mode, limits = {} }: Task): Scenario =>
  async ({ run: runId, journal, outside, folder }) => {
    const decider = await createDecider({
      small: 'offline/small',
      big: 'offline/big',
      tools: await toolsIn(outside),
      artifacts: join(folder, 'artifacts'),
      journal,
      ids: { next: () => runId },
      settings: { limits },
    })
    const isNew = (await journal.read(runId)).length === 0
    const run = isNew
      ? await decider.start(task, { ...(mode && { mode }), today: '2025-09-08', timeZone: 'UTC' })
      : await decider.resume(runId)
    const { answer, verified, finish_reason: reason } = await run.result
    return {
      status: reason === 'canceled' ? 'canceled' : 'finished',
      reason,
      result: { answer, verified },
      spent: run.run.spent,
    }
  }
