import type { DecideState, Loop } from '../state.ts'
import { lastAnswer } from '../verification/evidence.ts'

/** The loop with the current plan's results so far: the evidence if the run ends now. */
export function gathered(state: DecideState): Loop {
  if (state.phase !== 'execute') return state.loop
  const { loop, ran } = state
  const evidence = [...loop.evidence, ...ran]
  return { ...loop, evidence, answer: loop.answer ?? lastAnswer(ran) }
}
