import type { Claim } from '../question.ts'

/** What another reader makes of a question. Readers share no code. */
export type SecondReading =
  | { readonly kind: 'math'; readonly value: number }
  /** A phrase for the calendar tool. */
  | { readonly kind: 'calendar'; readonly query: string }
  | { readonly kind: 'stock'; readonly ticker: string; readonly rows: number }

/** Reads a question by other means; undefined where it does not read the whole of it. */
export type SecondReader = (text: string) => SecondReading | undefined

/** Reads what a question asks on a day (ISO date), apart from any plan. */
export type QuestionReader = (text: string, today: string) => Claim

const CLOSE = 1e-9

/**
 * A reader that gives a claim only where two readers agree. Where one of them sees another reading,
 * or cannot place a word, the question is not checked.
 */
export function agreeing(first: QuestionReader, second: SecondReader): QuestionReader {
  return (text, today) => {
    const claim = first(text, today)
    return claim.kind === 'unknown' ? claim : confirmed(claim, second(text))
  }
}

function confirmed(
  claim: Exclude<Claim, { kind: 'unknown' }>,
  other: SecondReading | undefined,
): Claim {
  if (other === undefined) return { kind: 'unknown', why: 'only one of two readers understands it' }
  if (claim.kind === 'calendar' && other.kind === 'calendar') {
    return { ...claim, second: other.query }
  }
  return isSame(claim, other) ? claim : { kind: 'unknown', why: 'it can be read in two ways' }
}

function isSame(claim: Claim, other: SecondReading): boolean {
  if (claim.kind === 'math' && other.kind === 'math' && claim.value !== undefined) {
    return Math.abs(claim.value - other.value) <= CLOSE * Math.max(1, Math.abs(claim.value))
  }
  if (claim.kind === 'stock' && other.kind === 'stock') {
    return claim.ticker === other.ticker && claim.rows === other.rows
  }
  return false
}
