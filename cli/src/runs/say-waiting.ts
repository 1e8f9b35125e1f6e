import type { RunSummary } from 'echelon/stores'
import { describeCall } from '../chat/describe-tool.ts'
import { isJsonObject, type Json } from 'echelon/runtime'
import { cut } from '../clean.ts'
import { howToAnswer } from './how-to-answer.ts'
import { askedIn, standingOf } from './words.ts'

/** `runs show` has all of it. */
const MOST_SHOWN = 240

/** What a run waits for, and how it is answered; a line for each. */
export const waitingLines = (run: RunSummary): readonly string[] => [
  `the run ${run.id.slice(0, 8)} ${standingOf(run).text}`,
  ...run.requests.map(({ about }) => `  ${cut(describeAsked(about), MOST_SHOWN)}`),
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
