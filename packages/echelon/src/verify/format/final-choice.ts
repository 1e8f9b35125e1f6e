import { markedPiece } from './marked-piece.ts'

/** One of the choices that a task gave, as a final answer. */
export interface FinalChoice {
  readonly kind: 'choice'
  /** As the task writes it. */
  readonly choice: string
  readonly isMarked: boolean
}

/** Yes or no as a final answer. */
export interface FinalYesNo {
  readonly kind: 'yes-no'
  readonly isYes: boolean
  readonly isMarked: boolean
}

const BRACKETED = /\[\s?(yes|no)\s?\]/gi
const YES_NO = /\b(yes|no)\b/gi

/** Reads yes or no: in brackets, in a marked piece, as the first word, else the last of the text. */
export function finalYesNo(text: string): FinalYesNo | undefined {
  const { piece, isMarked } = markedPiece(text)
  const marked = lastWord(text, BRACKETED) ?? (isMarked ? firstWord(piece) : undefined)
  const said = marked ?? /^\W{0,4}(yes|no)\b/i.exec(text)?.[1] ?? lastWord(text, YES_NO)
  if (said === undefined) return undefined
  return { kind: 'yes-no', isYes: said.toLowerCase() === 'yes', isMarked: marked !== undefined }
}

const firstWord = (text: string): string | undefined => text.match(YES_NO)?.[0]

const lastWord = (text: string, words: RegExp): string | undefined =>
  Array.from(text.matchAll(words)).at(-1)?.[1]

/** `(B)`, `b)`, `B.`, `B` alone or before other words; there, A and I are words themselves. */
const LETTER = /^[\s([*"']{0,4}(?:([A-Za-z])(?=[)\].:,*"']|$)|([B-HJ-Z])(?=\s))/
const IN_PARENTHESES = /\(([A-Z])\)/g

/**
 * Reads which of the choices a text takes: by its letter (A is the first) or its words, in a marked piece, else by
 * the last letter in parentheses, the last choice that is named, or the letter that the text begins with.
 */
export function finalChoice(text: string, choices: readonly string[]): FinalChoice | undefined {
  const { piece, isMarked } = markedPiece(text)
  const marked = isMarked ? (named(piece, choices) ?? lettered(piece, choices)) : undefined
  const choice =
    marked ??
    exact(text, choices) ??
    inParentheses(text, choices) ??
    named(text, choices) ??
    lettered(text, choices)
  return choice === undefined
    ? undefined
    : { kind: 'choice', choice, isMarked: marked !== undefined }
}

const exact = (text: string, choices: readonly string[]): string | undefined =>
  choices.find((choice) => normalized(choice) === normalized(text))

/** The choice that is named last; of several at one place the longest, as `New York City` before `New York`. */
function named(text: string, choices: readonly string[]): string | undefined {
  const words = ` ${normalized(text)} `
  const places = choices
    .map((choice) => ({ choice, size: choice.length, end: endOf(words, normalized(choice)) }))
    .filter(({ end }) => end !== -1)
  return places.toSorted((a, b) => b.end - a.end || b.size - a.size)[0]?.choice
}

function endOf(words: string, choice: string): number {
  const at = choice === '' ? -1 : words.lastIndexOf(` ${choice} `)
  return at === -1 ? -1 : at + choice.length
}

const lettered = (text: string, choices: readonly string[]): string | undefined =>
  choiceOf(LETTER.exec(text.trim())?.slice(1).join(''), choices)

const inParentheses = (text: string, choices: readonly string[]): string | undefined =>
  choiceOf(Array.from(text.matchAll(IN_PARENTHESES)).at(-1)?.[1], choices)

const choiceOf = (letter: string | undefined, choices: readonly string[]): string | undefined =>
  letter === undefined ? undefined : choices[letter.toUpperCase().charCodeAt(0) - 65]

/** Text without case, marks and runs of blanks. */
export const normalized = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
