import { readAgreed } from '../decide/verifiers.ts'
import { evaluate } from '../../packages/tools/src/calculator/evaluate.ts'
import answerOf from '../../packages/tools/src/calendar/answer.ts'
import type { Item, Reading } from './item.ts'

/** The day on which every question of this folder is asked: a Wednesday. */
export const TODAY = '2025-09-10'

/**
 * Every answer that the decider could call verified for a question, whatever a model plans: numbers
 * as decimals, dates as `YYYY-MM-DD`. The only place here that knows what a claim looks like.
 */
export function acceptedBy(question: string, today: string = TODAY): readonly string[] {
  const claim = readAgreed(question, today)
  switch (claim.kind) {
    case 'unknown':
      return []
    case 'stock':
      return [`${claim.rows} rows of ${claim.ticker}`]
    case 'math':
      return claim.expressions.flatMap((expr) => textOr(() => evaluate(expr)))
    case 'calendar':
      return agreed(
        [claim.query, claim.second ?? claim.query].flatMap((query) => dateOf(query, today)),
      )
  }
}

const dateOf = (query: string, today: string): readonly string[] =>
  textOr(() => plainDate(answerOf({ query, today, at: 0, timeZone: 'UTC' })))

/** Both readings must give the same result. */
const agreed = ([one, other]: readonly string[]): readonly string[] =>
  one !== undefined && one === other ? [one] : []

/** A tool that refuses proves nothing. */
function textOr(run: () => string): readonly string[] {
  try {
    return [run()]
  } catch {
    return []
  }
}

/** `Monday, September 8, 2025` as `2025-09-08`; a number of days stays as it is. */
export function plainDate(answer: string): string {
  const time = Date.parse(`${answer} UTC`)
  return /^\w+day, /.test(answer) && !Number.isNaN(time)
    ? new Date(time).toISOString().slice(0, 10)
    : answer
}

export const VERDICTS = ['right', 'unchecked', 'wrong', 'ambiguous'] as const
/** `wrong` and `ambiguous` are failures: a wrong answer, or one of several, could be verified. */
export type Verdict = (typeof VERDICTS)[number]

export interface Judgment {
  readonly verdict: Verdict
  /** The answers that were verified. */
  readonly accepted: readonly string[]
}

export function judge({ text, reading }: Pick<Item, 'text' | 'reading'>): Judgment {
  const accepted = acceptedBy(text)
  return { verdict: verdictOf(reading, accepted), accepted }
}

export function verdictOf(reading: Reading, accepted: readonly string[]): Verdict {
  if (accepted.length === 0) return 'unchecked'
  if (reading.type === 'ambiguous') return 'ambiguous'
  return accepted.every((answer) => isRight(reading, answer)) ? 'right' : 'wrong'
}

function isRight(reading: Exclude<Reading, { type: 'ambiguous' }>, answer: string): boolean {
  if (reading.type === 'date') return answer === reading.iso
  const given = Number(answer)
  return Math.abs(given - reading.value) <= 1e-9 * Math.max(1, Math.abs(reading.value))
}
