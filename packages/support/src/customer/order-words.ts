import type { JsonObject } from 'echelon/runtime'
import { ITEM, ITEMS, ORDER, type OrderHints } from './resolve-order.ts'
import { namesOfItems, orderInWords, type OwnOrder } from './own-order.ts'

/** Orders listed with a question; a customer with more has others in mind as well. */
const MOST_LISTED = 5

/** Names that sentences before a result may use of the customer's order, besides the parameters. */
export const ORDER_VALUES = ['what', 'item', 'refund', 'items', 'total', 'current_address'] as const

/** The values for these names: what a request is about, to the amount. Empty if the order is not known. */
export function orderValues(orders: readonly OwnOrder[], params: JsonObject): JsonObject {
  const order = orders.find(({ id }) => id === params[ORDER])
  if (order === undefined) return {}
  const items = namesOfItems(order.items)
  const named = params[ITEM]
  const amount = params['amount']
  return {
    items,
    what: typeof named === 'string' ? pieceOf(order, named, params[ITEMS] !== undefined) : items,
    item: typeof named === 'string' ? named : null,
    refund: typeof amount === 'string' || typeof amount === 'number' ? amount : order.left,
    total: order.amount,
    current_address: order.record['address'] ?? null,
  }
}

/** One of several equal things that goes back alone: "1 × The Salt Path". A sum of money tells the same by itself. */
function pieceOf({ items }: OwnOrder, named: string, isReturn: boolean): string {
  const pieces = items.filter(({ name }) => name === named)
  return isReturn && pieces.length > 1 ? `1 × ${named}` : named
}

/** The question for an order, with those that it may be. */
export function orderQuestion(
  ask: string,
  orders: readonly OwnOrder[],
  { candidates, suggested, isAll = false }: OrderHints = {},
): string {
  const found = (ids: readonly string[]): readonly OwnOrder[] =>
    ids.flatMap((id) => orders.find((order) => order.id === id) ?? [])
  const [guess] = found(suggested === undefined ? [] : [suggested])
  if (guess !== undefined) return `I don't find that number. Do you mean ${orderInWords(guess)}?`
  const choice = found(candidates ?? []).slice(0, MOST_LISTED)
  if (isAll && choice.length > 1) {
    return `I take one order at a time. Which one first: ${listed(choice, 'or')}?`
  }
  if (choice.length > 1) return `Which order do you mean: ${listed(choice, 'or')}?`
  const own = orders.slice(0, MOST_LISTED)
  if (own.length === 0) return ask
  const rest = orders.length > own.length ? ' Your latest are' : ' You have'
  return `${ask}${rest} ${listed(own, 'and')}.`
}

function listed(orders: readonly OwnOrder[], word: 'and' | 'or'): string {
  const names = orders.map(orderInWords)
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`
}
