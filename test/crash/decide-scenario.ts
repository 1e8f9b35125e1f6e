import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { digestText } from '../../packages/echelon/src/core/value/digest.ts'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import type {
  Mode,
  PartialSettings,
  Unchecked,
} from '../../packages/echelon/src/agents/decide/settings/settings.ts'
import type { Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { standardTools } from '@echelon/tools'
import type { Outside } from './outside.ts'
import type { Scenario } from './scenario.ts'

interface Task {
  readonly task: string
  readonly mode?: Mode
  readonly unchecked?: Unchecked
  readonly limits?: PartialSettings['limits']
}

let loaded: Promise<readonly Tool[]> | undefined

/**
 * The real tools; each records that it was called, and the process may die before its result is used.
 * Results are shared by all processes, since each would start processes of its own; a tool that writes a
 * file writes it again.
 */
async function toolsIn(outside: Outside, folder: string): Promise<readonly Tool[]> {
  loaded ??= standardTools()
  return (await loaded).map((tool) => ({
    ...tool,
    description: DESCRIPTIONS_THEN[tool.name] ?? tool.description,
    run: async (input, context) => {
      const kept = join(folder, `${tool.name}-${digestText(JSON.stringify(input))}.answer`)
      const isKept = tool.name !== 'plotter' && existsSync(kept)
      const value = isKept
        ? z.json().parse(JSON.parse(readFileSync(kept, 'utf8')))
        : await tool.run(input, context)
      if (!isKept) keep(kept, JSON.stringify(value))
      outside.do(tool.name, context.key)
      return value
    },
  }))
}

/**
 * Descriptions that changed since the golden journals were written. They are part of the prompt, and a run resumes
 * only with the tools that it began with.
 */
const DESCRIPTIONS_THEN: Readonly<Record<string, string>> = {
  calculator:
    'Evaluates an arithmetic expression exactly. Knows + - * / ^ % and !, brackets, per cent, sqrt, ' +
    'abs, round, min, max, log and the like, pi and e. No variables, no equations, no units.',
  calendar:
    'Finds the date that an English phrase or question means and its day of the week. Takes one date: absolute, relative to today, a holiday of the United States, the nth weekday of a month, or days, weeks, months, years and business days (Monday to Friday) before or after another date. Or counts the days, whole weeks, months or years between two dates, until one or since one, and gives the number.',
}

/** Synchronously: a process may be killed at any time. */
function keep(file: string, text: string): void {
  const own = `${file}.${process.pid}`
  writeFileSync(own, text)
  renameSync(own, file)
}

export const decide =
  ({ task, mode, unchecked, limits = {} }: Task): Scenario =>
  async ({ run: runId, journal, outside, folder, clock }) => {
    const decider = await createDecider({
      small: 'offline/small',
      big: 'offline/big',
      tools: await toolsIn(outside, folder),
      artifacts: join(folder, 'artifacts'),
      journal,
      ...(clock && { clock }),
      ids: { next: () => runId },
      settings: { limits },
    })
    const isNew = (await journal.read(runId)).length === 0
    const run = isNew
      ? await decider.start(task, {
          ...(mode && { mode }),
          ...(unchecked && { unchecked }),
          today: '2025-09-08',
          timeZone: 'UTC',
        })
      : await decider.resume(runId)
    const { answer, verified, finish_reason: reason } = await run.outcome
    return {
      status: reason === 'canceled' ? 'canceled' : 'finished',
      reason,
      result: { answer, verified },
      spent: run.run.spent,
    }
  }
