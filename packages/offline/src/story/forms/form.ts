import { type Expression, literal } from '../../expression.ts'
import type { Marked } from '../../numbers.ts'
import { stem, WORD } from '../lexicon.ts'

/** The groups of a matched form. */
export interface Found {
  /** The number of a group; undefined if the group did not match. */
  readonly number: (group: string) => Expression | undefined
  /** The words of a group, in lower case; `''` if it did not match. */
  readonly words: (group: string) => string
}

/** A whole problem of one kind: a pattern for its entire text, and its answer. */
export interface Form {
  readonly pattern: RegExp
  readonly answer: (found: Found) => Expression | undefined
}

/** A form over marked, normalized and tagged text, without the final punctuation. */
export const form = (source: string, answer: Form['answer']): Form => ({
  pattern: new RegExp(`^${source}$`, 'i'),
  answer,
})

/** A number's mark, with a group name. */
export const number = (group: string): string => `#(?<${group}>\\d+)`

/** An amount of money, with or without its currency. */
export const money = (group: string): string => `${number(group)}(?: dollars?)?`

/** A thing of up to four words, with its determiner. */
export const THING: string = `(?:(?:the|an?|his|her|their|my|our|your|its|some|this|that|another) )?${WORD}(?: ${WORD}){0,3}`

/** A person or thing. */
export const WHO: string = `(?:i|he|she|it|they|we|you|${THING})`

/** Separator of two clauses. */
export const NEXT = '(?:[.;!,]? (?:and|but|then|so) (?:then )?|[.;!,] )'

/** Separator of a story and its question. */
export const ASKED = '(?:[.;!,-]+ (?:so,? |and |then )?|,? (?:so|and) )'

/** "Each", "a piece", "per kilo" after a price. */
export const EACH: string = `(?: each| apiece| a piece| an item| a unit| per ${WORD}| an? ${WORD})?`

/** The answer of a form that matches an entire text. */
export function answerOf(
  forms: readonly Form[],
  text: string,
  { numbers }: Marked,
): Expression | undefined {
  for (const { pattern, answer } of forms) {
    const groups = pattern.exec(text)?.groups
    if (groups === undefined) continue
    const value = answer({
      number: (group) => numbers[Number(groups[group] ?? Number.NaN)],
      words: (group) => groups[group]?.toLowerCase() ?? '',
    })
    if (value !== undefined) return value
  }
  return undefined
}

/** The head of a phrase: its last word, without "'s". */
export const about = (phrase: string): string =>
  stem(phrase.split(' ').at(-1)?.replace(/'s?$/, '') ?? '')

/** 1 */
export const ONE: Expression = literal('1')
/** 100 */
export const HUNDRED: Expression = literal('100')
