import { isJson, isRecord, type Json } from '../../core/value/json.ts'
import type { ModelOutcome } from '../../core/extension/middleware.ts'
import type { Generated } from '../../core/agent/observation.ts'

/** An answer as a cache stores it. */
export interface CachedAnswer {
  /** The format version; others are ignored. */
  readonly form: 1
  readonly answer: Generated
  /** Lengths of the pieces of its text. */
  readonly cuts: readonly number[]
}

/** Whether an answer can be reused: complete, and not a failure. */
export const isWhole = (outcome: ModelOutcome): outcome is Generated =>
  outcome.type === 'generated' && (outcome.finish === 'stop' || outcome.finish === 'tools')

/**
 * An answer and its streamed pieces. Only the last pieces are its text, since earlier attempts may have
 * been streamed too; without matching pieces it counts as one piece.
 */
export function toCachedAnswer(answer: Generated, heard: readonly string[]): CachedAnswer {
  const cuts: number[] = []
  let start = answer.text.length
  for (const piece of heard.toReversed()) {
    if (start === 0) break
    if (!answer.text.endsWith(piece, start)) return { form: 1, answer, cuts: [] }
    start -= piece.length
    cuts.unshift(piece.length)
  }
  return { form: 1, answer, cuts: start === 0 ? cuts : [] }
}

/** Streams the text in its original pieces. */
export function sayAgain({ answer, cuts }: CachedAnswer, onText: (delta: string) => void): void {
  let start = 0
  for (const length of cuts.length > 0 ? cuts : [answer.text.length]) {
    if (length > 0) onText(answer.text.slice(start, start + length))
    start += length
  }
}

/** The answer for a caller that did not pay for it. */
export const asFree = ({ answer }: CachedAnswer): Generated => ({
  ...answer,
  usage: { input: 0, output: 0 },
  cost: 0,
})

/** As JSON; undefined for an answer that JSON cannot hold, such as one with a file. */
export function toStored(kept: CachedAnswer): Json | undefined {
  return isJson(kept) ? kept : undefined
}

/** Parses a stored value of this format. The parts of the answer are trusted. */
export const fromStored = (stored: unknown): CachedAnswer | undefined =>
  isKept(stored) ? stored : undefined

const isKept = (value: unknown): value is CachedAnswer =>
  isRecord(value) &&
  value['form'] === 1 &&
  isAnswer(value['answer']) &&
  Array.isArray(value['cuts']) &&
  value['cuts'].every(isNumber)

const isAnswer = (value: unknown): value is Generated =>
  isRecord(value) &&
  value['type'] === 'generated' &&
  typeof value['text'] === 'string' &&
  typeof value['model'] === 'string' &&
  (value['finish'] === 'stop' || value['finish'] === 'tools') &&
  Array.isArray(value['calls']) &&
  value['calls'].every(isCall) &&
  (value['content'] === undefined || Array.isArray(value['content']))

const isCall = (value: unknown): boolean =>
  isRecord(value) && typeof value['id'] === 'string' && typeof value['tool'] === 'string'

const isNumber = (value: unknown): boolean => typeof value === 'number'
