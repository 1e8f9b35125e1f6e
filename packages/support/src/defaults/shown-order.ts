import type { JsonObject } from 'echelon/runtime'
import type { Order } from '../primitives/data-source.ts'

/**
 * The fields of an order that its customer may see: no staff notes, in which customers and strangers write as well, and
 * no unknown fields. `first_eta`, `delay_cause` and `wishes` are written by the shop alone, in words for its customers.
 */
export const SHOWN_FIELDS: readonly string[] = [
  'order_id',
  'status',
  'carrier',
  'tracking',
  'eta',
  'first_eta',
  'delay_cause',
  'wishes',
  'amount',
  'items',
  'prices',
  'address',
  'ordered_at',
  'delivered_at',
  'return_started_at',
  'return_items',
  'refunded_at',
  'refund_amount',
  'last_refund',
  'cancelled_at',
]

/** An order as tools show it, without empty fields. */
export const shownOrder = (order: Order, fields: readonly string[]): JsonObject =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = order[field]
      return value === undefined || value === null ? [] : [[field, value] as const]
    }),
  )
