import type { Expression } from './expression.ts'
import { type Marked, markNumbers } from './numbers.ts'

/** Longer questions are refused. */
export const MAX_CHARACTERS = 2000

/** Non-decimal numbers and negative numbers of days: read as words, they would mean something else. */
export const MISREAD: RegExp = /\b0[xob][\da-f]|\b(?:last|past|latest)\s(?:the\s)?[-−–]\s?\d/i

/** 2025-09-08 and 9/25/2025 are not differences or quotients. */
const DATE = /(?<![\d.])(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([/.-])\d{1,2}\1\d{4})(?![\d.]\d)/

/** Reads one kind of calculation. */
export type ReadCalculation = (question: Marked) => Expression | undefined

/** The calculation that a question asks for, if the question holds no date. */
export const calculationIn = (question: string, read: ReadCalculation): Expression | undefined =>
  DATE.test(question) ? undefined : read(markNumbers(question))
