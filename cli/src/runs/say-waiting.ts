import type { RunStore, RunSummary } from 'echelon/stores'
import { describeCall } from '../chat/describe-tool.ts'
import { isJsonObject, type Json } from 'echelon/runtime'
import { howToAnswer } from './how-to-answer.ts'
import { askedIn, standingOf } from './words.ts'

/** What a run waits for, and how it is answered; a line for each. */
export async function describeWaiting(runs: RunStore, id: string): Promise<readonly string[]> {
  const run = await runs.find(id)
  return run === undefined ? [] : waitingLines(run)
}

export const waitingLines = (run: RunSummary): readonly string[] => [
  `the run ${run.id.slice(0, 8)} ${standingOf(run).text}`,
  ...run.requests.map(({ about }) => `  ${describeAsked(about)}`),
  ...(run.requests.length === 0 ? [] : ['answer from any terminal:']),
  ...howToAnswer(run).map((command) => `  ${command}`),
]

/** A call that is to be approved, or a question. */
export function describeAsked(about: Json): string {
  const { type, tool, input } = isJsonObject(about) ? about : {}
  return type === 'approval' && typeof tool === 'string'
    ? describeCall({ tool, input: input ?? null })
    : askedIn(about)
}
