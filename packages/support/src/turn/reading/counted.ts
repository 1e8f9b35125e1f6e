import type { JsonObject } from 'echelon/runtime'
import { nameScore, plainWords } from '../../customer/item-words.ts'
import { namesOfItems, type OwnItem, type OwnOrder, ownOrdersIn } from '../../customer/own-order.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import type { Facet } from '../../understand/facets.ts'
import type { SupportState } from '../support-state.ts'

/** A question about one order, and what it asks. */
interface Counted {
  readonly params: JsonObject
  readonly asks: readonly Facet[]
}

/**
 * "How many mugs did I order?", "did I order it twice?": the orders that hold the things meant, each with all of them.
 * Things are those that the message names, or else those of the order spoken of.
 */
export function counted(
  { text, orders }: Pick<SupportState, 'text' | 'orders'>,
  params: JsonObject,
  asks: readonly Facet[],
): readonly Counted[] {
  const own = ownOrdersIn(orders)
  const spoken = own.find(({ id }) => id === params[ORDER])
  const names = namesMeant(text, own, spoken, params[ITEM])
  const isOfAll = spoken === undefined || asks.includes('twice') || OF_ALL.test(text)
  const isHere = IN_IT.test(text) && !asks.includes('twice')
  const searched = isOfAll && !(isHere && spoken !== undefined) ? own : [spoken]
  const held = searched.flatMap((order) => {
    const items = order?.items.filter(({ name }) => names.has(name)) ?? []
    return order === undefined || items.length === 0 ? [] : [{ order, items }]
  })
  // Where several orders hold it, each is told.
  const asked = asks.filter((one) => one !== 'twice' || held.length === 1)
  const first = held.toSorted((a, b) => rank(a.order, spoken) - rank(b.order, spoken))
  return first.map(({ order, items }) => ({
    params: { [ORDER]: order.id, [ITEM]: namesOfItems(items) },
    asks: asked.length > 0 ? asked : ['count'],
  }))
}

/** Whether a text asks, besides a thing, what is with it: not what else was ordered, or is still to come. */
export const asksForRest = (text: string): boolean =>
  /\bwhat else(?: (?:is|was|are|were|'s|came|comes|does it hold)\b(?! (?:coming|open|on)\b)|\W*$)/iu.test(
    text,
  )

const rank = ({ id }: OwnOrder, spoken: OwnOrder | undefined): number => (id === spoken?.id ? 0 : 1)

/** "How many did I buy?", whatever order was spoken of. */
const OF_ALL =
  /\b(?:did|have|do) (?:i|we)\b|\b(?:i|we)(?:'ve| have)? (?:ordered|bought|got)\b|\ball (?:my|of my)\b/iu

const IN_IT =
  /\bin (?:it|there|that|this|the (?:\p{L}+ )?(?:order|package|parcel|box)|my (?:\p{L}+ )?order|that order|this order)\b/iu

const ORDER_OF =
  /(?<!\b(?:the|my|an?|this|that|same|one|other|last|new)\s)\b\p{L}+ (?:order|purchase)\b/giu

/** The names of the things that a text names, of those that the conversation is about, or of all in the order. */
function namesMeant(
  text: string,
  own: readonly OwnOrder[],
  spoken: OwnOrder | undefined,
  item: unknown,
): ReadonlySet<string> {
  // "The tent order" tells which order, and not which thing.
  const words = plainWords(text.replaceAll(ORDER_OF, ' order'))
  const scored = own.flatMap(({ items }) =>
    items.map((one) => ({ name: one.name, score: nameScore(words, one) })),
  )
  const best = Math.max(0, ...scored.map(({ score }) => score))
  if (best > 0) {
    return new Set(scored.flatMap(({ name, score }) => (score === best ? [name] : [])))
  }
  const items: readonly OwnItem[] = spoken?.items ?? []
  const about = items.filter(({ name }) => typeof item === 'string' && item.includes(name))
  return new Set((about.length > 0 ? about : items).map(({ name }) => name))
}
