import type { Claim } from './claim.ts'
import type { QuestionReading, Verifier } from './verifier.ts'

/** A second reader's reading of a question. */
export type SecondReading =
  | { readonly kind: 'math'; readonly value: number }
  /** The question whether a number is prime. The number is in plain digits. */
  | { readonly kind: 'prime'; readonly number: string }
  /** A phrase for the calendar tool. */
  | { readonly kind: 'calendar'; readonly query: string }
  | { readonly kind: 'stock'; readonly ticker: string; readonly rows: number }

/**
 * Reads a question by independent means; undefined if it does not read all of it. It must share no code with the
 * verifiers, not even the table of number words: two readers that share a bug agree on a wrong answer.
 */
export type SecondReader = (text: string) => SecondReading | undefined

/** A verifier whose reading of a question can be compared with another reader's. */
export interface Confirmable<Own extends Claim> extends Verifier<Own> {
  /** The claim that both readers agree on, or undefined if they differ. */
  confirm(claim: Own, second: SecondReading): Own | undefined
}

/**
 * Restricts the verifier to questions that a second reader reads alike. If the second reader differs, or cannot
 * place a word, the question is not checked.
 */
export function confirmedBy<Own extends Claim>(
  second: SecondReader,
  verifier: Confirmable<Own>,
): Verifier<Own> {
  return {
    ...verifier,
    read(question) {
      const reading = verifier.read(question)
      if (reading.type !== 'claim') return reading
      const other = second(question.input)
      if (other === undefined) return unclear('only one of two readers understands it')
      const claim = verifier.confirm(reading.claim, other)
      return claim === undefined ? unclear('it can be read in two ways') : { type: 'claim', claim }
    },
  }
}

const unclear = (why: string): QuestionReading<never> => ({ type: 'unclear', why })
