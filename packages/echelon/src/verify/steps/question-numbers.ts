import { CARDINALS, SCALES } from '../../core/value/number-words.ts'
import { minus, over, plus, type Rational, whole } from '../text/rational.ts'
import type { NumberToken, Token } from '../text/token.ts'

/** A number that a question states. */
export interface Given {
  /** The values as which a calculation may use it: 20 % also as .2, .8, 1.2, 80 and 120. */
  readonly forms: readonly Rational[]
}

/** The numbers that a question states, in digits and in words. "One" is left out: it is seldom a number. */
export function givenIn(tokens: readonly Token[]): readonly Given[] {
  return tokens.flatMap((token, at): readonly Given[] => {
    if (token.type === 'number') return [{ forms: formsOf(token) }]
    const value = token.type === 'word' ? inWords(token.word, tokens[at + 1]) : undefined
    return value === undefined || value === 1 ? [] : [{ forms: [whole(value)] }]
  })
}

/** `three`, `twenty-five`, `two hundred` */
function inWords(word: string, next: Token | undefined): number | undefined {
  const parts = word.split('-').map((part) => CARDINALS.get(part))
  if (parts.length > 2 || parts.includes(undefined)) return undefined
  const value = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
  return value * ((next?.type === 'word' ? SCALES.get(next.word) : undefined) ?? 1)
}

function formsOf({ value, isPercent }: NumberToken): readonly Rational[] {
  const share = over(value, whole(100))
  if (!isPercent || share === undefined) return [value]
  const [one, hundred] = [whole(1), whole(100)]
  const changed = [minus(one, share), plus(one, share), minus(hundred, value), plus(hundred, value)]
  return [value, share, ...changed.flatMap((form) => form ?? [])]
}
