import { timestampIn } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { beyondItems, sumOf } from '../customer/order-sums.ts'
import { itemsNamed } from '../customer/items-named.ts'
import {
  cents,
  countsOfItems,
  namesOfItems,
  type OwnOrder,
  ownOrdersIn,
} from '../customer/own-order.ts'
import { ITEM } from '../customer/resolve-order.ts'
import type { Answer, Intent } from '../intent.ts'
import type { SupportSettings } from './support-settings.ts'
import type { ActiveIntent } from './support-state.ts'
import type { Facet } from '../understand/facets.ts'
import { fill, isFilled } from '../wording/fill.ts'

/** An answer, and the intent that it offers, which a yes begins. */
export interface TemplateAnswer {
  readonly text: string
  readonly offer: string | null
  /** What the question asked besides the state, if this says it. */
  readonly answers: Facet | null
}

/** Fills the intent's template with the result. */
export const templateAnswer = (settings: SupportSettings, task: ActiveIntent): string =>
  templateWithOffer(settings, task).text

/** Fills the intent's template with the result: the one for what the question asks, if there is one. */
export function templateWithOffer(
  { registry }: SupportSettings,
  task: ActiveIntent,
  at: number | null = null,
): TemplateAnswer {
  const data = {
    ...task.done.at(-1)?.result.data,
    ...(at !== null && { now: timestampIn('UTC', at) }),
  }
  const intent = registry.find(task.intentId)
  if (intent === undefined) return { text: '', offer: null, answers: null }
  const { post, postByStatus, postWithout } = intent.wording
  const status = statusIn(data)
  const values = { ...task.params, ...data, ...factsOf(task, data) }
  const overdue = postByStatus[`${status}_overdue`]
  const isOverdue = overdue !== undefined && isFilled(overdue, values)
  const own = isOverdue ? overdue : status === null ? undefined : postByStatus[status]
  const asked = answerToAsked(intent, task, { data, values })
  const plain = own ?? post
  const template = asked?.template ?? (isFilled(plain, values) ? plain : (postWithout ?? plain))
  const { say, offer } = typeof template === 'string' ? { say: template, offer: null } : template
  return { text: fill(say, values), offer, answers: asked?.facet ?? null }
}

/** What follows from the data of an order, for templates. */
function factsOf({ params }: ActiveIntent, data: JsonObject): JsonObject {
  const [order] = ownOrdersIn([data])
  if (order === undefined) return {}
  const said = params[ITEM]
  const item = typeof said === 'string' ? said : null
  const price = item === null ? null : itemsNamed(item, order).price
  return {
    ...(order.items.length > 0 && { items: namesOfItems(order.items) }),
    ...(price !== null && { item_price: price }),
    ...(price !== null && order.amount !== null && { rest: cents(order.amount - price) }),
    counted: countsOfItems(order.items, item),
    ...deliveryIn(order),
  }
}

/** What an order cost besides its items: `items_sum` where it was nothing, `beyond_items` for the rest. */
function deliveryIn(order: OwnOrder): JsonObject {
  const [sum, beyond] = [sumOf(order.items), beyondItems(order)]
  if (sum === null || beyond === null) return { sum_unknown: 'its items' }
  return beyond > 0 ? { beyond_items: beyond } : beyond === 0 ? { items_sum: sum } : {}
}

const sayingOf = (template: string | { readonly say: string }): string =>
  typeof template === 'string' ? template : template.say

const statusIn = ({ status }: JsonObject): string | null =>
  typeof status === 'string' ? status : null

interface Filling {
  readonly data: JsonObject
  readonly values: JsonObject
}

/** The template for the first thing asked that has one in this state, and all that this one needs. */
function answerToAsked(
  { wording }: Intent,
  { asks = [] }: ActiveIntent,
  { data, values }: Filling,
): { readonly facet: Facet; readonly template: Answer } | undefined {
  const status = statusIn(data) ?? ''
  // A part that was given back leaves the state as it was.
  const isPartly = status !== 'refunded' && data['refund_amount'] !== undefined
  const found = asks.flatMap((facet) => {
    const byStatus = wording.postByAsked?.[facet]
    const partly = facet === 'refund' && isPartly ? byStatus?.['partly_refunded'] : undefined
    const better = ['overdue', 'known']
      .flatMap((more) => byStatus?.[`${status}_${more}`] ?? [])
      .find((one) => isFilled(sayingOf(one), values))
    const template = partly ?? better ?? byStatus?.[status] ?? byStatus?.['other']
    if (template === undefined) return []
    return isFilled(sayingOf(template), values) ? [{ facet, template }] : []
  })
  return found[0]
}
