import type { JsonObject, Moved } from 'echelon/runtime'
import type { Weighing } from '../../dialogue/work.ts'
import { goTo, newPlan, shopView } from '../begin-task.ts'
import type { QueuedIntent } from '../dialogue.ts'
import { resumedTask } from '../open-task.ts'
import { extended } from '../planning/plan-execution.ts'
import { planFor } from '../planning/planner.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { ActiveIntent, SupportState } from '../support-state.ts'
import { ORDER } from '../../customer/resolve-order.ts'

/** Asks the rules about the next request, as if the customer had confirmed it; `null` if none is left. */
export function weighNext(
  { registry }: SupportSettings,
  state: SupportState,
  weighing: Weighing,
): Moved<SupportState> | null {
  const [request, ...left] = weighing.left
  const intent = request === undefined ? undefined : registry.find(request.intentId)
  if (request === undefined || intent === undefined) return null
  const { execution, plans } = newPlan(state, request.intentId)
  const task: ActiveIntent = {
    ...resumedTask({ ...request, execution, failedAsks: 0 }),
    weighing: { ...weighing, left },
  }
  const shop = shopView(state, task)
  const plan = planFor({ intent, params: request.params, isConfirmed: true, shop })
  return goTo({ ...state, plans }, 'checking', {
    ...task,
    execution: extended(execution, plan.steps),
  })
}

/** Whether all that may be done is about one known order, so that the rules can be asked about each. */
export function canWeigh(
  { registry }: SupportSettings,
  requests: readonly QueuedIntent[],
): boolean {
  const ofOrder = requests.filter(
    ({ intentId }) => registry.find(intentId)?.requiredParams.includes(ORDER) === true,
  )
  const ids = new Set(ofOrder.map(({ params }) => params[ORDER]))
  const isActing = requests.every(({ intentId }) => {
    const intent = registry.find(intentId)
    return intent?.wording.would !== undefined
  })
  const [id] = ids
  return isActing && ids.size === 1 && typeof id === 'string' && ofOrder.every(isComplete(registry))
}

const isComplete =
  (registry: SupportSettings['registry']) =>
  ({ intentId, params }: QueuedIntent): boolean =>
    registry.find(intentId)?.requiredParams.every((name) => params[name] !== undefined) === true

/** The order, and the items of it, that the requests are about. */
export const aboutOf = (requests: readonly QueuedIntent[]): JsonObject | null => {
  const found = requests.find(({ params }) => typeof params[ORDER] === 'string')?.params
  if (found === undefined) return null
  const { reason: _, ...about } = found
  return about
}
