import { CARDINALS, SCALES } from '../../../../core/value/number-words.ts'
import { constant, numeral, over, plus, type Term, times } from './term.ts'

/** A quantity: a plain number, a percentage, money, or a share such as "three quarters". */
export interface NumberToken {
  readonly type: 'number'
  readonly term: Term
  readonly unit: '' | '%' | '$' | '/'
}

/** A piece of the question. Words are lower case; `name` says that one had a capital. */
export type Token =
  | NumberToken
  | { readonly type: 'word'; readonly word: string; readonly name: boolean }
  | { readonly type: 'mark'; readonly mark: string }

const NUMBER = /^(\$?)\s?((?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?)$/

const SHARES: Readonly<Record<string, number>> = {
  half: 2,
  halves: 2,
  third: 3,
  thirds: 3,
  quarter: 4,
  quarters: 4,
  fourth: 4,
  fourths: 4,
  fifth: 5,
  fifths: 5,
  tenth: 10,
  tenths: 10,
}
/** First parts of number words, whose hyphen joins two numbers ("twenty-five", "one-third"). */
const NUMERALS = [...CARDINALS.keys(), ...SCALES.keys(), ...Object.keys(SHARES)].join('|')
const PIECE = new RegExp(
  [
    String.raw`\$?\s?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?![\d,.]*\d)(?:st\b|nd\b|rd\b|th\b)?`,
    String.raw`\d[\d.,]*`,
    String.raw`(?!(?:${NUMERALS})-)\p{L}+(?:-\p{L}+)+`,
    String.raw`\p{L}+(?:'\p{L}+)?`,
    String.raw`\S`,
  ].join('|'),
  'giu',
)
const SUFFIXES: Readonly<Record<string, NumberToken['unit']>> = {
  '%': '%',
  percent: '%',
  dollar: '$',
  dollars: '$',
}

/**
 * Splits the question into pieces. Numbers in words become numbers ("two hundred and five", "three dozen", "three
 * quarters"). A malformed number ("1,25") stays a mark and an ordinal ("3rd") a word, so no reader takes them for
 * quantities.
 */
export function tokenise(text: string): readonly Token[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/per cent\b/gi, 'percent')
    // A hyphen between blanks is a minus: "fifty - three" is not "fifty-three".
    .replaceAll(/(?<=\s)-(?=\s)/g, '−')
  const raw = [...plain.matchAll(PIECE)].map(([piece], at) => rawToken(piece.trim(), at))
  return joinSuffixes(joinShares(joinScales(joinWords(raw))))
}

/** The word at this position, or '' if it is something else. */
export function wordAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at]
  return token?.type === 'word' ? token.word : ''
}

/** The mark at this position, or '' if it is something else. */
export function markAt(tokens: readonly Token[], at: number): string {
  const token = tokens[at]
  return token?.type === 'mark' ? token.mark : ''
}

function rawToken(piece: string, at: number): Token {
  const [, sign, digits] = NUMBER.exec(piece) ?? []
  if (digits !== undefined && digits !== '') {
    const term = numeral(digits.replaceAll(',', ''), at)
    return { type: 'number', term, unit: sign === '$' ? '$' : '' }
  }
  if (/^[\p{L}\d]/u.test(piece) && /\p{L}$/u.test(piece)) {
    return { type: 'word', word: piece.toLowerCase(), name: /^\p{Lu}/u.test(piece) }
  }
  return { type: 'mark', mark: piece }
}

type Join = (tokens: readonly Token[]) => readonly Token[]

/** Replaces, from the left, each match of `read` by the token that it returns. */
function joinWith(
  read: (tokens: readonly Token[], at: number) => { token: Token; length: number } | undefined,
): Join {
  return (tokens) => {
    const joined: Token[] = []
    for (let at = 0; at < tokens.length;) {
      const found = read(tokens, at)
      const token = found?.token ?? tokens[at]
      if (token !== undefined) joined.push(token)
      at += found?.length ?? 1
    }
    return joined
  }
}

