import { mergeNumberWords } from './number-words.ts'

/** A token of a question, in lower case. Commas, periods and brackets are dropped. */
export type Token =
  | { readonly type: 'word'; readonly text: string }
  | {
      readonly type: 'number'
      readonly text: string
      readonly value: number
      /** Written in words, as in `twenty ten`. */
      readonly spelled: boolean
    }
  | { readonly type: 'ordinal'; readonly text: string; readonly value: number }
  /** Two or three numbers with a separator: a possible date. */
  | {
      readonly type: 'numeric'
      readonly text: string
      readonly parts: readonly string[]
    }
  /** Any other symbol, such as the plus and minus of arithmetic. */
  | { readonly type: 'mark'; readonly text: string }

/** The same separator throughout, except `08/12,2015`. Not inside a longer run of digits. */
const NUMERIC = String.raw`(?<![\d./]|[\d./]-)(?:\d{4}(?<iso>[-/.])\d{1,2}\k<iso>\d{1,2}|\d{1,2}(?<sep> ?[-/] ?|\.)\d{1,2}(?:(?:\k<sep>|,)(?:\d{4}|\d{2}))?)(?!\d|[-/.]\d)`
const ORDINAL = String.raw`\d+(?:st|nd|rd|th)(?!\p{L})`
/** May have thousands separators; `'15` is a year. */
const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?!\d)|'\d\d(?!\d)|\d+`
const MARK = String.raw`[^\s,.;:?!"'()\[\]|]`
const PIECE = new RegExp(
  `(?<numeric>${NUMERIC})|(?<ordinal>${ORDINAL})|(?<number>${NUMBER})|(?<word>\\p{L}+)|${MARK}`,
  'gu',
)

/** `a 1:1 meeting`, of two people. Without the noun `1:1` may be a time. */
const ONE_ON_ONE = /(?<![\d:])1(?::|-on-)1 (?<what>meeting|call|chat|session|sync|talk)(?!\p{L})/gu

/** Splits a question into tokens; numbers in words become numbers. */
export function tokenize(question: string): readonly Token[] {
  return mergeNumberWords([...normalize(question).matchAll(PIECE)].map(toToken))
}

/** Straight apostrophes, no possessive, no hyphen or slash beside a letter: `Oct-2` is `oct 2`. */
function normalize(question: string): string {
  return question
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[’‘`´]/gu, "'")
    .replaceAll(ONE_ON_ONE, ' $<what>')
    .replaceAll(/'s(?!\p{L})/gu, '')
    .replaceAll(/(?<=\p{L})'(?=\p{L})/gu, ' ')
    .replaceAll(/[‐-―−]/gu, '-')
    .replaceAll(/(?<=\p{L}\.?)[-/](?=[\p{L}\d])|(?<=\d)[-/](?=\p{L})/gu, ' ')
}

function toToken(match: RegExpExecArray): Token {
  const { numeric, ordinal, number, word } = match.groups ?? {}
  const text = match[0]
  if (numeric !== undefined) return { type: 'numeric', text, parts: numeric.match(/\d+/gu) ?? [] }
  if (ordinal !== undefined) return { type: 'ordinal', text, value: Number.parseInt(ordinal, 10) }
  if (number !== undefined) {
    return { type: 'number', text, value: Number(number.replaceAll(/\D/gu, '')), spelled: false }
  }
  return { type: word === undefined ? 'mark' : 'word', text }
}
