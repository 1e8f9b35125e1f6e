import type { CaseResult } from '../agents/decide/case/case-result.ts'
import type { EvalCase } from './dataset.ts'

/**
 * Whether a case ended as it should. An ordinary case must be verified, which with a known answer
 * means equal to it; if the answer was withheld from the run, it must be verified or supported, and equal. A case to be refused
 * must end without an answer because every asked model declined or a tool rejected its arguments,
 * and not because a model was down or a limit was reached.
 */
export function isRight(
  { expect, gold_answer: gold }: Pick<EvalCase, 'expect' | 'gold_answer'>,
  result: CaseResult,
): boolean {
  if (expect === 'answered') {
    const isAccepted = result.verified || (result.checked === 'supported' && gold !== null)
    return isAccepted && isKnownAnswer(gold, result.answer)
  }
  if (result.answer !== null || result.verified || result.limit !== null) return false
  const { logs, rungs } = result
  if (logs.some(({ event }) => event === 'model_failed')) return false
  const declined = new Set(logs.filter(({ event }) => event === 'declined').map(({ rung }) => rung))
  const asked = rungs.filter(({ llm_calls }) => llm_calls > 0)
  return (
    (asked.length > 0 && declined.size === asked.length) ||
    logs.some(({ error_code: code }) => code === 'INVALID_ARGS')
  )
}

/** Verified but different from the known answer, which a verifier must prevent. */
export const isWrongAccept = (
  { expect, gold_answer: gold }: Pick<EvalCase, 'expect' | 'gold_answer'>,
  { verified, answer }: CaseResult,
): boolean => verified && (expect === 'refused' || !isKnownAnswer(gold, answer))

/** Whether an answer equals the known one, verified or not; null if none is known or expected. */
export const isKnownRight = (
  { expect, gold_answer: gold }: Pick<EvalCase, 'expect' | 'gold_answer'>,
  { answer }: Pick<CaseResult, 'answer'>,
): boolean | null => (expect === 'refused' || gold === null ? null : isKnownAnswer(gold, answer))

/** Numbers are compared by value: 23.10 is 23.1. Without a known answer, any answer matches. */
function isKnownAnswer(gold: string | null, answer: string | null): boolean {
  if (gold === null) return true
  const [wanted, given] = [gold.trim(), (answer ?? '').trim()]
  const isNumber = wanted !== '' && given !== '' && Number(wanted) === Number(given)
  return wanted === given || isNumber
}
