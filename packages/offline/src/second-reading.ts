import { readArithmetic } from './arithmetic.ts'
import { calculationIn, MISREAD, MOST_CHARACTERS } from './calculation.ts'
import { readDate } from './dates.ts'
import { unframed } from './frame.ts'
import { markNumbers } from './numbers.ts'
import { readPercentage } from './percentages.ts'
import { readStock } from './stocks.ts'
import { readStory } from './story/read-story.ts'

/** The offline readers' reading of a question, in the form that a verifier compares. */
export type SecondReading =
  | { readonly kind: 'math'; readonly value: number }
  /** The phrase for the calendar. */
  | { readonly kind: 'calendar'; readonly query: string }
  | { readonly kind: 'stock'; readonly ticker: string; readonly rows: number }

/** Reads a question with code that shares nothing with the verifiers' own readers. */
export function readSecond(text: string): SecondReading | undefined {
  if (text.length > MOST_CHARACTERS || MISREAD.test(text)) return undefined
  const question = unframed(text)
  const expression =
    calculationIn(question, readArithmetic) ?? calculationIn(question, readPercentage)
  if (expression !== undefined) return { kind: 'math', value: expression.value }
  const query = readDate(question, { compound: true })
  if (query !== undefined) return { kind: 'calendar', query }
  const { ticker, n } = readStock(question, markNumbers(question))?.[0]?.args ?? {}
  if (typeof ticker === 'string' && typeof n === 'number') return { kind: 'stock', ticker, rows: n }
  const story = calculationIn(question, readStory)
  return story && { kind: 'math', value: story.value }
}
