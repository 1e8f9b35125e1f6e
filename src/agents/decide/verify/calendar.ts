import type { ToolCall, ToolOutcome } from '../../../core/tool.ts'
import { lastAnswer, lastError, lastResult, resultOf, textOf } from './answer.ts'
import type { Claim } from '../question.ts'
import { canonicalDecimal } from './decimal.ts'
import { type Case, proved, refuted, unproved, unreadable, type Verdict } from './verdict.ts'

/** The date once more, from each reading of the question and the task's own day. */
export function calendarChecks(
  { task, ran }: Case,
  { query, second }: Extract<Claim, { kind: 'calendar' }>,
): readonly ToolCall[] {
  if (lastResult(ran, 'calendar') === undefined) return []
  const queries = second === undefined || second === query ? [query] : [query, second]
  return queries.map((phrase, index) => ({
    id: `check.${index + 1}`,
    tool: 'calendar',
    input: { query: phrase, today: task.today },
  }))
}

/** Proved when all readings of the question come to the date that the plan found. */
export function judgeCalendar({ ran }: Case, checked: readonly ToolOutcome[]): Verdict {
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
    return proved(answer, 'the question itself gives the same date')
  }
  return refuted(
    answer,
    differentAnswer(answer, own),
    `the question itself gives ${own}, the plan gave ${answer}`,
  )
}

/** Which part differs, for a model: nothing of the question's own date is in it. */
function differentAnswer(answer: string, own: string): string {
  if (isNumber(answer) && !isNumber(own)) return 'the question asks for a date, not for a number'
  if (isNumber(own) && !isNumber(answer)) return 'the question asks for a number, not for a date'
  return isNumber(own)
    ? 'the number differs: read again from which date to which the question counts, and in what unit'
    : 'the date differs: read again from which day the question counts, how far, and in which direction'
}

const isNumber = (text: string): boolean => canonicalDecimal(text) !== undefined
