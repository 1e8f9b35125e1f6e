import { decimal, type Rational } from './rational.ts'

/** A number as it is written. */
export interface NumberToken {
  readonly type: 'number'
  /** Of `20%` 20; the sign is an operator. */
  readonly value: Rational
  /** Digits behind the decimal point. */
  readonly decimals: number
  readonly isPercent: boolean
  readonly isMoney: boolean
  readonly start: number
  readonly end: number
}

export type Sign = '+' | '-' | '*' | '/' | '^'

/** A piece of a text with calculations. `break` is what ends a calculation: a sentence's end, a comma, a line. */
export type Token =
  | NumberToken
  | {
      readonly type: 'sign'
      readonly sign: Sign
      readonly start: number
      readonly end: number
    }
  | {
      readonly type: 'word'
      /** In lower case. */
      readonly word: string
      readonly start: number
      readonly end: number
    }
  | {
      readonly type: 'open' | 'close' | 'equals' | 'break' | 'line'
      readonly start: number
      readonly end: number
    }

/** More digits than any calculation of an answer has. */
const MOST_DIGITS = 30

const PIECE = new RegExp(
  [
    String.raw`(?<number>(?<money>[$€£]\s?)?(?:(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<![\d.])\.\d+)(?<percent>\s?%|\spercent\b)?)`,
    String.raw`(?<cross>(?<=\d\s?)[xX](?=\s?[$€£(]?\s?\d))`,
    String.raw`(?<word>\p{L}[\p{L}\d_'’]*(?:-\p{L}+)*)`,
    String.raw`(?<not>[!<>=]=>?|[=-]>|[<>])`,
    String.raw`(?<equals>[=≈])`,
    // The hyphen of `8-hour`.
    String.raw`(?<hyphen>(?<=\d)-(?=\p{L}))`,
    String.raw`(?<sign>[-+*/^×÷·∙−–])`,
    String.raw`(?<open>\()`,
    String.raw`(?<close>\))`,
    String.raw`(?<line>\n)`,
    String.raw`(?<nothing>[\s$€£"'“”‘’_~]+)`,
    String.raw`(?<break>.)`,
  ].join('|'),
  'gsu',
)

const SIGNS: Readonly<Record<string, Sign>> = {
  '×': '*',
  '·': '*',
  '∙': '*',
  '÷': '/',
  '−': '-',
  '–': '-',
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '^': '^',
}

/** Parts a text into numbers, signs and words. Time grows linearly with its length. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const { 0: piece, index, groups = {} } of text.matchAll(PIECE)) {
    if (groups['nothing'] === undefined && groups['hyphen'] === undefined) {
      tokens.push(tokenOf(piece, { start: index, end: index + piece.length }, groups))
    }
  }
  return tokens
}

interface Place {
  readonly start: number
  readonly end: number
}

function tokenOf(
  piece: string,
  place: Place,
  groups: Readonly<Record<string, string | undefined>>,
): Token {
  if (groups['number'] !== undefined) return numberOf(piece, place, groups)
  if (groups['word'] !== undefined) return { type: 'word', word: piece.toLowerCase(), ...place }
  const sign = groups['cross'] === undefined ? SIGNS[groups['sign'] ?? ''] : '*'
  if (sign !== undefined) return { type: 'sign', sign, ...place }
  for (const type of ['equals', 'open', 'close', 'line'] as const) {
    if (groups[type] !== undefined) return { type, ...place }
  }
  return { type: piece === '==' ? 'equals' : 'break', ...place }
}

function numberOf(
  piece: string,
  place: Place,
  groups: Readonly<Record<string, string | undefined>>,
): Token {
  const digits = piece.replaceAll(/[^\d.]/g, '')
  if (digits.length > MOST_DIGITS) return { type: 'word', word: digits, ...place }
  return {
    type: 'number',
    value: decimal(digits),
    decimals: digits.includes('.') ? digits.length - 1 - digits.indexOf('.') : 0,
    isPercent: groups['percent'] !== undefined,
    isMoney: groups['money'] !== undefined,
    ...place,
  }
}
