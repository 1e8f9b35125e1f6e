import { jsonIn } from '../../core/model/json-in-text.ts'
import { isJsonArray, isJsonObject, type Json, sameJson } from '../../core/value/json.ts'
import type { Answer, Wanted } from '../answer.ts'
import { MOST_CHARACTERS } from '../text/plain-text.ts'
import { isSame, over, type Rational, whole } from '../text/rational.ts'
import {
  finalChoice,
  type FinalChoice,
  finalYesNo,
  type FinalYesNo,
  normalized,
} from './final-choice.ts'
import { finalDate, type FinalDate } from './final-date.ts'
import { finalNumber, type FinalNumber } from './final-number.ts'
import { markedPiece } from './marked-piece.ts'

/** The final answer in a text, read as the kind that was asked for. */
export type FinalAnswer =
  | FinalNumber
  | FinalDate
  | FinalChoice
  | FinalYesNo
  | { readonly kind: 'json'; readonly value: Json; readonly isMarked: boolean }
  | { readonly kind: 'text'; readonly text: string; readonly isMarked: boolean }

/**
 * Reads the final answer out of a text: after a mark (`#### 18`, `\boxed{18}`, `The answer is $18.`, `[Yes]`), else
 * where answers of that kind stand, as the last number. Of a long text the last 20,000 characters are read.
 * @returns undefined if the text has no answer of that kind, and for tool calls
 */
export function finalAnswer(text: string, wanted: Wanted): FinalAnswer | undefined {
  const read = text.slice(-MOST_CHARACTERS)
  switch (wanted.kind) {
    case 'number':
      return finalNumber(read)
    case 'date':
      return finalDate(read)
    case 'yes-no':
      return finalYesNo(read)
    case 'choice':
      return finalChoice(read, wanted.choices)
    case 'json':
      return finalJson(text)
    case 'text':
      return finalText(read)
    case 'calls':
      return undefined
  }
}

/** The final answer of any answer; of JSON, where another kind is asked for, of its one value. */
export function finalAnswerOf(answer: Answer, wanted: Wanted): FinalAnswer | undefined {
  if (answer.type === 'text') return finalAnswer(answer.text, wanted)
  if (answer.type === 'calls') return undefined
  if (wanted.kind === 'json') return { kind: 'json', value: answer.value, isMarked: true }
  const found = finalAnswer(onlyText(answer.value), wanted)
  return found === undefined ? undefined : { ...found, isMarked: true }
}

/** `{ "answer": 18 }` as `18`; other JSON as it is written. */
function onlyText(value: Json): string {
  const fields = isJsonObject(value) ? Object.values(value) : []
  const inner = isJsonObject(value) ? (value['answer'] ?? fields[fields.length - 1]) : value
  if (typeof inner === 'string') return inner
  return typeof inner === 'number' || typeof inner === 'boolean'
    ? String(inner)
    : JSON.stringify(value)
}

/** The last object or array of the text: what stands before it may be an example or a draft. */
function finalJson(text: string): FinalAnswer | undefined {
  const value = jsonIn(text).at(-1)
  return value === undefined ? undefined : { kind: 'json', value, isMarked: isJsonAlone(text) }
}

const isJsonAlone = (text: string): boolean => /^\s*(?:```(?:json)?\s*)?[{[]/.test(text)

function finalText(text: string): FinalAnswer | undefined {
  const { piece, isMarked } = markedPiece(text)
  return normalized(piece) === '' ? undefined : { kind: 'text', text: piece.trim(), isMarked }
}

/**
 * Whether two final answers say the same: numbers by value (`20%` is 20 and .2), dates by day, text without case
 * and marks, JSON by value regardless of the order of keys. Answers of different kinds never do.
 */
export function sameAnswer(a: FinalAnswer, b: FinalAnswer): boolean {
  if (a.kind === 'number' && b.kind === 'number') return isSameNumber(a, b)
  if (a.kind === 'date' && b.kind === 'date') return a.date === b.date
  if (a.kind === 'yes-no' && b.kind === 'yes-no') return a.isYes === b.isYes
  if (a.kind === 'choice' && b.kind === 'choice') {
    return normalized(a.choice) === normalized(b.choice)
  }
  if (a.kind === 'text' && b.kind === 'text') return normalized(a.text) === normalized(b.text)
  if (a.kind === 'json' && b.kind === 'json') return isSameJson(a.value, b.value)
  return false
}

function isSameNumber(a: FinalNumber, b: FinalNumber): boolean {
  if (isSame(a.value, b.value)) return true
  const share = (value: Rational): Rational | undefined => over(value, whole(100))
  if (a.isPercent === b.isPercent) return false
  const [of, plain] = a.isPercent ? [share(a.value), b.value] : [share(b.value), a.value]
  return of !== undefined && isSame(of, plain)
}

/** Strings in JSON are compared as they are: they may be identifiers. */
const isSameJson = (a: Json, b: Json): boolean =>
  isJsonArray(a) || isJsonObject(a) ? sameJson(a, b) : a === b
