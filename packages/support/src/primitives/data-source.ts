import type { JsonObject } from 'echelon/runtime'

/** An order as the data has it: `order_id`, `customer_id`, `status`, `amount`, `items`, … */
export type Order = JsonObject

/** A customer as the data has it: `customer_id`, `name`, `tier`, … */
export type Customer = JsonObject

/** A change of an order: the fields that are to be otherwise. */
export interface OrderChange {
  readonly orderId: string
  readonly set: JsonObject
  /** Only while these fields are so; else nothing is changed and it throws. */
  readonly onlyIf?: JsonObject
}

/** A conversation that a person is to take over. */
export interface HandOver {
  readonly sessionId: string
  readonly customerId: string | null
  readonly reason: string
}

/** Primitive: orders and customers. `dataSourceContract` tests it. */
export interface DataSource {
  /** `null` for an order that does not exist, and for a record whose status is `not_found`. */
  getOrder(orderId: string): Promise<Order | null>
  getCustomer(customerId: string): Promise<Customer | null>
  /**
   * Changes an order and returns it as it is then. Contract: done once under a key, and the same answer
   * again, whatever happened meanwhile. A source without it is read-only: acting tools say so.
   */
  changeOrder?(change: OrderChange, key: string): Promise<Order>
  /** Puts a conversation on the list that people work through; returns the ticket. Once under a key. */
  handOver?(handOver: HandOver, key: string): Promise<string>
}
