import { add, round2, subtract } from '../python/arithmetic.ts'
import { compareText } from '../python/json.ts'
import { repr, str } from '../python/text.ts'
import { at, contains, dictOf, equals, lengthOf, listOf } from '../python/access.ts'
import { type Dict, PyError, type PyValue } from '../python/value.ts'
import type { TauData } from '../tau/tau-data.ts'

export const ORDER_NOT_FOUND = 'Error: order not found'

/** The payment methods of the user whose order it is, to be changed in place. */
export function methodsOf(data: TauData, order: Dict): Dict {
  const owner = at(order, 'user_id')
  const user = data.table('users').edit(owner)
  if (user === undefined) throw new PyError(repr(owner))
  return dictOf(at(user, 'payment_methods'))
}

/** Puts an amount, which may be negative, on a gift card. */
export function credit(method: Dict, amount: PyValue, sign: '+=' | '-='): void {
  const balance = at(method, 'balance')
  const after = sign === '+=' ? add(balance, amount, sign) : subtract(balance, amount, sign)
  method.set('balance', round2(after))
}

export const transaction = (kind: 'payment' | 'refund', amount: PyValue, id: PyValue): Dict =>
  new Map<string, PyValue>([
    ['transaction_type', kind],
    ['amount', amount],
    ['payment_method_id', id],
  ])

/** The first of the ids that is asked for more often than the order has it. */
export function notInOrder(order: Dict, ids: readonly PyValue[]): PyValue | undefined {
  const had = listOf(at(order, 'items')).map((item) => at(item, 'item_id'))
  const count = (all: readonly PyValue[], id: PyValue): number =>
    all.filter((other) => equals(other, id)).length
  return ids.find((id) => count(ids, id) > count(had, id))
}

/** The first item of an order with an id. */
export function itemOf(order: Dict, id: PyValue): Dict {
  const found = listOf(at(order, 'items')).find((item) => equals(at(item, 'item_id'), id))
  if (found === undefined) throw new PyError('list index out of range')
  return dictOf(found)
}

/** Price difference of the new items, or the reason why they are not available. */
export function priceDifference(
  data: TauData,
  order: Dict,
  [ids, newIds]: readonly [PyValue, PyValue],
): bigint | number | string {
  const missing = notInOrder(order, listOf(ids))
  if (missing !== undefined) return `${str(missing)} not found`
  if (lengthOf(ids) !== lengthOf(newIds)) {
    return 'the number of items to be exchanged should match'
  }
  let difference: bigint | number = 0n
  for (const [index, id] of listOf(ids).entries()) {
    const item = itemOf(order, id)
    const newId = listOf(newIds)[index] ?? null
    const variants = variantsOf(data, item)
    if (!contains(variants, newId) || at(at(variants, newId), 'available') !== true) {
      return `new item ${str(newId)} not found or available`
    }
    const more = subtract(at(at(variants, newId), 'price'), at(item, 'price'))
    difference = add(difference, more)
  }
  return difference
}

/** The variants of the product that an item is one of. */
export function variantsOf(data: TauData, item: Dict): PyValue {
  const id = at(item, 'product_id')
  const product = data.table('products').find(id)
  if (product === undefined) throw new PyError(repr(id))
  return at(product, 'variants')
}

/** `sorted()` of texts. */
export const sortedTexts = (values: PyValue): PyValue[] =>
  listOf(values).toSorted((a, b) => compareText(str(a), str(b)))

const ADDRESS = ['address1', 'address2', 'city', 'state', 'country', 'zip']

export const ADDRESS_PARAMETERS = {
  address1: 'string',
  address2: 'string',
  city: 'string',
  state: 'string',
  country: 'string',
  zip: 'string',
} as const

export const addressOf = (args: { get(name: string): PyValue }): Dict =>
  new Map(ADDRESS.map((key) => [key, args.get(key)]))
