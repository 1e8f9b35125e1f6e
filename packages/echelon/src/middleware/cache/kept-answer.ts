import { isJson, isRecord, type Json } from '../../core/value/json.ts'
import type { ModelOutcome } from '../../core/extension/middleware.ts'
import type { Generated } from '../../core/agent/observation.ts'

/** An answer as a cache keeps it. */
export interface KeptAnswer {
  /** Of this form; another one is not read. */
  readonly form: 1
  readonly answer: Generated
  /** Lengths of the pieces that its text came in. */
  readonly cuts: readonly number[]
}

/** Whether an answer is what the next one to ask would want: complete, and no failure. */
export const isWhole = (outcome: ModelOutcome): outcome is Generated =>
  outcome.type === 'generated' && (outcome.finish === 'stop' || outcome.finish === 'tools')

/**
 * An answer and how it came. Of what was heard the last pieces are its text, since earlier tries may
 * have been heard as well; where none are, it came as one.
 */
export function keptAnswer(answer: Generated, heard: readonly string[]): KeptAnswer {
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

/** Says the text in the pieces it came in. */
export function sayAgain({ answer, cuts }: KeptAnswer, onText: (delta: string) => void): void {
  let start = 0
  for (const length of cuts.length > 0 ? cuts : [answer.text.length]) {
    if (length > 0) onText(answer.text.slice(start, start + length))
    start += length
  }
}

/** The answer for whoever did not pay for it. */
export const asFree = ({ answer }: KeptAnswer): Generated => ({
  ...answer,
  usage: { input: 0, output: 0 },
  cost: 0,
})

/** As JSON; nothing for an answer that JSON cannot hold, such as one with a file. */
export function toStored(kept: KeptAnswer): Json | undefined {
  return isJson(kept) ? kept : undefined
}

/** What a store gave, if it is of this form. Of the parts of an answer the store is trusted. */
export const fromStored = (stored: unknown): KeptAnswer | undefined =>
  isKept(stored) ? stored : undefined

const isKept = (value: unknown): value is KeptAnswer =>
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
