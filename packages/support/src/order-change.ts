import { EchelonError, sameJson } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import type { Order, OrderChange } from './primitives/data-source.ts'

/** The status of a record that is treated as a missing order. */
const NOT_FOUND = 'not_found'

/** An order as customers and agents see it: `null` if there is none, or its record says so. */
export const orderIn = (record: JsonObject | undefined): Order | null =>
  record === undefined || record['status'] === NOT_FOUND ? null : record

/**
 * Applies a change to an order, for authors of data sources. In `onlyIf` an absent field counts as `null`.
 * @throws EchelonError INVALID_INPUT if the order does not exist, has changed meanwhile, or the change would
 * replace its identity
 */
export function changedOrder(order: Order | null, { orderId, set, onlyIf }: OrderChange): Order {
  if (order === null) {
    throw new EchelonError('INVALID_INPUT', `Order ${orderId} not found`, { details: { orderId } })
  }
  for (const field of ['order_id', 'customer_id']) {
    if (Object.hasOwn(set, field) && !sameJson(set[field], order[field])) {
      throw new EchelonError('INVALID_INPUT', `the ${field} of an order stays; leave it out`)
    }
  }
  for (const [field, expected] of Object.entries(onlyIf ?? {})) {
    const now = order[field] ?? null
    if (sameJson(now, expected)) continue
    const sentence = `order ${orderId} has changed: its ${field} is ${JSON.stringify(now)} by now; look at it again`
    throw new EchelonError('INVALID_INPUT', sentence, { details: { orderId, field } })
  }
  return { ...order, ...set }
}

/** @throws EchelonError KEY_REUSED if the key was used to change another order */
export function sameChange(changedId: string, { orderId }: OrderChange, key: string): void {
  if (changedId === orderId) return
  const sentence = `the key ${key} was used for order ${changedId}; give each change a key of its own`
  throw new EchelonError('KEY_REUSED', sentence, { details: { key } })
}
