import type { JsonObject } from 'echelon/runtime'
import { askedItems } from '../../customer/asked-items.ts'
import { itemsNamed } from '../../customer/items-named.ts'
import { cents, ownOrdersIn } from '../../customer/own-order.ts'
import { AMOUNT, ITEM, ORDER } from '../../customer/resolve-order.ts'
import { BY_RULE, readAs, type Reading } from '../../understand/command.ts'
import { facetsOf } from '../../understand/facets.ts'
import type { SupportState } from '../support-state.ts'
import { ORDER_PAYMENT } from '../../dialogue/known-intents.ts'

/** Words of a price that the shop knows: "whatever one costs", "what I paid for it". */
const OF_PRICE =
  /\b(?:(?:whatever|what|how much|as much as)\b[^.!?]{0,40}\b(?:costs?|paid|pay|charged|was|is|price)\b|(?:the |its |full |whole |unit |original )price\b|price (?:of|for) (?:it|that|one|a|the)\b|(?:the )?full amount\b)/iu
const OF_ONE = /\b(?:one|a single|single|each|a piece|apiece|a copy|per (?:piece|copy|item))\b/iu
/** What is less than the price, or not wanted. */
const ELSE =
  /\b(?:half|part|percent|not|never|don'?t|less|more|shipping|delivery|minus|plus)\b|\d/iu

/** Words of a price, where an amount is asked for: it is that of what is meant. */
export const priceAsked = (state: SupportState): Reading | null =>
  priceIn(state) === null ? null : readAs([{ type: 'set-slots', params: {} }], 'it names its price')

/** "And if you leave out the lamp?", after what was paid: what is left without it. */
export function priceWithout({ text, dialogue, orders }: SupportState): Reading | null {
  const { open, last } = dialogue
  if (open !== null || last?.intentId !== ORDER_PAYMENT || !isOfRest(text)) return null
  const order = ownOrdersIn(orders).find(({ id }) => id === last.params[ORDER])
  const isOfIt = order !== undefined && itemsNamed(text, order).items.length > 0
  if (!isOfIt || WANTS.test(text) || text.length > MOST_CHARACTERS) return null
  const params = { [ORDER]: order.id }
  return readAs(
    [{ type: 'start-task', intentId: ORDER_PAYMENT, params, confidence: BY_RULE }],
    'it asks what is left without a thing',
  )
}

/** Whether a thing is left out: of "leave out the lamp", the others are the things that are meant. */
const isOfRest = (text: string): boolean =>
  facetsOf(text).includes('without') || /\bleave (?:out|off|away)\b/iu.test(text)

const MOST_CHARACTERS = 120
const WANTS = /\b(?:refund\p{L}*|money|back|return\p{L}*|cancel\p{L}*|send|want|need|please)\b/iu

/** The amount that words of a price give, where an amount is asked for. */
export function priceIn({ text, dialogue, orders }: SupportState): JsonObject | null {
  const { open } = dialogue
  if (open?.param !== AMOUNT || !OF_PRICE.test(text) || ELSE.test(text)) return null
  const order = ownOrdersIn(orders).find(({ id }) => id === open.params[ORDER])
  const asked = order === undefined ? null : askedItems(order, open.params)
  const [first] = asked ?? []
  const isOne = OF_ONE.test(text)
  const isSame = asked?.every(({ name }) => name === first?.name) === true
  if (asked === null || first === undefined) return null
  if (!isSame || (open.params[ITEM] === undefined && !isOne)) return null
  const meant = isOne ? [first] : asked
  if (meant.some(({ price }) => price === null)) return null
  const sum = cents(meant.reduce((before, { price }) => before + (price ?? 0), 0))
  return { [AMOUNT]: sum.toFixed(2), [ITEM]: open.params[ITEM] ?? first.name }
}
