import type { AgentResponse } from '../agent-response.ts'
import { textOf } from './conclusion.ts'
import type { Outcome, SupportState } from './support-state.ts'

/** The result of a turn. */
export interface SupportResult extends Omit<AgentResponse, 'runId'> {
  readonly outcome: Outcome
  /** Why nothing was done, if the turn does not belong to this conversation. */
  readonly refusal: Refusal | null
}

export function supportResult(state: SupportState): SupportResult {
  const { result, outcome, dialogue, executions, problem } = state
  const isAsked = outcome === 'asked'
  return {
    text: textOf(state),
    toolResult: result,
    needsUserInput: isAsked,
    missingParam: isAsked ? (dialogue.open?.param ?? null) : null,
    execution: executions.at(-1) ?? null,
    outcome,
    refusal: REFUSALS.find((one) => one === problem) ?? null,
  }
}

/**
 * Values of `problem` for such a turn. `conflict`: another process went on with the conversation meanwhile;
 * `other-customer`: it belongs to another customer, whose messages it holds.
 */
const REFUSALS = ['conflict', 'other-customer'] as const
export type Refusal = (typeof REFUSALS)[number]
