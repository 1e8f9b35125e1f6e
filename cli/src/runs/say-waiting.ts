import type { RunSummary } from '@echelon/store'
import { describeCall } from '../chat/describe-tool.ts'
import { callToApprove } from '../chat/terminal/read-reply.ts'
import { isJsonObject, type Json } from 'echelon/runtime'
import type { ToolCall } from 'echelon/chat'
import { cut } from '../terminal/clean.ts'
import { howToAnswer } from './how-to-answer.ts'
import { howToRead } from './how-to-read.ts'
import { askedIn, standingOf } from './words.ts'

/** More of a question is what nobody would read on. */
const MOST_ASKED = 4000

/** Enough to tell one from the other. */
const MOST_NAMED = 240

/** What a run waits for, and how it is answered; a line for each. */
export const waitingLines = (run: RunSummary): readonly string[] => [
  `the run ${run.id.slice(0, 8)} ${standingOf(run).text}`,
  ...run.requests.map(({ about }) => `  ${describeAsked(about, run)}`),
  ...(run.requests.length === 0 ? [] : ['answer from any terminal:']),
  ...howToAnswer(run).map((command) => `  ${command}`),
]

/** A call that is to be approved, or a question: as much as to say yes or no, and where all of it is. */
export function describeAsked(about: Json, { id }: Pick<RunSummary, 'id'>): string {
  const call = callIn(about)
  return call === undefined ? cut(askedIn(about), MOST_ASKED) : callToApprove(call, howToRead(id))
}

/** The same, as one is told from others. */
export function nameAsked(about: Json): string {
  const call = callIn(about)
  return cut(call === undefined ? askedIn(about) : describeCall(call), MOST_NAMED)
}

function callIn(about: Json): Pick<ToolCall, 'tool' | 'input'> | undefined {
  const { type, tool, input } = isJsonObject(about) ? about : {}
  return type === 'approval' && typeof tool === 'string'
    ? { tool, input: input ?? null }
    : undefined
}
