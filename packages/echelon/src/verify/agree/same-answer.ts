import type { Answer, VerifiedTask } from '../answer.ts'
import { type FinalAnswer, finalAnswerOf, sameAnswer } from '../format/final-answer.ts'
import { answerText } from '../text/answer-text.ts'
import { partsOf } from '../words.ts'
import { callForms } from './call-form.ts'

/** The outcome of an answer: tool calls in a canonical form, or the final answer. */
export type Outcome = { readonly kind: 'calls'; readonly calls: readonly string[] } | FinalAnswer

/**
 * Reads the outcome of an answer, as the task wants it. Words in the place of calls count as no call.
 * @returns undefined if there is no answer of the wanted kind
 */
export function outcomeOf(answer: Answer, task: VerifiedTask): Outcome | undefined {
  if (answer.type === 'calls' && (answer.calls.length > 0 || task.wanted.kind === 'calls')) {
    return { kind: 'calls', calls: callForms(answer.calls, task) }
  }
  const text = answerText(answer)
  if (task.wanted.kind === 'calls') {
    return text.trim() === '' ? undefined : { kind: 'calls', calls: [] }
  }
  return finalAnswerOf(answer.type === 'json' ? answer : { type: 'text', text }, task.wanted)
}

/** Compares two outcomes. Calls never equal words, and a missing outcome equals nothing. */
export function isSameOutcome(a: Outcome | undefined, b: Outcome | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (a.kind === 'calls' || b.kind === 'calls') {
    return a.kind === b.kind && 'calls' in a && 'calls' in b && isSameList(a.calls, b.calls)
  }
  return sameAnswer(a, b)
}

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at])

/**
 * Similarity of two answers, 0 to 1: 1 for the same outcome, else the share of what they consist of that they have
 * in common (Dice 1945): the arguments of calls, the words of texts; 0 for other kinds.
 */
export function nearness(a: Answer, b: Answer, task: VerifiedTask): number {
  const [own, other] = [outcomeOf(a, task), outcomeOf(b, task)]
  if (own === undefined || other === undefined) return 0
  if (isSameOutcome(own, other)) return 1
  if (a.type === 'calls' && b.type === 'calls') {
    return dice(callForms(a.calls, task, 'arguments'), callForms(b.calls, task, 'arguments'))
  }
  return task.wanted.kind === 'text' ? dice(partsOf(answerText(a)), partsOf(answerText(b))) : 0
}

function dice(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 1
  const left = new Map<string, number>()
  for (const part of a) left.set(part, (left.get(part) ?? 0) + 1)
  let shared = 0
  for (const part of b) {
    const count = left.get(part) ?? 0
    if (count === 0) continue
    shared++
    left.set(part, count - 1)
  }
  return (2 * shared) / (a.length + b.length)
}
