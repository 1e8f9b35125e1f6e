import type { ToolCall, ToolOutcome } from '../../../core/tool.ts'
import { lastAnswer, lastError, lastResult, resultOf, textOf } from './answer.ts'
import { type Case, proved, unproved, type Verdict } from './verdict.ts'

/** The date once more, from the question itself and the task's own day. */
export function calendarChecks({ task, ran }: Case, query: string): readonly ToolCall[] {
  if (lastResult(ran, 'calendar') === undefined) return []
  return [{ id: 'check.1', tool: 'calendar', input: { query, today: task.today } }]
}

/** Proved when the question's own date is the one that the plan found. */
export function judgeCalendar({ ran }: Case, checked: readonly ToolOutcome[]): Verdict {
  const answer = textOf(lastResult(ran, 'calendar')?.result)
  if (answer === null) {
    return unproved(lastAnswer(ran), lastError(ran) ?? 'the calendar gave no date')
  }
  const own = textOf(resultOf(checked[0]))
  if (own === null) return unproved(answer, 'the question itself could not be read as a date')
  return own === answer
    ? proved(answer, 'the question itself gives the same date')
    : unproved(answer, `the question itself gives ${own}, the plan gave ${answer}`)
}
