import type { AgentResponse } from '../agent-response.ts'
import { textOf } from './conclusion.ts'
import type { Outcome, SupportState } from './support-state.ts'

/** What a turn comes to. */
export interface SupportResult extends Omit<AgentResponse, 'runId'> {
  readonly outcome: Outcome
  /** Why nothing was done at all, where the turn could not be one of this conversation. */
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
 * What `problem` says of a turn that is none of this conversation. `conflict`: somebody else went on with
 * it meanwhile; `other-customer`: it was begun for somebody else, whose history holds what they said.
 */
const REFUSALS = ['conflict', 'other-customer'] as const
export type Refusal = (typeof REFUSALS)[number]
