import type { Json, JsonObject } from 'echelon/runtime'
import type { Clock } from 'echelon/runtime'
import type { DataSource } from '../primitives/data-source.ts'
import type { FactsGatherer, JudgedCall } from './facts-gatherer.ts'

export interface OrderFactsOptions {
  readonly dataSource: Pick<DataSource, 'getOrder' | 'getCustomer'>
  readonly clock: Pick<Clock, 'now'>
  /** The parameter that names an order; default `order_id`. */
  readonly orderParam?: string
  /**
   * What the customer has had so far, such as refunds of this month, as the caller keeps account of it. The
   * rules read it as `totals`; without it a rule that reads it says no.
   */
  readonly totals?: (customerId: string) => Promise<JsonObject>
}

/**
 * The facts of a shop: `customer` (by the interaction's `customerId`, never by what is said; `null` for nobody), `order` (the one
 * that the parameters name; `null` where there is none), `now` (milliseconds since the epoch) and `totals`.
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

/** An object with the fact, or without it where it cannot be had. */
async function fact(name: string, read: () => Promise<Json | undefined>): Promise<JsonObject> {
  try {
    const value = await read()
    return value === undefined || value === '' ? {} : { [name]: value }
  } catch {
    return {}
  }
}

/** @throws TypeError for what names no order: the fact is then missing, and rules that need it say no. */
function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  throw new TypeError('an order is named by a text')
}
