import type { Json, JsonObject, Clock } from 'echelon/runtime'
import type { DataSource } from '../primitives/data-source.ts'
import type { FactsGatherer, JudgedCall } from './facts-gatherer.ts'

export interface OrderFactsOptions {
  readonly dataSource: Pick<DataSource, 'getOrder' | 'getCustomer'>
  readonly clock: Pick<Clock, 'now'>
  /** The parameter that names an order; default `order_id`. */
  readonly orderParam?: string
  /**
   * The customer's totals so far, such as refunds of this month, as tracked by the caller. Rules read it as
   * `totals`; if it is missing, a rule that reads it refuses.
   */
  readonly totals?: (customerId: string) => Promise<JsonObject>
}

/**
 * The facts of a shop: `customer` (by the interaction's `customerId`, never by the text; `null` if unknown),
 * `order` (the one that the parameters name; `null` if there is none), `now` (milliseconds since the epoch) and
 * `totals`.
 */
export class OrderFacts implements FactsGatherer {
  readonly #options: OrderFactsOptions

  constructor(options: OrderFactsOptions) {
    this.#options = options
  }

  async gather({ call, interaction }: JudgedCall): Promise<JsonObject> {
    const { dataSource, clock, orderParam = 'order_id', totals } = this.#options
    const { customerId } = interaction
    const orderId = Object.hasOwn(call.params, orderParam) ? call.params[orderParam] : null
    const facts = await Promise.all([
      fact('customer', async () => customerId && (await dataSource.getCustomer(customerId))),
      fact('order', async () => (orderId === null ? null : dataSource.getOrder(textOf(orderId)))),
      fact('totals', async () => customerId && totals && (await totals(customerId))),
      fact('now', async () => clock.now()),
    ])
    return Object.assign({}, ...facts)
  }
}

/** An object with the fact, or without it if it is unavailable. */
async function fact(name: string, read: () => Promise<Json | undefined>): Promise<JsonObject> {
  try {
    const value = await read()
    return value === undefined || value === '' ? {} : { [name]: value }
  } catch {
    return {}
  }
}

/** @throws TypeError for a value that names no order: the fact is then missing, and rules that need it refuse. */
function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  throw new TypeError('an order is named by a text')
}
