import type { Moved } from 'echelon/runtime'
import type { Weighing } from '../../dialogue/work.ts'
import type { Intent } from '../../intent.ts'
import { noting } from '../conclusion.ts'
import { extended } from '../planning/plan-execution.ts'
import { callOf } from '../planning/planner.ts'
import { planCreated, planType } from '../stages.ts'
import type { ActiveIntent, SupportState } from '../support-state.ts'

/** Asks the rules about the call of a request, whatever else the request needs. The call is not made. */
export function askRules(
  state: SupportState,
  before: ActiveIntent & { readonly weighing: Weighing },
  intent: Intent,
): Moved<SupportState> {
  const call = callOf(intent, before.params)
  const execution = extended(before.execution, [call])
  const task: ActiveIntent = { ...before, execution, reasoning: 'it only asks what would be' }
  return noting([planCreated(task), planType(call)], {
    state: { ...state, phase: 'checking', task },
  })
}
