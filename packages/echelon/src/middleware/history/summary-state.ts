import { digestText } from '../../core/value/digest.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord } from '../../core/value/json.ts'
import type { StateSchema } from '../../core/state/state.ts'
import type { Message } from '../../core/message/thread.ts'

/** The stored state of a conversation besides its latest messages. */
export interface SummaryState {
  /** Empty before the first summary. */
  readonly summary: string
  /** Number of messages that it replaces, not counting system messages. */
  readonly covered: number
  /** Digests of the last of these, to recognize the conversation after a caller drops its oldest messages. */
  readonly marks: readonly number[]
}

export const NOTHING_SUMMARISED: SummaryState = { summary: '', covered: 0, marks: [] }

/** Enough to distinguish repeated short messages such as "yes". */
const MARKS = 3

const markOf = (message: Message): number => digestText(JSON.stringify(message))

/** The state after the first so many messages are summarized. */
export const summarised = (
  summary: string,
  messages: readonly Message[],
  covered: number,
): SummaryState => ({
  summary,
  covered,
  marks: messages.slice(Math.max(0, covered - MARKS), covered).map(markOf),
})

/** Number of these messages that it covers; 0 for a different conversation. */
export function coveredOf({ covered, marks }: SummaryState, messages: readonly Message[]): number {
  if (marks.length === 0) return 0
  const digests = messages.map(markOf)
  const endsAt = (end: number): boolean =>
    end >= marks.length &&
    marks.every((mark, index) => digests[end - marks.length + index] === mark)
  if (endsAt(covered)) return covered
  for (let end = Math.min(covered, messages.length); end >= marks.length; end--) {
    if (endsAt(end)) return end
  }
  return 0
}

const isCount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0

export const SUMMARY_SCHEMA: StateSchema<SummaryState> = guardedSchema(
  {
    type: 'object',
    properties: {
      summary: { type: 'string' },
      covered: { type: 'integer', minimum: 0 },
      marks: { type: 'array', items: { type: 'integer' } },
    },
    required: ['summary', 'covered', 'marks'],
  },
  (value): value is SummaryState =>
    isRecord(value) &&
    typeof value['summary'] === 'string' &&
    isCount(value['covered']) &&
    Array.isArray(value['marks']) &&
    value['marks'].every(isCount),
)
