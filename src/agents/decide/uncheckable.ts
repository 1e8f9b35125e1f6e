import type { Loop } from './state.ts'

/** Whether nothing can check an answer: the question is not read, and nobody knows the answer. */
export const isUncheckable = ({ task, claim }: Pick<Loop, 'task' | 'claim'>): boolean =>
  claim.kind === 'unknown' && task.goldAnswer === null

/**
 * Whether a model may answer in words instead of planning with tools. Where an answer can be checked,
 * and where it has to rest on tools, it may not.
 */
export const mayAnswerInWords = (loop: Pick<Loop, 'task' | 'claim'>): boolean =>
  loop.task.rules > 1 && loop.task.expectedTools.length === 0 && isUncheckable(loop)

/** @param why one clause that says what could not be read */
export const notCheckable = (why: string): string => `the question cannot be checked: ${why}`
