import { type Agent, createAgent, defineTool } from '../../../packages/echelon/src/chat.ts'
import type { Entry, Journal } from '../../../packages/echelon/src/core/journal/journal.ts'
import { adder } from '../agent/contestant.ts'
import { looping } from '../agent/model.ts'

/** Steps of the measured runs: half are model calls, half tool calls. */
export const STEPS = 1000

/** Tool result with a typical length. */
export const SEEN: string = 'The sum of both is what was asked for. '.repeat(12)

/** The measured agent: it calls a tool repeatedly, and its prompt grows. */
export function agentOn(
  journal: Journal,
  { steps = STEPS }: { readonly steps?: number } = {},
): Agent {
  const model = looping({ steps: Math.floor(steps / 2), tool: 'add' })
  const { name, description, input } = adder()
  const tool = defineTool({ name, description, input, run: () => SEEN, does: 'reads' })
  return createAgent({
    model: { id: 'benchmark/model', model, price: () => 0.00001 },
    tools: [tool],
    maxIterations: 10 * STEPS,
    journal,
  })
}

/** Appends of a run with a number of steps, one list per append. */
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
