import type { ToolCall, ToolOutcome } from '../../../core/tool/tool.ts'
import type { Evidence, Task } from '../state.ts'
import { canonicalDecimal } from './decimal.ts'
import { lastAnswer, lastError, lastResult, resultOf, textOf } from './evidence.ts'
import { proved, refuted, unproved, type Verdict } from './verdict.ts'

interface Answered {
  readonly task: Pick<Task, 'today'>
  readonly ran: readonly Evidence[]
}

/** Tools that bring a known answer into the form of tool results. */
export const ANSWER_TOOLS = ['calendar'] as const

/** A date may be written in many ways: the calendar brings the known answer into one form. */
export function knownAnswerChecks({ task, ran }: Answered, known: string): readonly ToolCall[] {
  if (lastResult(ran)?.evidence.call.tool !== 'calendar') return []
  return [{ id: 'check.1', tool: 'calendar', input: { query: known, today: task.today } }]
}

/** Proved if the evidence gives the known answer: numbers exactly, dates by day, anything else verbatim. */
export function judgeKnownAnswer(
  { ran }: Answered,
  known: string,
  checked: readonly ToolOutcome[],
): Verdict {
  const answer = lastAnswer(ran)
  if (answer === null) return unproved(null, lastError(ran) ?? 'no action gave an answer')
  const wanted = textOf(resultOf(checked[0])) ?? known
  return sameText(answer, wanted)
    ? proved(answer, 'it is the known answer')
    : refuted(
        answer,
        // A model that reads the known answer could write a plan that produces it.
        'it is not the known answer',
        `the answer is ${answer}, and the known one is ${wanted}`,
      )
}

function sameText(a: string, b: string): boolean {
  const number = canonicalDecimal(a)
  if (number !== undefined) return number === canonicalDecimal(b)
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
