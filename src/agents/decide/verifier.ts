import type { ToolCall, ToolOutcome } from '../../core/tool.ts'
import type { Evidence } from './state.ts'
import { calendarChecks, judgeCalendar } from './verify/calendar.ts'
import { goldChecks, judgeGold } from './verify/gold.ts'
import { lastAnswer, lastError } from './verify/answer.ts'
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
      return calendarChecks(one, one.claim.query)
    case 'stock':
      return stockChecks(one, one.claim)
    case 'unknown':
      return []
  }
}

/** Judges a round by its evidence and by what was recomputed. Pure. */
export function judge(one: Case, checked: readonly ToolOutcome[]): Verdict {
  const missing = one.task.expectedTools.find((tool) => !hasResult(one.ran, tool))
  if (missing !== undefined) {
    return unproved(lastAnswer(one.ran), `the answer must rest on ${missing}, which gave no result`)
  }
  const gold = goldOf(one)
  if (gold !== null) return judgeGold(one, gold, checked)
  switch (one.claim.kind) {
    case 'math':
      return judgeMath(one, checked)
    case 'calendar':
      return judgeCalendar(one, checked)
    case 'stock':
      return judgeStock(one, one.claim, checked)
    case 'unknown':
      return unproved(
        lastAnswer(one.ran),
        lastError(one.ran) ?? `the question cannot be checked: ${one.claim.why}`,
      )
  }
}

/** The known answer, where it settles the case: prices and plots are judged by what they hold. */
const goldOf = ({ task, claim }: Case): string | null =>
  claim.kind === 'stock' ? null : task.goldAnswer

const hasResult = (ran: readonly Evidence[], tool: string): boolean =>
  ran.some(({ call, outcome }) => call.tool === tool && outcome.type === 'ok')
