import type { Loop } from '../state.ts'
import { type PlanReading, readPlan } from './plan.ts'
import { mayAnswerInWords } from './uncheckable.ts'

/** Reads a plan from a model's text. Rejects an answer in words unless the task allows one. */
export function plannedBy(text: string, loop: Loop): PlanReading {
  const reading = readPlan(text, loop.task.wanted !== undefined)
  return reading.type === 'answered' && !mayAnswerInWords(loop)
    ? { type: 'invalid', error: 'the task has to be planned with the tools' }
    : reading
}
