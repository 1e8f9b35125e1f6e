import { orderValues } from '../../customer/order-words.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import type { Weighed } from '../../dialogue/work.ts'
import { nameOfIntent } from '../../intent.ts'
import { fill } from '../../wording/fill.ts'
import * as sentences from '../../wording/sentences.ts'
import type { QueuedIntent } from '../dialogue.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'

/**
 * What a request would do, in words that follow "I can".
 * @param isFurther whether it stands behind another one for the same order
 */
export function wouldDo(
  { registry }: SupportSettings,
  { orders }: SupportState,
  { intentId, params }: QueuedIntent,
  isFurther = false,
): string {
  const intent = registry.find(intentId)
  if (intent === undefined) return intentId.replaceAll('_', ' ')
  const { would = nameOfIntent(intent), wouldToo = would } = intent.wording
  const values = { ...orderValues(ownOrdersIn(orders), params), ...params }
  return fill(isFurther ? wouldToo : would, values)
}

/**
 * "I can refund $14.95 for Stoneware Mug, order O-12346, or start its return. Which would you like?"
 * @param besides what else has to be said of one thing alone
 */
export function couldDo(
  settings: SupportSettings,
  state: SupportState,
  can: readonly Weighed[],
  besides: string,
): string {
  const names = can.map((one, at) => {
    const name = wouldDo(settings, state, one, at > 0)
    return one.verdict === 'approval' ? sentences.onceApproved(name) : name
  })
  return sentences.canDo(names, names.length > 1 ? '' : besides)
}
