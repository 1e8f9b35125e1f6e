import { CONFIRMATION, type OpenIntent } from './dialogue.ts'
import { extended } from './planning/plan-execution.ts'
import { type AskUser, isAskUser } from '../plan.ts'
import type { ActiveIntent } from './support-state.ts'
import { CHANGED_SINCE } from '../wording/sentences.ts'

/** A task with its plan: a new one, or one that waited since an earlier turn. */
export const resumedTask = (open: Omit<OpenIntent, 'param'>): ActiveIntent => ({
  intentId: open.intentId,
  params: open.params,
  ...(open.hints !== undefined && { hints: open.hints }),
  ...(open.asks !== undefined && { asks: open.asks }),
  ...(open.wonders !== undefined && { wonders: open.wonders }),
  execution: open.execution,
  reasoning: '',
  failedAsks: open.failedAsks,
  isConfirmed: false,
  approvedBy: null,
  announced: null,
  done: [],
  ...(open.rests !== undefined && { rests: open.rests }),
})

/**
 * A waiting task as the conversation stores it.
 * @param rests a digest of what an approval would cover
 */
export const openTask = (
  { intentId, params, hints, asks, wonders, failedAsks, execution }: ActiveIntent,
  param: string,
  rests?: string,
): OpenIntent => ({
  intentId,
  params,
  failedAsks,
  param,
  execution,
  ...(hints !== undefined && { hints }),
  ...(asks !== undefined && { asks }),
  ...(wonders !== undefined && { wonders }),
  ...(rests !== undefined && { rests }),
})

/** A task that the customer approved in an earlier state, and the question whether they want it as it is now. */
export function askedAgain(task: ActiveIntent): {
  readonly unallowed: ActiveIntent
  readonly question: AskUser
} {
  const { steps, currentIndex } = task.execution
  const all = steps.map(({ step }) => step)
  const asked = all.filter(isAskUser).findLast(({ param }) => param === CONFIRMATION)
  const prompt = (asked?.prompt ?? '').replace(CHANGED_SINCE, '').trim()
  const question = { param: CONFIRMATION, prompt: `${CHANGED_SINCE} ${prompt}` }
  const execution = extended(task.execution, [question, ...all.slice(currentIndex)])
  return { unallowed: { ...task, execution, isConfirmed: false }, question }
}
