import type { DecideState, Loop } from '../state.ts'
import { lastAnswer } from '../verification/evidence.ts'

/** The loop with what a plan under way has given so far: what there is when a run ends now. */
export function gathered(state: DecideState): Loop {
  if (state.phase !== 'execute') return state.loop
  const { loop, ran } = state
  const evidence = [...loop.evidence, ...ran]
  return { ...loop, evidence, answer: loop.answer ?? lastAnswer(ran) }
}
