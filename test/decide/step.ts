import type { Moved } from '../../packages/echelon/src/core/agent/agent.ts'
import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import type { Policy } from '../../packages/echelon/src/agents/decide/settings/modes.ts'
import type { DecideResult, DecideState } from '../../packages/echelon/src/agents/decide/state.ts'
import type { ExploredStep } from '../../packages/echelon/src/testing/explore/explored.ts'

/** One observation and the agent's reaction. */
export interface Step {
  readonly before: DecideState
  readonly seen: Observation
  readonly moved: Moved<DecideState>
  readonly spent: Amounts
}

export type DecideStep = ExploredStep<DecideState, DecideResult>

export const stepFrom = ({ before, seen, after, notes, spent }: DecideStep): Step => ({
  before,
  seen,
  moved: { state: after, notes },
  spent,
})

/** Whether the gate decided in this step. */
export const isGated = ({ notes = [] }: Moved<DecideState>): boolean =>
  notes.some(({ stage }) => stage === 'act')

export const isTop = ({ loop }: DecideState, { rungs }: Policy): boolean =>
  loop.rung === rungs.length - 1
