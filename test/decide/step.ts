import type { Moved } from '../../src/core/agent.ts'
import type { Amounts } from '../../src/core/budget.ts'
import type { Observation } from '../../src/core/observation.ts'
import type { Policy } from '../../src/agents/decide/modes.ts'
import type { DecideResult, DecideState } from '../../src/agents/decide/state.ts'
import type { ExploredStep } from '../../src/testing/explore/explored.ts'

/** One observation and what the agent made of it. */
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
