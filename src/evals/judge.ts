import type { CaseResult } from '../agents/decide/case-result.ts'
import type { EvalCase } from './dataset.ts'

/**
 * Whether a case ended as it should. An ordinary case must be verified, which with a known answer
 * means: equal to it. A case to be refused must end without an answer because every model declined
 * or a tool found its arguments invalid, and not because something broke.
 */
export function isRight({ expect }: Pick<EvalCase, 'expect'>, result: CaseResult): boolean {
  if (expect === 'answered') return result.verified
  if (result.answer !== null || result.verified) return false
  const declined = new Set(
    result.logs.filter(({ event }) => event === 'declined').map(({ rung }) => rung),
  )
  return (
    declined.size === result.rungs.length ||
    result.logs.some(({ error_code: code }) => code === 'INVALID_ARGS')
  )
}
