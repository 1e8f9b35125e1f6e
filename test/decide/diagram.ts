import type { Policy } from '../../packages/echelon/src/agents/decide/settings/modes.ts'
import type { DecideState } from '../../packages/echelon/src/agents/decide/state.ts'
import { isGated, isTop, type Step } from './step.ts'

const PLACES = { plan: 'PlanH', execute: 'ExecuteL', verify: 'Verify', judge: 'Judge' } as const
const ENDS = {
  success: 'Success',
  supported: 'Supported',
  budget: 'Budget',
  big_fail: 'BigFail',
  unchecked: 'Unchecked',
  blocked: 'Blocked',
  canceled: 'Canceled',
} as const
const STAGES: Readonly<Record<string, string>> = {
  H_plan: 'PlanH',
  L_exec: 'ExecuteL',
  verify: 'Verify',
  act: 'ACTGate',
  escalate: 'Escalate',
}

/** The position of a state in the diagram. A top model only makes its attempt or its retry. */
export function placeOf(state: DecideState, policy: Policy): string {
  if (state.phase === 'done') return ENDS[state.reason]
  return isTop(state, policy) ? attemptOf(state) : PLACES[state.phase]
}

const attemptOf = ({ loop }: DecideState): string =>
  loop.rounds === 0 ? 'BigAttempt1' : 'BigRetry'

/** The edges of one step: from the state, through the notes, to the new state. */
export function edgesOf({ before, moved }: Step, policy: Policy): readonly string[] {
  const from = placeOf(before, policy)
  const told = isTop(before, policy)
    ? []
    : (moved.notes ?? []).map(({ stage }) => STAGES[stage] ?? stage)
  const stops = [from, ...told, placeOf(moved.state, policy)]
  const isReprompt = before.phase === 'plan' && moved.state.phase === 'plan' && !isGated(moved)
  if (isReprompt) return isTop(before, policy) ? [] : ['PlanH->PlanH']
  // Several calls of one plan, or several notes of one phase, are not edges.
  const passed = stops.filter((stop, index) => stop !== stops[index - 1])
  return passed.slice(1).map((stop, index) => `${passed[index]}->${stop}`)
}
