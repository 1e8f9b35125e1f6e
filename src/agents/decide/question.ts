import { readArithmetic } from './question/arithmetic.ts'
import { ambiguousDate } from './question/ambiguous-date.ts'
import { readDates } from './question/dates/read-dates.ts'
import { unclearDigits } from './question/digits.ts'
import { readStock, type StockRequest } from './question/stock.ts'
import { readStory } from './question/story.ts'
import type { Term } from './question/term.ts'
import { type Token, tokenise } from './question/token.ts'

/**
 * What a question asks, read from its text alone. A plan's answer counts as proved only when it
 * agrees with this, so a reading is given where there is one, and `unknown` wherever there may be
 * two.
 */
export type Claim =
  | {
      readonly kind: 'math'
      /**
       * For the calculator: numbers, `+ - * / ^`, parentheses, `sqrt` and `cbrt`. Each would be a right
       * answer; normally there is one.
       */
      readonly expressions: readonly string[]
      /** The quantities of the question, in digits and in its order; all of them went in. */
      readonly quantities: readonly string[]
      /**
       * What the expression comes to, in floating point: to compare readings, never told to a model.
       * Absent in journals of versions that had one reader.
       */
      readonly value?: number
      /** How it was read, in one clause. */
      readonly why: string
    }
  /**
   * The date or the number of days that is asked for, as a phrase for the calendar tool; `second` as
   * another reader has it. Both must come to the answer.
   */
  | { readonly kind: 'calendar'; readonly query: string; readonly second?: string }
  | ({ readonly kind: 'stock' } & StockRequest)
  /** `why` says in one clause what could not be read. */
  | { readonly kind: 'unknown'; readonly why: string }

/** Characters; what is longer is no question that is read as a whole. */
const LONGEST = 1000
/** Words, numbers and marks: what holds more is read by nobody, and takes long to be refused. */
const MOST_TOKENS = 300

/**
 * Reads a question, apart from any plan. Pure; knows English only. Constants that the question does
 * not spell: 100 of percent; 2, 3, 4, … of half, third, quarter, twice; 12 of a dozen; the count of
 * an average; 60, 60, 24, 7 and 12 of minute, hour, day, week and year. `today` is the ISO date of
 * the case; without it no day is read that depends on it.
 */
export function readQuestion(text: string, today = ''): Claim {
  const question = text.trim()
  if (question === '') return { kind: 'unknown', why: 'the question is empty' }
  if (isTooLong(question)) return { kind: 'unknown', why: 'the question is too long' }
  const trap = trapIn(question)
  if (trap !== undefined) return { kind: 'unknown', why: trap }
  const stock = readStock(question)
  if (stock !== undefined) {
    return 'why' in stock ? { kind: 'unknown', why: stock.why } : { kind: 'stock', ...stock }
  }
  const query = readDates(question, today)
  if (query !== undefined) return { kind: 'calendar', query }
  const ambiguous = ambiguousDate(question)
  if (ambiguous !== undefined) return { kind: 'unknown', why: ambiguous }
  return readMath(question)
}

const OTHER_BASE = /\b0[xob][\da-f]/i
const NEGATIVE_COUNT = /\b(?:last|past|latest|first|next)\s(?:the\s)?[-−–]\s?\d/i

/** Why a reader of words would take the question for another; nothing if it would not. */
function trapIn(question: string): string | undefined {
  if (OTHER_BASE.test(question)) return 'a number in another base than ten is not read'
  if (NEGATIVE_COUNT.test(question)) return 'a negative number of days is none'
  if (asksForSpeed(question)) return 'the unit of the speed is not said'
  return undefined
}

/** A speed out of minutes or seconds: per hour is what people expect, and not what they said. */
function asksForSpeed(question: string): boolean {
  const namesUnit = /\b(?:per|an|a)\s(?:minute|second)\b/i.test(question)
  const short = /\b(?:minutes?|seconds?)\b/i.test(question)
  return short && !namesUnit && /\b(?:speed|fast)\b/i.test(question)
}

/** Some characters stand for many: one may come to eighteen in the plain form that is read. */
function isTooLong(question: string): boolean {
  return question.length > LONGEST || question.normalize('NFKC').length > LONGEST
}

function readMath(question: string): Claim {
  const unclear = unclearDigits(question)
  if (unclear !== undefined) return { kind: 'unknown', why: unclear }
  const tokens = tokenise(question)
  if (tokens.length > MOST_TOKENS) return { kind: 'unknown', why: 'the question is too long' }
  if (!tokens.some(({ type }) => type === 'number')) {
    return { kind: 'unknown', why: 'the question holds no quantity' }
  }
  const arithmetic = readArithmetic(tokens)
  if (arithmetic !== undefined) return claim(arithmetic, tokens, 'arithmetic as written')
  const story = readStory(tokens)
  if ('why' in story) return { kind: 'unknown', why: story.why }
  return claim(story.term, tokens, 'every quantity has its place in the story')
}

function claim(term: Term, tokens: readonly Token[], why: string): Claim {
  if (!Number.isFinite(term.value)) return { kind: 'unknown', why: 'the value is no number' }
  const quantities = tokens.flatMap((token) =>
    token.type === 'number' ? (token.unit === '%' ? `${token.term.text} %` : token.term.text) : [],
  )
  return { kind: 'math', expressions: [term.text], quantities, value: term.value, why }
}
