import { digestText } from '../../core/value/digest.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord } from '../../core/value/json.ts'
import type { StateSchema } from '../../core/state/state.ts'
import type { Message } from '../../core/message/thread.ts'

/** What is kept of a conversation beyond its latest messages. */
export interface SummaryState {
  /** Empty while nothing was summarised. */
  readonly summary: string
  /** How many messages it stands for, those of the system not counted. */
  readonly covered: number
  /** Digests of the last of these: whoever drops the oldest messages himself is followed. */
  readonly marks: readonly number[]
}

export const NOTHING_SUMMARISED: SummaryState = { summary: '', covered: 0, marks: [] }

/** Enough that "yes" and "yes" are told apart. */
const MARKS = 3

const markOf = (message: Message): number => digestText(JSON.stringify(message))

/** The state after the first so many messages are summarised. */
export const summarised = (
  summary: string,
  messages: readonly Message[],
  covered: number,
): SummaryState => ({
  summary,
  covered,
  marks: messages.slice(Math.max(0, covered - MARKS), covered).map(markOf),
})

/** How many of these messages it is about; 0 where it is of another conversation. */
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
