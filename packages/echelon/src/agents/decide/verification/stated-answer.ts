import type { Answer, Wanted } from '../../../verify/answer.ts'
import { type FinalAnswer, finalAnswerOf } from '../../../verify/format/final-answer.ts'
import { markedPiece } from '../../../verify/format/marked-piece.ts'
import { answerText } from '../../../verify/text/answer-text.ts'
import { plainText, withoutAnnotations } from '../../../verify/text/plain-text.ts'
import { decimalText } from '../../../verify/text/rational.ts'
import { dateInWords } from '../case/date-in-words.ts'

/** The value that an answer in words states, in the form of a tool's result. */
export interface Stated {
  readonly value: string
  /** Whether its statement contains nothing else: no second value, no doubt, no unit that the question lacks. */
  readonly isPlain: boolean
}

/**
 * Reads the values that an answer may state, one of each kind that a tool gives: "Yes, 91 is prime" may say yes, or 91.
 * @param tool whose results they are compared with
 */
export function statedAnswers(
  answer: Answer,
  { tool, question }: { readonly tool: string; readonly question: string },
): readonly Stated[] {
  const kinds = Object.hasOwn(KINDS, tool) ? (KINDS[tool] ?? []) : []
  return kinds.flatMap((kind) => {
    const found = finalAnswerOf(answer, { kind })
    const value = found === undefined ? undefined : valueOf(found)
    return value === undefined
      ? []
      : [{ value, isPlain: isPlain(pieceOf(answer), value, question) }]
  })
}

type Kind = Extract<Wanted['kind'], 'number' | 'date' | 'yes-no'>

const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  calculator: ['number', 'yes-no'],
  calendar: ['date', 'number'],
}

function valueOf(found: FinalAnswer): string | undefined {
  // 30 % of something is not 30.
  if (found.kind === 'number') return found.isPercent ? undefined : decimalText(found.value)
  if (found.kind === 'date') return dateInWords(found.date)
  return found.kind === 'yes-no' ? (found.isYes ? 'yes' : 'no') : undefined
}

/** The part of the answer that states its value: behind a mark, else the last sentence; behind a calculation. */
function pieceOf(answer: Answer): string {
  const { text } = withoutAnnotations(plainText(answerText(answer)))
  const { piece, isMarked } = markedPiece(text)
  const stated = isMarked
    ? piece
    : (text
        .trim()
        .split(/(?<=[.!?])\s+|\n+/)
        .at(-1) ?? '')
  return stated.slice(stated.lastIndexOf('=') + 1)
}

function isPlain(piece: string, value: string, question: string): boolean {
  const own = new Set(partsOf(value))
  const asked = new Set(partsOf(question).filter((part) => !NAMES.test(part)))
  const isYesOrNo = value === 'yes' || value === 'no'
  const fits = (part: string): boolean => {
    if (own.has(part)) return true
    // "No, 91 is not a prime number" repeats the number of the question, and says no twice.
    if (/\d/.test(part)) return isYesOrNo && asked.has(part)
    if (DOUBTS.has(part)) return value === 'no' && part === 'not'
    return PLAIN.has(part) || asked.has(part)
  }
  const parts = partsOf(piece)
  return parts.some((part) => own.has(part)) && parts.every(fits)
}

/** Words and numbers, in lower case; `1,234.50` is one, and `8th` is 8. */
const partsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/\p{L}[\p{L}'’]*|\d[\d,]*(?:\.\d+)?/gu) ?? []).flatMap((part) =>
    /^(?:st|nd|rd|th)$/.test(part) ? [] : numberOf(part),
  )

const numberOf = (part: string): string => {
  if (!/^\d/.test(part)) return part
  const bare = part.replaceAll(',', '')
  const trimmed = bare.includes('.') ? bare.replace(/\.?0+$/, '') : bare
  return trimmed.replace(/^0+(?=\d)/, '')
}

/** Of days and months the answer must have its own. */
const NAMES =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/

const PLAIN: ReadonlySet<string> = new Set(
  'a all and answer are be been equals exactly final for gives has have he her hence his i in is it its made makes number of on result s she so that the their there therefore they this thus to total value was we were will would you'.split(
    ' ',
  ),
)

/** Words that leave the value open, or turn it around. */
const DOUBTS: ReadonlySet<string> = new Set(
  "about almost approximately around between both but cannot can't close either estimate guess if isn't least less maybe minus more most neither never no nor not only or other over perhaps probably roughly than under unless unsure unlike wasn't wrong yes".split(
    ' ',
  ),
)
