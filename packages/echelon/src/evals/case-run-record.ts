import type { CaseResult, TierUsage } from '../agents/decide/case/case-result.ts'
import type { Mode } from '../agents/decide/settings/settings.ts'
import type { EvalCase } from './dataset.ts'
import { isKnownRight, isRight, isWrongAccept } from './judge.ts'

/**
 * The outcome of a run: verified by the first model; verified after escalation; supported by the evidence
 * of a gate; answered without a possible check; checked but not proved; or without an answer.
 */
export type CaseOutcome =
  | 'verified'
  | 'escalated'
  | 'supported'
  | 'not_checked'
  | 'not_verified'
  | 'no_answer'

/** The record of one run of one case: figures and names, without user text. */
export interface CaseRunRecord {
  readonly run_id: string
  readonly mode: Mode
  readonly success: boolean
  /** Verified, but not the known answer. Possible only if that was withheld from the run. */
  readonly wrong_accept: boolean
  readonly outcome: CaseOutcome
  /** Whether the answer equals the known one, verified or not; null if none is known. */
  readonly right: boolean | null
  readonly finish_reason: CaseResult['finish_reason']
  readonly checked: CaseResult['checked']
  readonly answered: boolean
  /** Whether a model beyond the first was asked. */
  readonly escalated: boolean
  readonly seconds: number
  /** US dollars; null if a price is unknown. */
  readonly cost: number | null
  readonly plan_schema_errors: number
  readonly llm_calls_small: number
  readonly llm_calls_big: number
  readonly tool_calls: number
  readonly rungs: readonly ({ readonly model: string; readonly llm_calls: number } & TierUsage)[]
}

interface Ran {
  readonly result: CaseResult
  readonly mode: Mode
  /** From the request to the result. */
  readonly seconds: number
  /** Whether the known answer was withheld from the run. */
  readonly withoutGold: boolean
  /** Whether an answer can be checked without the known one. */
  readonly canCheck: boolean
}

/** The record of a run. The known answer judges the run even if it was withheld. */
export function recordOf(asked: EvalCase, ran: Ran): CaseRunRecord {
  const { result, mode, seconds } = ran
  const { counters } = result
  return {
    run_id: result.run_id,
    mode,
    success: isRight(asked, result),
    wrong_accept: isWrongAccept(asked, result),
    outcome: outcomeOf(asked, ran),
    right: isKnownRight(asked, result),
    finish_reason: result.finish_reason,
    checked: result.checked,
    answered: result.answer !== null,
    escalated: counters.llm_calls_big > 0,
    seconds,
    cost: result.cost,
    plan_schema_errors: result.logs.filter(({ event }) => event === 'plan_schema_error').length,
    llm_calls_small: counters.llm_calls_small,
    llm_calls_big: counters.llm_calls_big,
    tool_calls: counters.tool_calls,
    rungs: result.rungs,
  }
}

function outcomeOf(asked: EvalCase, { result, withoutGold, canCheck }: Ran): CaseOutcome {
  if (result.verified) return result.counters.llm_calls_big > 0 ? 'escalated' : 'verified'
  if (result.answer === null) return 'no_answer'
  if (result.checked === 'supported') return 'supported'
  const isChecked = asked.gold_answer !== null && !withoutGold
  return isChecked || canCheck ? 'not_verified' : 'not_checked'
}
