import { CARDINALS } from '../../core/value/number-words.ts'
import { plainText, withoutAnnotations } from '../text/plain-text.ts'
import { fraction, negative, type Rational, times, whole } from '../text/rational.ts'
import { type NumberToken, type Token, tokensOf } from '../text/token.ts'
import { markedPiece } from './marked-piece.ts'

/** A number as a final answer. */
export interface FinalNumber {
  readonly kind: 'number'
  /** Of `20%` 20; of `2.5 million` the whole. */
  readonly value: Rational
  readonly isPercent: boolean
  readonly isMoney: boolean
  /** Whether a mark such as `####` or "the answer is" shows it; else it is the last number of the text. */
  readonly isMarked: boolean
}

/** Reads the number that a text gives as its answer; undefined if there is no number. */
export function finalNumber(text: string): FinalNumber | undefined {
  const plain = withoutAnnotations(plainText(text)).text
  const { piece, isMarked } = markedPiece(plain)
  const inMark = isMarked ? firstNumber(tokensOf(piece)) : undefined
  if (inMark !== undefined) return { kind: 'number', ...inMark, isMarked: true }
  const last = lastNumber(tokensOf(plain))
  return last === undefined ? undefined : { kind: 'number', ...last, isMarked: false }
}

type Read = Omit<FinalNumber, 'kind' | 'isMarked'>

/** The first number of a marked piece; behind a calculation its result. */
function firstNumber(tokens: readonly Token[]): Read | undefined {
  const equals = tokens.findLastIndex(({ type }) => type === 'equals')
  const at = tokens.findIndex(({ type }, at) => type === 'number' && at > equals)
  if (at !== -1) return numberAt(tokens, at)
  const word = tokens.flatMap((token) =>
    token.type === 'word' ? (inWords(token.word) ?? []) : [],
  )[0]
  return word === undefined ? undefined : { value: word, isPercent: false, isMoney: false }
}

function lastNumber(tokens: readonly Token[]): Read | undefined {
  const at = tokens.findLastIndex(({ type }) => type === 'number')
  if (at === -1) return undefined
  const line = tokens[at - 1]
  const isBottom = line?.type === 'sign' && line.sign === '/' && tokens[at - 2]?.type === 'number'
  return numberAt(tokens, isBottom && line.end === tokens[at]?.start ? at - 2 : at)
}

function numberAt(tokens: readonly Token[], at: number): Read | undefined {
  const token = tokens[at]
  if (token?.type !== 'number') return undefined
  const size = fractionAt(tokens, at, token) ?? scaled(token, tokens[at + 1])
  const { isPercent, isMoney } = token
  return { value: isNegated(tokens, at) ? negative(size) : size, isPercent, isMoney }
}

/** `3/4`, without blanks. */
function fractionAt(tokens: readonly Token[], at: number, top: NumberToken): Rational | undefined {
  const [line, bottom] = [tokens[at + 1], tokens[at + 2]]
  if (line?.type !== 'sign' || line.sign !== '/' || bottom?.type !== 'number') return undefined
  if (line.start !== top.end || line.end !== bottom.start) return undefined
  if (top.decimals + bottom.decimals > 0) return undefined
  return fraction(top.value.n, bottom.value.n)
}

const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1000,
  million: 1e6,
  billion: 1e9,
}

function scaled({ value }: NumberToken, next: Token | undefined): Rational {
  const factor = next?.type === 'word' && Object.hasOwn(SCALES, next.word) ? SCALES[next.word] : 1
  return times(value, whole(factor ?? 1)) ?? value
}

/** A minus is a sign unless it follows something that it is subtracted from. */
function isNegated(tokens: readonly Token[], at: number): boolean {
  const [sign, before] = [tokens[at - 1], tokens[at - 2]]
  if (sign?.type !== 'sign' || sign.sign !== '-' || sign.end !== tokens[at]?.start) return false
  return before === undefined || before.end < sign.start || before.type === 'equals'
}

/** `twelve`, `twenty-five` */
function inWords(word: string): Rational | undefined {
  const parts = word.split('-').map((part) => CARDINALS.get(part))
  const [tens, ones] = parts
  if (parts.length > 2 || tens === undefined) return undefined
  if (parts.length === 1) return whole(tens)
  return ones === undefined || tens < 20 || ones > 9 ? undefined : whole(tens + ones)
}
