import type { JsonObject } from 'echelon/runtime'
import { orderValues } from '../../customer/order-words.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { type Intent, nameOfIntent } from '../../intent.ts'
import { fill } from '../../wording/fill.ts'
import type { SupportState } from '../support-state.ts'

/** What an intent would do with an order, in words that follow "I can". */
export function wouldDo({ orders }: SupportState, intent: Intent, params: JsonObject): string {
  const values = { ...orderValues(ownOrdersIn(orders), params), ...params }
  return fill(intent.wording.would ?? nameOfIntent(intent), values)
}
