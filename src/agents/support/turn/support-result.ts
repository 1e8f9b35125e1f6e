import type { AgentResponse } from '../agent-response.ts'
import { textOf } from './conclusion.ts'
import type { Outcome, SupportState } from './support-state.ts'

/** What a turn comes to. */
export interface SupportResult extends Omit<AgentResponse, 'runId'> {
  readonly outcome: Outcome
  /** Set where somebody else went on with the conversation meanwhile. */
  readonly isConflict: boolean
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
    isConflict: problem === CONFLICT,
  }
}

/** What `problem` says where the conversation was not as it was read. */
export const CONFLICT = 'conflict'
