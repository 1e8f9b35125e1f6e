import { describeFailure, problemInWords } from '../../../core/model/model-failed.ts'
import type { Problem, ProblemCode } from '../../../core/model/problem.ts'

export { problemInWords }

/** Problems that a second request to the same model cannot fix. */
const FOR_GOOD: ReadonlySet<ProblemCode> = new Set(['auth', 'quota', 'not-found'])

/** Whether asking the same model again would fail in the same way. */
export const failsForGood = ({ code, retryable }: Problem): boolean =>
  !retryable && FOR_GOOD.has(code)

/** Starts the reason of a round whose model failed. */
export const MODEL_FAILED = 'the model failed: '

/** Says which model failed, why, and what to do. For people: it may hold a secret. */
export function modelFailure(model: string, problem: Problem): string {
  return describeFailure({ ...problem, model })
}
