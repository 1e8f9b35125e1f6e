import type { RunSummary } from '@echelon/store'
import { describeCall } from '../conversation/describe-tool.ts'
import { callToApprove } from '../conversation/question.ts'
import { isJsonObject, type Json } from 'echelon/runtime'
import type { ToolCall } from 'echelon/chat'
import { cut } from '../terminal/clean.ts'
import { howToAnswer } from './how-to-answer.ts'
import { howToRead } from './how-to-read.ts'
import { askedIn, standingOf } from './words.ts'

/** Most characters of a question to show. */
const MOST_ASKED = 4000

/** Most characters of a question in a list. */
const MOST_NAMED = 240

/** Lines that say what a run waits for and how to answer. */
export const waitingLines = (run: RunSummary): readonly string[] => [
  `the run ${run.id.slice(0, 8)} ${standingOf(run).text}`,
  ...run.requests.map(({ about }) => `  ${describeAsked(about, run)}`),
  ...(run.requests.length === 0 ? [] : ['answer from any terminal:']),
  ...howToAnswer(run).map((command) => `  ${command}`),
]

/** A call to approve, or a question, in enough detail to decide, with the command that shows it all. */
export function describeAsked(about: Json, { id }: Pick<RunSummary, 'id'>): string {
  const call = callIn(about)
  return call === undefined ? cut(askedIn(about), MOST_ASKED) : callToApprove(call, howToRead(id))
}

/** A short form of the same, to tell requests apart. */
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
