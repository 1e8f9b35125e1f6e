import type { ToolCall, ToolOutcome } from '../../../../core/tool/tool.ts'
import { isText, having, orAbsent } from '../../stored-shape.ts'
import type { Claim } from '../../verification/claim.ts'
import { canonicalDecimal } from '../../verification/decimal.ts'
import { lastAnswer, lastError, lastResult, resultOf, textOf } from '../../verification/evidence.ts'
import type { Confirmable } from '../../verification/second-reader.ts'
import { proved, refuted, unproved, unreadable, type Verdict } from '../../verification/verdict.ts'
import type { Case, QuestionReading } from '../../verification/verifier.ts'
import { readPlain } from '../english/plain-question.ts'
import { ambiguousDate } from './ambiguous-date.ts'
import { readDates } from './read-dates.ts'

/**
 * The requested date or number of days, as a phrase for the calendar tool; `second` is another reader's phrase.
 * Both must give the answer.
 */
export interface CalendarClaim extends Claim {
  readonly kind: 'calendar'
  readonly query: string
  readonly second?: string
}

/** Looks up a date or a number of days, from the question's words and the day of the case. */
export const dates: Confirmable<CalendarClaim> = {
  name: 'calendar',
  tools: ['calendar'],
  read: ({ input, today }) => readPlain(input, (question) => readDay(question, today)),
  // The calendar decides whether both phrases name the same day.
  confirm: (claim, second) =>
    second.kind === 'calendar' ? { ...claim, second: second.query } : undefined,
  checks,
  judge,
  isClaim: having({ query: isText, second: orAbsent(isText) }),
  hasNoAnswer: (question) => ambiguousDate(question) !== undefined,
}

function readDay(question: string, today: string): QuestionReading<CalendarClaim> {
  const query = readDates(question, today)
  if (query !== undefined) return { type: 'claim', claim: { kind: 'calendar', query } }
  const ambiguous = ambiguousDate(question)
  return ambiguous === undefined
    ? { type: 'other', why: 'the question asks for no date' }
    : { type: 'unclear', why: ambiguous }
}

/** Looks the date up again, from each reading of the question and the task's own day. */
function checks({ task, claim, ran }: Case<CalendarClaim>): readonly ToolCall[] {
  const { query, second } = claim
  if (lastResult(ran, 'calendar') === undefined) return []
  const queries = second === undefined || second === query ? [query] : [query, second]
  return queries.map((phrase, index) => ({
    id: `check.${index + 1}`,
    tool: 'calendar',
    input: { query: phrase, today: task.today },
  }))
}

/** Proved if all readings of the question give the date that the plan found. */
function judge({ ran }: Case<CalendarClaim>, checked: readonly ToolOutcome[]): Verdict {
  const answer = textOf(lastResult(ran, 'calendar')?.result)
  if (answer === null) {
    return unproved(lastAnswer(ran), lastError(ran) ?? 'the calendar gave no date')
  }
  const dates = checked.map((outcome) => textOf(resultOf(outcome)))
  if (dates.length === 0 || dates.includes(null)) {
    return unreadable(answer, 'the question itself could not be read as a date', checked)
  }
  if (new Set(dates).size > 1) {
    return { ...unproved(answer, 'the question can be read as two dates'), uncheckable: true }
  }
  const own = dates.find((date) => date !== answer)
  if (own === undefined || own === null) {
    return proved(
      answer,
      `the question itself gives the same ${isNumber(answer) ? 'number' : 'date'}`,
    )
  }
  return refuted(
    answer,
    differentAnswer(answer, own),
    `the question itself gives ${own}, the plan gave ${answer}`,
  )
}

/** The part that differs, for a model; reveals nothing of the question's own date. */
function differentAnswer(answer: string, own: string): string {
  if (isNumber(answer) && !isNumber(own)) return 'the question asks for a date, not for a number'
  if (isNumber(own) && !isNumber(answer)) return 'the question asks for a number, not for a date'
  return isNumber(own)
    ? 'the number differs: read again from which date to which the question counts, and in what unit'
    : 'the date differs: read again from which day the question counts, how far, and in which direction'
}

const isNumber = (text: string): boolean => canonicalDecimal(text) !== undefined
