import type { ToolCall, ToolOutcome } from '../../core/tool.ts'
import { ambiguousDate } from './question/ambiguous-date.ts'
import type { Evidence } from './state.ts'
import { calendarChecks, judgeCalendar } from './verify/calendar.ts'
import { goldChecks, judgeGold } from './verify/gold.ts'
import { lastAnswer, lastFailure, setupFault } from './verify/answer.ts'
import { notCheckable } from './uncheckable.ts'
import { judgeMath, mathChecks } from './verify/math.ts'
import { judgeStock, stockChecks } from './verify/stock.ts'
import { type Case, unproved, type Verdict } from './verify/verdict.ts'

export type { Case, Verdict }

/**
 * What has to be recomputed before the case can be judged: the question's own expression, its
 * date, the averages. A tool's output proves nothing about the plan that asked for it.
 */
export function checksFor(one: Case): readonly ToolCall[] {
  const gold = goldOf(one)
  if (gold !== null) return goldChecks(one, gold)
  switch (one.claim.kind) {
    case 'math':
      return mathChecks(one, one.claim)
    case 'calendar':
      return calendarChecks(one, one.claim)
    case 'stock':
      return stockChecks(one, one.claim)
    case 'unknown':
      return []
  }
}

/** Judges a round by its evidence and by what was recomputed. Pure. */
export function judge(one: Case, checked: readonly ToolOutcome[]): Verdict {
  const verdict = judgeRound(one, checked)
  const fault = setupFault([...one.ran.map(({ outcome }) => outcome), ...checked])
  if (verdict.passed || fault === undefined || one.task.rules === 1) return verdict
  return { ...verdict, reason: fault, forPerson: fault, blocked: true }
}

function judgeRound(one: Case, checked: readonly ToolOutcome[]): Verdict {
  const missing = one.task.expectedTools.find((tool) => !hasResult(one.ran, tool))
  if (missing !== undefined) {
    return unproved(lastAnswer(one.ran), `the answer must rest on ${missing}, which gave no result`)
  }
  const gold = goldOf(one)
  if (gold !== null) return judgeGold(one, gold, checked)
  switch (one.claim.kind) {
    case 'math':
      return judgeMath(one, one.claim, checked)
    case 'calendar':
      return judgeCalendar(one, checked)
    case 'stock':
      return judgeStock(one, one.claim, checked)
    case 'unknown':
      return judgeUnknown(one, one.claim.why)
  }
}

/** A divisor of zero that the question itself holds; what else has no value may be the plan's slip. */
const ZERO = /(?:\/|÷|divided by|over)\s*\(?\s*(?:0(?![.\d])|zero)/i

/** Nothing can check an answer. Without one, no model can mend what the question itself asks for. */
function judgeUnknown({ task, ran }: Case, why: string): Verdict {
  const answer = lastAnswer(ran)
  const failure = lastFailure(ran)
  const verdict = unproved(answer, failure?.message ?? notCheckable(why))
  if (answer !== null) return { ...verdict, uncheckable: true }
  const isAsked = ZERO.test(task.input) || ambiguousDate(task.input) !== undefined
  const isOwn = failure?.fault === 'value' && isAsked
  return isOwn ? { ...verdict, blocked: true } : verdict
}

/** The known answer, where it settles the case: prices and plots are judged by what they hold. */
const goldOf = ({ task, claim }: Case): string | null =>
  claim.kind === 'stock' ? null : task.goldAnswer

const hasResult = (ran: readonly Evidence[], tool: string): boolean =>
  ran.some(({ call, outcome }) => call.tool === tool && outcome.type === 'ok')
