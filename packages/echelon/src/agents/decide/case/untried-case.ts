import type { AgentDefinition } from '../../../core/agent/agent.ts'
import type { Redactor } from '../../../core/redaction/redaction.ts'
import { NOTHING_SAID } from '../../../core/message/thread.ts'
import { type CaseResult, caseResult } from './case-result.ts'
import { gathered } from './gathered.ts'
import type { Policy } from '../settings/modes.ts'
import type { DecideInput, DecideResult, DecideState } from '../state.ts'

/** A case that another process works on, or that has not started. */
export interface UntriedCase {
  readonly runId: string
  readonly definition: AgentDefinition<DecideInput, DecideState, DecideResult>
  readonly input: DecideInput
  readonly policy: Policy
  readonly at: number
  readonly seed: number
  readonly timeZone: string
  readonly redact: Redactor
}

/** The result for a caller that does not wait: canceled, with nothing done here. */
export function untriedCase(untried: UntriedCase): CaseResult {
  const { runId, definition, input, policy, at, seed, timeZone, redact } = untried
  const context = { at, seed, runId, timeZone, limits: policy.limits, history: NOTHING_SAID }
  const { state } = definition.start(input, context)
  return caseResult({
    runId,
    end: { reason: 'canceled', limit: null, loop: gathered(state), verified: false },
    spent: {},
    rungs: policy.rungs,
    asked: policy.asked,
    logs: [],
    redact,
  })
}
