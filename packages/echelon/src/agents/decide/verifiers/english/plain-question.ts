import type { Claim } from '../../verification/claim.ts'
import type { QuestionReading } from '../../verification/verifier.ts'

/** Characters; longer texts are not read as one question. */
const LONGEST = 1000

/** Reads a question in English, unless its wording would mislead one of these readers. */
export function readPlain<Own extends Claim>(
  text: string,
  read: (question: string) => QuestionReading<Own>,
): QuestionReading<Own> {
  const question = text.trim()
  if (question === '') return { type: 'other', why: 'the question is empty' }
  if (isTooLong(question)) return { type: 'other', why: TOO_LONG }
  const trap = trapIn(question)
  return trap === undefined ? read(question) : { type: 'unclear', why: trap }
}

export const TOO_LONG = 'the question is too long'

const OTHER_BASE = /\b0[xob][\da-f]/i
const NEGATIVE_COUNT = /\b(?:last|past|latest|first|next)\s(?:the\s)?[-−–]\s?\d/i

/** Why a word-based reader would misread the question; undefined if it would not. */
function trapIn(question: string): string | undefined {
  if (OTHER_BASE.test(question)) return 'a number in another base than ten is not read'
  if (NEGATIVE_COUNT.test(question)) return 'a number of days cannot be negative'
  if (asksForSpeed(question)) return 'the unit of the speed is not said'
  return undefined
}

/** A speed from minutes or seconds: people expect it per hour, but did not say so. */
function asksForSpeed(question: string): boolean {
  const namesUnit = /\b(?:per|an|a)\s(?:minute|second)\b/i.test(question)
  const short = /\b(?:minutes?|seconds?)\b/i.test(question)
  return short && !namesUnit && /\b(?:speed|fast)\b/i.test(question)
}

/** Some characters expand: one may become eighteen in the plain form that is read. */
function isTooLong(question: string): boolean {
  return question.length > LONGEST || question.normalize('NFKC').length > LONGEST
}
