import type { Expression } from './expression.ts'
import { type Marked, markNumbers } from './numbers.ts'

/** Longer questions are not read. */
export const MOST_CHARACTERS = 2000

/** Other bases than ten, and a negative number of days: read as words they mean something else. */
export const MISREAD: RegExp = /\b0[xob][\da-f]|\b(?:last|past|latest)\s(?:the\s)?[-−–]\s?\d/i

/** 2025-09-08 and 9/25/2025 are no differences and no quotients. */
const DATE = /(?<![\d.])(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}([/.-])\d{1,2}\1\d{4})(?![\d.]\d)/

/** Reads one kind of calculation. */
export type ReadCalculation = (question: Marked) => Expression | undefined

/** The calculation that a question asks for, where it holds no date. */
export const calculationIn = (question: string, read: ReadCalculation): Expression | undefined =>
  DATE.test(question) ? undefined : read(markNumbers(question))
