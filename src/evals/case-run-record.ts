import type { CaseResult, TierUsage } from '../agents/decide/case-result.ts'
import type { Mode } from '../agents/decide/settings.ts'
import type { EvalCase } from './dataset.ts'
import { isRight, isWrongAccept } from './judge.ts'

/** What is kept of one run of one case: figures and names, and no text of the user. */
export interface CaseRunRecord {
  readonly run_id: string
  readonly mode: Mode
  readonly success: boolean
  /** Verified, and not the known answer. Can only be where that was withheld from the run. */
  readonly wrong_accept: boolean
  readonly finish_reason: CaseResult['finish_reason']
  /** Whether a bigger model than the first was asked. */
  readonly escalated: boolean
  readonly seconds: number
  /** US dollars; null where a price is unknown. */
  readonly cost: number | null
  readonly plan_schema_errors: number
  readonly llm_calls_small: number
  readonly llm_calls_big: number
  readonly tool_calls: number
  readonly rungs: readonly ({ readonly model: string; readonly llm_calls: number } & TierUsage)[]
}

/** @param seconds from asking for the run to its result */
export function recordOf(
  asked: EvalCase,
  {
    result,
    mode,
    seconds,
  }: { readonly result: CaseResult; readonly mode: Mode; readonly seconds: number },
): CaseRunRecord {
  const { counters } = result
  return {
    run_id: result.run_id,
    mode,
    success: isRight(asked, result),
    wrong_accept: isWrongAccept(asked, result),
    finish_reason: result.finish_reason,
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
