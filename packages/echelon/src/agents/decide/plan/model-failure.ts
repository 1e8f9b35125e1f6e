import { describeFailure, problemInWords } from '../../../core/model/model-failed.ts'
import type { Problem, ProblemCode } from '../../../core/model/problem.ts'

export { problemInWords }

/** What no second request to the same model can mend. */
const FOR_GOOD: ReadonlySet<ProblemCode> = new Set(['auth', 'quota', 'not-found'])

/** Whether the same model would fail alike if it were asked again. */
export const failsForGood = ({ code, retryable }: Problem): boolean =>
  !retryable && FOR_GOOD.has(code)

/** How the reason of a round begins whose model failed. */
export const MODEL_FAILED = 'the model failed: '

/** Which model failed, why, and what to do. For people: it may hold a secret. */
export function modelFailure(model: string, problem: Problem): string {
  return describeFailure({ ...problem, model })
}
