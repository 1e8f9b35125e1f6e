import type { ToolCall, ToolOutcome } from '../../../core/tool.ts'
import { lastAnswer, lastError, lastResult, resultOf, textOf } from './answer.ts'
import { canonicalDecimal } from './decimal.ts'
import { type Case, proved, refuted, unproved, type Verdict } from './verdict.ts'

/** A date may be written in many ways: the calendar brings the known answer into its one form. */
export function goldChecks({ task, ran }: Case, gold: string): readonly ToolCall[] {
  if (lastResult(ran)?.evidence.call.tool !== 'calendar') return []
  return [{ id: 'check.1', tool: 'calendar', input: { query: gold, today: task.today } }]
}

/** Proved when the evidence gives the known answer: numbers exactly, dates by day, else verbatim. */
export function judgeGold({ ran }: Case, gold: string, checked: readonly ToolOutcome[]): Verdict {
  const answer = lastAnswer(ran)
  if (answer === null) return unproved(null, lastError(ran) ?? 'no action gave an answer')
  const wanted = textOf(resultOf(checked[0])) ?? gold
  return sameText(answer, wanted)
    ? proved(answer, 'it is the known answer')
    : refuted(
        answer,
        // A model that reads the known answer could plan its way to it.
        'it is not the known answer',
        `the answer is ${answer}, and the known one is ${wanted}`,
      )
}

function sameText(a: string, b: string): boolean {
  const number = canonicalDecimal(a)
  if (number !== undefined) return number === canonicalDecimal(b)
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
