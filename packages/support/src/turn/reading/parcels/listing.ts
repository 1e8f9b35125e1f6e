import { isOtherSum } from '../../../customer/order-sums.ts'
import { ownOrdersIn } from '../../../customer/own-order.ts'
import { ORDER, type Resolved } from '../../../customer/resolve-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import type { Intent } from '../../../intent.ts'
import type { Facet } from '../../../understand/facets.ts'
import { GIVEN_BACK } from '../../money/given-back.ts'
import type { SupportSettings } from '../../support-settings.ts'
import type { SupportState } from '../../support-state.ts'
import { asksForRest } from '../counted.ts'
import { isReading } from '../reads-only.ts'
import { ORDER_PAYMENT } from '../../../dialogue/known-intents.ts'

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
  const isOfNone = id === ORDER_PAYMENT && params[ORDER] === undefined
  return isOfNone && isOtherSum(text, ownOrdersIn(orders)) ? { ...task, asks: ['other_sum'] } : null
}

/** The intent that lists all orders, if there is one. */
export const listingIn = ({ registry, acting }: SupportSettings): string | null =>
  registry.config.intents.find(
    ({ tool, requiredParams }) =>
      tool === 'list_orders' && requiredParams.length === 0 && !acting.includes(tool),
  )?.id ?? null

/** "What is still coming, and when?": behind a list, and behind more about the same order, its plain state says nothing. */
export const withoutListed = (
  settings: SupportSettings,
  { orders, text }: SupportState,
  commands: readonly TaskCommand[],
): readonly TaskCommand[] => {
  const tasks = commands.filter((one) => one.type === 'start-task')
  const list = listingIn(settings)
  const isListed = tasks.some(({ intentId }) => intentId === list)
  const over = ownOrdersIn(orders).filter(({ status }) => GIVEN_BACK.has(status))
  return commands.filter((one) => {
    if (one.type !== 'start-task' || one.asks !== undefined || one.wonders !== undefined)
      return true
    // "What else is in there" is answered by what the order holds.
    const isHeld = asksForRest(text) && tasks.some(({ params }) => params[ORDER] !== undefined)
    if (isHeld && one.intentId === list) return false
    const isUnknown = one.params[ORDER] === undefined && one.intentId !== list
    if (isListed && isUnknown && isReading(settings, one.intentId)) return false
    return !tasks.some(
      (other) =>
        other !== one &&
        other.intentId === one.intentId &&
        other.params[ORDER] === one.params[ORDER] &&
        other.asks?.some(
          (facet) =>
            SAYS_STATE.has(facet) ||
            (OF_OVER.has(facet) && over.some(({ id }) => id === one.params[ORDER])),
        ) === true,
    )
  })
}

/** What is said of the money of an order that is over says that it is. */
const OF_OVER: ReadonlySet<Facet> = new Set<Facet>(['refund', 'missing', 'cancel'])

const SAYS_STATE: ReadonlySet<Facet> = new Set<Facet>([
  'hold',
  'door',
  'leaves',
  'held',
  'each',
  'inside',
  'left',
  'todo',
  'why',
  'planned',
  'place',
])
