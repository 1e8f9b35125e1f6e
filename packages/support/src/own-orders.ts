import type { JsonObject } from 'echelon/runtime'
import { EchelonError } from 'echelon/internal/value'
import type {
  ClosedHandOver,
  Customer,
  DataSource,
  HandOver,
  Order,
  OrderChange,
} from './primitives/data-source.ts'

/**
 * A data source restricted to one customer: other customers' data does not exist in it. Without a customer it is
 * empty.
 */
export class OwnOrders implements DataSource {
  readonly #all: DataSource
  readonly #customerId: string | null
  readonly changeOrder?: (change: OrderChange, key: string) => Promise<Order>
  readonly handOver?: (handOver: HandOver, key: string) => Promise<string>
  readonly closeHandOver?: (closed: ClosedHandOver, key: string) => Promise<void>
  readonly listOrders?: (customerId: string) => Promise<readonly Order[]>

  constructor(all: DataSource, customerId: string | null) {
    this.#all = all
    this.#customerId = customerId
    if (all.changeOrder !== undefined) {
      this.changeOrder = (change, key) => this.#changeOwn(change, key)
    }
    if (all.listOrders !== undefined) {
      this.listOrders = async (id) =>
        id === customerId
          ? ((await all.listOrders?.(id)) ?? []).filter((one) => this.#owns(one))
          : []
    }
    if (all.closeHandOver !== undefined) {
      this.closeHandOver = async (closed, key) => await all.closeHandOver?.(closed, key)
    }
    if (all.handOver !== undefined) {
      this.handOver = async (handOver, key) =>
        (await all.handOver?.({ ...handOver, customerId }, key)) ?? ''
    }
  }

  async getOrder(orderId: string): Promise<Order | null> {
    const order = await this.#all.getOrder(orderId)
    return order !== null && this.#owns(order) ? order : null
  }

  async getCustomer(customerId: string): Promise<Customer | null> {
    return customerId === this.#customerId ? await this.#all.getCustomer(customerId) : null
  }

  async #changeOwn(change: OrderChange, key: string): Promise<Order> {
    const { orderId } = change
    const changed = (await this.getOrder(orderId)) && (await this.#all.changeOrder?.(change, key))
    if (changed) return changed
    throw new EchelonError('INVALID_INPUT', `Order ${orderId} not found`, { details: { orderId } })
  }

  #owns(record: JsonObject): boolean {
    return this.#customerId !== null && record['customer_id'] === this.#customerId
  }
}
