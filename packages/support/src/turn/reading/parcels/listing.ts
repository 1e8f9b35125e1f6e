import { isOtherSum } from '../../../customer/order-sums.ts'
import { ownOrdersIn } from '../../../customer/own-order.ts'
import { ORDER, type Resolved } from '../../../customer/resolve-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import type { Intent } from '../../../intent.ts'
import { PAID } from '../../money/how-much.ts'
import type { SupportSettings } from '../../support-settings.ts'
import type { SupportState } from '../../support-state.ts'
import { isReading } from '../reads-only.ts'

/** The list of all orders, where all are meant, or none that cost the sum that is named; `null` for others. */
export function listed(
  settings: SupportSettings,
  { text, orders }: SupportState,
  { id }: Intent,
  { params, hints }: Resolved,
): TaskCommand | null {
  const list = isReading(settings, id) ? listingIn(settings) : null
  if (list === null) return null
  const task: TaskCommand = { type: 'start-task', intentId: list, params: {}, confidence: 1 }
  if (hints.isAll === true) return task
  const isOfNone = id === PAID && params[ORDER] === undefined
  return isOfNone && isOtherSum(text, ownOrdersIn(orders)) ? { ...task, asks: ['other_sum'] } : null
}

/** The intent that lists all orders, if there is one. */
export const listingIn = ({ registry, acting }: SupportSettings): string | null =>
  registry.config.intents.find(
    ({ tool, requiredParams }) =>
      tool === 'list_orders' && requiredParams.length === 0 && !acting.includes(tool),
  )?.id ?? null
