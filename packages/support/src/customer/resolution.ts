import type { Json, JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import type { SupportState } from '../turn/support-state.ts'
import { idFormOf, withPlainIds } from './order-ids.ts'
import { headsOf, nameScore, plainWords } from './item-words.ts'
import { orderMention } from './order-mentions.ts'
import { amountOf, ITEM, ORDER, resolveOrder, type Resolved } from './resolve-order.ts'
import { namesOfItems, type OwnOrder, ownOrdersIn } from './own-order.ts'

/**
 * Completes a request's parameters from the customer's own orders, as the message and conversation name them.
 * @param mayInfer whether an order that the message does not name may be taken; only for what is asked back
 */
export function resolutionIn(
  state: SupportState,
  intent: Intent,
  params: JsonObject,
  mayInfer = true,
): Resolved {
  const orders = ownOrdersIn(state.orders)
  const { open } = state.dialogue
  const about = spokenOf(state)
  const [focus, item] = [focusIn(state), about[ITEM]]
  const { guess } = plainIds(state, [intent])
  return resolveOrder(intent, params, {
    text: state.text,
    orders,
    now: state.at,
    focus,
    item: typeof item === 'string' ? item : null,
    listed: listedLast(state, orders),
    guess,
    mayInfer,
    candidates:
      open?.hints?.candidates ?? (open?.param === ORDER ? orders.map(({ id }) => id) : []),
  })
}

/** The order that was spoken of last. */
const spokenOf = ({ dialogue: { open, last, about } }: SupportState): JsonObject =>
  [about, open?.params, last?.params].find((one) => one?.[ORDER] !== undefined) ?? {}

/** The order that was spoken of last. */
function focusIn(state: SupportState): string | null {
  const id = spokenOf(state)[ORDER]
  return typeof id === 'string' ? id : null
}

/** The orders that the last answer listed, in its order, if it listed several: "the first one" is one of these. */
function listedLast({ history }: SupportState, orders: readonly OwnOrder[]): readonly string[] {
  const text = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const listed = orders.flatMap(({ id }) =>
    text.includes(id) ? [{ id, at: text.indexOf(id) }] : [],
  )
  return listed.length < 2 ? [] : listed.toSorted((a, b) => a.at - b.at).map(({ id }) => id)
}

/** The order that the message names, and the items of it. */
export function namedParams(state: SupportState): JsonObject | null {
  const orders = ownOrdersIn(state.orders)
  const { orders: found, items } = orderMention(state.text, orders, {
    now: state.at,
    focus: focusIn(state),
  })
  const [only] = found
  const [said, ...others] = orders.filter(({ id }) => state.text.includes(id))
  if (found.length === 0 && said !== undefined && others.length === 0) return { [ORDER]: said.id }
  if (only === undefined || found.length > 1) return null
  return { [ORDER]: only.id, ...(items.length > 0 && { [ITEM]: namesOfItems(items) }) }
}

/** Whether the message names one or some of the orders that were asked for, without an identifier. */
export function namesOrders(state: SupportState): boolean {
  const orders = ownOrdersIn(state.orders)
  const candidates = state.dialogue.open?.hints?.candidates ?? orders.map(({ id }) => id)
  const { orders: found, isAll } = orderMention(state.text, orders, {
    now: state.at,
    candidates,
    focus: focusIn(state),
  })
  return (
    (isAll && candidates.length > 1) ||
    found.length === 1 ||
    (found.length > 0 && found.length < candidates.length)
  )
}

/** The one order that the message names without an identifier; `null` for none or several. */
export function namedOrder(state: SupportState): string | null {
  const orders = ownOrdersIn(state.orders)
  const found = orderMention(state.text, orders, { now: state.at, focus: focusIn(state) }).orders
  const [only] = found
  return only !== undefined && found.length === 1 && orders.length > 0 ? only.id : null
}

/** Whether a message holds nothing but names of things that the customer ordered. */
export function isOnlyItems(state: SupportState): boolean {
  const own = ownOrdersIn(state.orders).flatMap(({ items }) => items)
  const words = plainWords(state.text).filter((word) => !AROUND_ITEMS.has(word))
  const isNamed = (word: string): boolean =>
    own.some((item) => plainWords(item.name).includes(word) || nameScore([word], item) > 0)
  return words.length > 0 && words.every(isNamed)
}

const AROUND_ITEMS: ReadonlySet<string> = new Set(
  'my the a an hello hi hey so and please pls what about with order package parcel just only for one then first ok okay hmm well fine alright sorry in english'.split(
    ' ',
  ),
)

/** The customer's orders but one. */
export const otherOrders = (state: SupportState, than: Json | undefined): readonly string[] =>
  ownOrdersIn(state.orders).flatMap(({ id }) => (id === than ? [] : [id]))

/** The items that the message names of an order, with their price where the intent takes an amount. */
export function itemsOfOrder(state: SupportState, intent: Intent, params: JsonObject): JsonObject {
  const order = ownOrdersIn(state.orders).find(({ id }) => id === params[ORDER])
  return order === undefined ? {} : amountOf(intent, params, order, state.text)
}

/** The words for things in the customer's orders: they say nothing about what is wanted. */
export const itemWordsIn = (state: SupportState): ReadonlySet<string> =>
  new Set(ownOrdersIn(state.orders).flatMap(({ items }) => items.flatMap(headsOf)))

/** The message with the identifiers of orders in the shop's form. */
export function plainIds(
  { input, orders, dialogue }: SupportState,
  intents: readonly Intent[],
): { readonly text: string; readonly guess: string | null } {
  const { text } = input.interaction
  const form = intents.flatMap(({ params }) => idFormOf(params[ORDER]) ?? [])[0]
  if (form === undefined) return { text, guess: null }
  const own = ownOrdersIn(orders).map(({ id }) => id)
  return withPlainIds(text, form, own, dialogue.open?.param === ORDER)
}
