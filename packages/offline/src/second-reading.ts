import { readArithmetic } from './arithmetic.ts'
import { calculationIn, MISREAD, MAX_CHARACTERS } from './calculation.ts'
import { readDate } from './dates.ts'
import { unframed } from './frame.ts'
import { markNumbers } from './numbers.ts'
import { readPercentage } from './percentages.ts'
import { primeIn } from './primes.ts'
import { readStock } from './stocks.ts'
import { readStory } from './story/read-story.ts'

/** The offline readers' reading of a question, in the form a verifier compares. */
export type SecondReading =
  | { readonly kind: 'math'; readonly value: number }
  /** The question whether a number is prime. The number is in plain digits. */
  | { readonly kind: 'prime'; readonly number: string }
  /** The phrase for the calendar. */
  | { readonly kind: 'calendar'; readonly query: string }
  | { readonly kind: 'stock'; readonly ticker: string; readonly rows: number }

/** Reads a question with code independent of the verifiers' own readers. */
export function readSecond(text: string): SecondReading | undefined {
  if (text.length > MAX_CHARACTERS || MISREAD.test(text)) return undefined
  const question = unframed(text)
  const prime = primeIn(question)
  if (prime !== undefined) return { kind: 'prime', number: prime }
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
