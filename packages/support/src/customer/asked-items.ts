import type { JsonObject } from 'echelon/runtime'
import { headsOf, nameScore, plainWords } from './item-words.ts'
import { namesOfItems, type OwnItem, type OwnOrder } from './own-order.ts'
import { ITEM } from './resolve-order.ts'

/** The items of an order that an open request is about: all of them if it names none. `null` if it is not clear. */
export function askedItems(order: OwnOrder, params: JsonObject): readonly OwnItem[] | null {
  const named = params[ITEM]
  if (typeof named !== 'string') return order.items
  const names = [...new Set(order.items.map(({ name }) => name))]
  const alone = names.flatMap((name) => {
    const units = order.items.filter((item) => item.name === name)
    return units.map((_, at) => units.slice(0, at + 1))
  })
  return alone.find((units) => namesOfItems(units) === named) ?? together(order.items, named)
}

/** "Desk Lamp and Office Chair": all the items that are named, if these are all that it names. */
function together(items: readonly OwnItem[], named: string): readonly OwnItem[] | null {
  const found = items.filter(({ name }) => named.includes(name))
  return found.length > 0 && namesOfItems(found) === named ? found : null
}

/** Whether a text names a thing that the customer bought, other than these. */
export function namesOthers(
  text: string,
  asked: readonly OwnItem[],
  orders: readonly OwnOrder[],
): boolean {
  const heads = new Set(orders.flatMap(({ items }) => items.flatMap(headsOf)))
  return plainWords(text).some(
    (word) => heads.has(word) && !asked.some((item) => nameScore([word], item) > 0),
  )
}
