import type { JsonObject } from 'echelon/runtime'
import { orderValues } from '../customer/order-words.ts'
import { ownOrdersIn } from '../customer/own-order.ts'
import { ORDER } from '../customer/resolve-order.ts'
import type { IntentsRegistry } from '../intents-registry.ts'
import { isAskUser } from '../plan.ts'
import type { Order } from '../primitives/data-source.ts'
import { CONFIRMATION, type OpenIntent } from '../turn/dialogue.ts'
import { CHANGED_SINCE } from '../wording/sentences.ts'

/** What a waiting plan concerns, in the words in which its customer heard it. Unknown fields are `null`. */
export interface WaitingAbout {
  readonly customer: string | null
  readonly order: string | null
  /** The item that the customer named, or all items of the order. */
  readonly items: string | null
  /** The amount that the confirmation names, in the shop's currency. */
  readonly amount: number | null
  /** The question that the customer confirmed. */
  readonly confirmation: string | null
}

/** What the shop knows of a plan. */
export interface ShopRecords {
  readonly registry: Pick<IntentsRegistry, 'find'>
  /** `null` if there is no such order, or it cannot be read now. */
  order(id: string): Promise<Order | null>
}

/** Tells what a plan concerns, as its confirmation names it. */
export async function aboutOf(
  { intentId, params, execution }: OpenIntent,
  customer: string | null,
  shop: ShopRecords,
): Promise<WaitingAbout> {
  const id = textOf(params, ORDER)
  const order = id === null ? null : await shop.order(id)
  const values = { ...orderValues(ownOrdersIn(order === null ? [] : [order]), params), ...params }
  const asked = execution.steps
    .map(({ step }) => step)
    .filter(isAskUser)
    .findLast(({ param }) => param === CONFIRMATION)
  const { confirm = '' } = shop.registry.find(intentId)?.wording ?? {}
  return {
    customer,
    order: id,
    items: textOf(values, 'what'),
    amount: amountIn(confirm, values),
    confirmation: asked?.prompt.replace(CHANGED_SINCE, '').trim() ?? null,
  }
}

/** The value that a confirmation writes as money, such as `{refund|money}`. */
function amountIn(confirm: string, values: JsonObject): number | null {
  const [, name = ''] = /\{\s*(\w+)\s*\|\s*money\s*\}/.exec(confirm) ?? []
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (typeof value !== 'number' && typeof value !== 'string') return null
  return value !== '' && Number.isFinite(Number(value)) ? Number(value) : null
}

function textOf(values: JsonObject, name: string): string | null {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : null
}
