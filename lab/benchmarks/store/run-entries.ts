import { type Agent, createAgent, defineTool } from '../../../packages/echelon/src/chat.ts'
import type { Entry, Journal } from '../../../packages/echelon/src/core/journal/journal.ts'
import { adder } from '../agent/contestant.ts'
import { looping } from '../agent/model.ts'

/** Steps of the runs that are measured: half of them ask the model, half call its tool. */
export const STEPS = 1000

/** What the tool gives: as long as what tools give that look something up. */
export const SEEN: string = 'The sum of both is what was asked for. '.repeat(12)

/** The agent whose runs are measured: it calls a tool again and again, and its prompt grows. */
export function agentOn(
  journal: Journal,
  { steps = STEPS }: { readonly steps?: number } = {},
): Agent {
  const model = looping({ steps: Math.floor(steps / 2), tool: 'add' })
  return createAgent({
    model: { id: 'benchmark/model', model, price: () => 0.00001 },
    tools: [defineTool({ ...adder(), run: () => SEEN, does: 'reads' })],
    maxIterations: 10 * STEPS,
    journal,
  })
}

/** What a run of so many steps appends, one list an append, as it was. */
export async function appendsOf(steps: number): Promise<readonly (readonly Entry[])[]> {
  const appends: (readonly Entry[])[] = []
  const all: Entry[] = []
  const journal: Journal = {
    append(_run, entries) {
      appends.push(entries)
      all.push(...entries)
    },
    read: () => all,
  }
  await agentOn(journal, { steps }).run('add them up').result
  return appends
}