/** "two hundred and five", "twenty-five", "a hundred". */
const joinWords = joinWith((tokens, start) => {
  let at = start
  let done = 0
  let value: number | undefined
  for (;;) {
    const skip = at === start ? 0 : glue(tokens, at)
    const word = wordAt(tokens, at + skip)
    const small = CARDINALS.get(word)
    const scale = word === 'dozen' ? undefined : SCALES.get(word)
    if (small !== undefined && fits(value, small)) value = (value ?? 0) + small
    else if (scale !== undefined && value !== undefined && value > 0 && skip === 0) value *= scale
    else break
    if (scale !== undefined && scale > 100) [done, value] = [done + value, 0]
    at += skip + 1
  }
  if (value === undefined) return undefined
  const token = { type: 'number', term: numeral(String(done + value), start), unit: '' } as const
  return { token, length: at - start }
})

/** Whether "twenty" can be followed by "five", and "two hundred" by "five". */
function fits(before: number | undefined, next: number): boolean {
  if (before === undefined || (before === 0 && next > 0)) return true
  if (before % 100 === 0) return next > 0
  return before % 10 === 0 && before % 100 >= 20 && next > 0 && next < 10
}

/** The hyphen of "twenty-five" and the "and" of "hundred and five" are parts of the number. */
function glue(tokens: readonly Token[], at: number): 0 | 1 {
  const before = wordAt(tokens, at - 1)
  if (markAt(tokens, at) === '-' && (CARDINALS.get(before) ?? 0) >= 20) return 1
  return wordAt(tokens, at) === 'and' && (SCALES.get(before) ?? 0) >= 100 ? 1 : 0
}

/** "3 dozen", "2 million", "a dozen", "a hundred". */
const joinScales = joinWith((tokens, at) => {
  const scale = SCALES.get(wordAt(tokens, at + 1))
  const first = tokens[at]
  if (scale === undefined || first === undefined) return undefined
  if (first.type === 'number') {
    return { token: { ...first, term: times(first.term, constant(scale)) }, length: 2 }
  }
  if (wordAt(tokens, at) !== 'a') return undefined
  return { token: { type: 'number', term: numeral(String(scale), -1 - at), unit: '' }, length: 2 }
})

/** "half", "a third of", "three quarters", "two and a half". */
const joinShares = joinWith((tokens, at) => {
  const first = tokens[at]
  if (first?.type === 'number') {
    // "two thirds" and "two-thirds". A hyphen between blanks is a minus, which is another mark by now.
    const hyphen = markAt(tokens, at + 1) === '-' ? 1 : 0
    const word = wordAt(tokens, at + 1 + hyphen)
    const below = SHARES[word]
    const isJoined = hyphen === 0 || (first.term.value === 1) !== word.endsWith('s')
    if (below !== undefined && isJoined) return share(over(first.term, constant(below)), 2 + hyphen)
    const mixed = wordAt(tokens, at + 1) === 'and' && wordAt(tokens, at + 2) === 'a'
    const part = mixed ? SHARES[wordAt(tokens, at + 3)] : undefined
    if (part === undefined) return undefined
    const term = plus(first.term, over(constant(1), constant(part)))
    return { token: { ...first, term }, length: 4 }
  }
  const article = wordAt(tokens, at) === 'a' ? 1 : 0
  const word = wordAt(tokens, at + article)
  const below = SHARES[word]
  if (below === undefined) return undefined
  if (article === 0 && word !== 'half' && wordAt(tokens, at + 1) !== 'of') return undefined
  return share(over(numeral('1', -1 - at), constant(below)), article + 1)
})

function share(term: Term, length: number): { token: Token; length: number } {
  return { token: { type: 'number', term, unit: '/' }, length }
}

/** "20 percent", "20 dollars". */
const joinSuffixes = joinWith((tokens, at) => {
  const [first, second] = [tokens[at], tokens[at + 1]]
  if (first?.type !== 'number' || second === undefined || second.type === 'number') return undefined
  const unit = SUFFIXES[second.type === 'word' ? second.word : second.mark]
  if (unit === undefined || first.unit !== '') return undefined
  return { token: { ...first, unit }, length: 2 }
})
