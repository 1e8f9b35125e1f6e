import type { Loop } from '../state.ts'
import { isUnknown } from '../verification/claim.ts'

/** Whether nothing can check an answer: no verifier reads the question, and no answer is known. */
export const isUncheckable = ({ task, claim }: Pick<Loop, 'task' | 'claim'>): boolean =>
  isUnknown(claim) && task.goldAnswer === null

/**
 * Whether a model may answer directly instead of planning with tools. Not allowed if the question itself can be
 * recomputed, if the answer must rest on tools, or if it must equal a known one of unknown kind.
 */
export const mayAnswerInWords = (loop: Pick<Loop, 'task' | 'claim'>): boolean =>
  loop.task.rules > 1 &&
  loop.task.expectedTools.length === 0 &&
  (loop.task.wanted === undefined ? isUncheckable(loop) : isUnknown(loop.claim))

/** @param why one clause that says what could not be read */
export const notCheckable = (why: string): string => `${NOT_CHECKABLE}${why}`

/** The clause for use in a sentence that already says that nothing was checked. */
export const withoutNotCheckable = (clause: string): string =>
  clause.startsWith(NOT_CHECKABLE) ? clause.slice(NOT_CHECKABLE.length) : clause

const NOT_CHECKABLE = 'the question cannot be checked: '
