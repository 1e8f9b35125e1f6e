import { ORDER } from '../../customer/resolve-order.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import type { DoneTask } from '../dialogue.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { ActiveIntent, SupportState } from '../support-state.ts'

/**
 * What "undo" may refer to later: the task, if it changed something, and the value that was there before if the
 * intent says that it can be set back. `null` for a task that only read.
 */
export function doneTask(
  { registry, acting }: SupportSettings,
  { orders }: SupportState,
  { intentId, params }: ActiveIntent,
): DoneTask | null {
  const intent = registry.find(intentId)
  if (intent === undefined || !acting.includes(intent.tool)) return null
  const { restores = null } = intent
  // The orders are as they were at the beginning of the turn.
  const order = ownOrdersIn(orders).find(({ id }) => id === params[ORDER])
  const before = restores === null ? undefined : order?.record[restores]
  return { intentId, params, previous: typeof before === 'string' ? before : null }
}
