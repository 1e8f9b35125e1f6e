import type { JsonObject } from 'echelon/runtime'

/** An order as stored: `order_id`, `customer_id`, `status`, `amount`, `items`, … */
export type Order = JsonObject

/** A customer as stored: `customer_id`, `name`, `tier`, … */
export type Customer = JsonObject

/** A change of an order: the fields to set. */
export interface OrderChange {
  readonly orderId: string
  readonly set: JsonObject
  /** The values that these fields must have; otherwise nothing is changed and it throws. */
  readonly onlyIf?: JsonObject
}

/** A conversation for a person to take over. */
export interface HandOver {
  readonly sessionId: string
  readonly customerId: string | null
  readonly reason: string
}

/** A conversation that no person has to take over any more. */
export interface ClosedHandOver {
  readonly sessionId: string
  readonly ticket: string
}

/** Primitive: orders and customers. `dataSourceContract` tests it. */
export interface DataSource {
  /** `null` if the order does not exist, or its status is `not_found`. */
  getOrder(orderId: string): Promise<Order | null>
  getCustomer(customerId: string): Promise<Customer | null>
  /**
   * The orders of a customer. Without it, the agent knows an order only by its identifier: it can't tell what
   * "my t-shirt" or "my latest order" is.
   */
  listOrders?(customerId: string): Promise<readonly Order[]>
  /**
   * Changes an order and returns the changed one. Contract: done once per key, with the same answer again,
   * whatever happened meanwhile. A source without it is read-only: acting tools say so.
   */
  changeOrder?(change: OrderChange, key: string): Promise<Order>
  /** Adds a conversation to the list for people; returns the ticket. Once per key. */
  handOver?(handOver: HandOver, key: string): Promise<string>
  /**
   * Takes a conversation off that list, because its customer no longer wants a person. Only a ticket of this
   * conversation; any other, and one that is closed, is left as it is. Without it, tickets stay open.
   */
  closeHandOver?(closed: ClosedHandOver, key: string): Promise<void>
}
