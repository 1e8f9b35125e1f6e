import { headsOf, nameMatch, plainWords } from './item-words.ts'
import { isWithin, spanIn } from './order-dates.ts'
import { orderMention } from './order-mentions.ts'
import { isToCome, type OwnItem, type OwnOrder } from './own-order.ts'

/** The orders that a question is about, and the things within them that it names. */
export interface OrdersMeant {
  /** How they are named: by a thing or an identifier, as all, as those that are to come, or as those just told. */
  readonly how: 'named' | 'all' | 'open' | 'told'
  readonly parts: readonly PartMeant[]
}

/** An order, and the things of it that are meant: all of them, if it is the order. */
export interface PartMeant {
  readonly order: OwnOrder
  readonly items: readonly OwnItem[]
  readonly isWhole: boolean
}

/** Whose orders they are, and what was said before. */
export interface OrdersAround {
  readonly orders: readonly OwnOrder[]
  /** The ids of the orders in the last answers, if there were several. */
  readonly told: readonly string[]
  readonly now: number
}

/** Which orders and things a question is about; `null` if it names none. */
export function ordersMeantBy(text: string, around: OrdersAround): OrdersMeant | null {
  const orders = around.orders.filter(({ items }) => items.length > 0)
  const named = partsNamed(text.replaceAll(LEFT_OUT, ' '), orders)
  if (named.length > 0) return { how: 'named', parts: named }
  const told = orders.filter(({ id }) => around.told.includes(id))
  const open = orders.filter(isToCome)
  const number = numberIn(text)
  const fits = (some: readonly OwnOrder[]): boolean =>
    some.length > 1 && (number === null || some.length === number)
  const whole = (how: OrdersMeant['how'], some: readonly OwnOrder[]): OrdersMeant => ({
    how,
    parts: some.map((order) => ({ order, items: order.items, isWhole: true })),
  })
  if (OPEN.test(text)) return open.length === 0 ? null : whole('open', open)
  const [one, ...others] = ALL_IN_ONE.test(text)
    ? orderMention(text, orders, { now: around.now }).orders
    : []
  if (one !== undefined && others.length === 0) return whole('named', [one])
  if (OF_ALL.test(text)) return whole('all', withinSpan(text, orders, around.now))
  const isOfNumber = number !== null || OF_WHOLE.test(text)
  if (!isOfNumber && !OF_TOLD.test(text)) return null
  const several = (isOfNumber ? [told, open, orders] : [told]).find(fits)
  return several === undefined ? null : whole(several === told ? 'told' : 'all', several)
}

/** What a text leaves out: "without the desk". */
export function partsLeftOut(text: string, orders: readonly OwnOrder[]): readonly PartMeant[] {
  const out = [...text.matchAll(LEFT_OUT)].map(([said]) => said).join(', ')
  if (out === '') return []
  const named = partsNamed(out, orders)
  // "The desk is here already. What is it without that?"
  return named.length > 0 || !REFERS.test(out) ? named : partsNamed(text, orders)
}

/** Whether a text leaves something out. */
export const leavesOut = (text: string): boolean => text.search(LEFT_OUT) >= 0

const LEFT_OUT =
  /\b(?:without|minus|excluding|except(?: for)?|apart from|not counting|leav(?:e|ing) (?:out|off)|but not)\b[^.!?;]*/giu
const REFERS = /\b(?:it|that|this|those|them)\b/iu

/** Each order and thing that is named, in the order in which they are. */
function partsNamed(text: string, orders: readonly OwnOrder[]): readonly PartMeant[] {
  const pieces = text.split(/[,.;?!&+]\s*|\s(?:and|plus|or|but)\s/iu)
  const found = pieces.flatMap((piece) => partsInPiece(piece, orders))
  return orders.flatMap((order) => {
    const own = found.filter((part) => part.order === order)
    if (own.length === 0) return []
    const isWhole = own.some((part) => part.isWhole)
    const items = order.items.filter((item) => own.some((part) => part.items.includes(item)))
    return [{ order, items: isWhole ? order.items : items, isWhole }]
  })
}

function partsInPiece(piece: string, orders: readonly OwnOrder[]): readonly PartMeant[] {
  const ids = orders.filter(({ id }) => piece.includes(id))
  if (ids.length > 0) return ids.map((order) => ({ order, items: order.items, isWhole: true }))
  const words = plainWords(piece)
  const matches = orders.flatMap((order) =>
    order.items.map((item) => ({ order, item, ...nameMatch(words, item) })),
  )
  const best = Math.max(0, ...matches.map(({ score }) => score))
  if (best === 0) return []
  // "The desk lamp" names no standing desk.
  const used = matches.filter(({ score }) => score === best).flatMap((one) => one.used)
  const meant = matches.filter(
    ({ score, used: own }) => score === best || own.some((word) => !used.includes(word)),
  )
  const isWhole = OF_ORDER.test(piece)
  return orders.flatMap((order) => {
    const items = meant.flatMap((one) => (one.order === order && one.score > 0 ? [one.item] : []))
    return items.length === 0 ? [] : [{ order, items: isWhole ? order.items : items, isWhole }]
  })
}

const OF_ORDER = /\b(?:orders?|purchases?|parcels?|packages?|one)\b/iu

/** Whether each word of a text is one of a thing that was ordered, or stands around such words. */
export function isOnlyNames(text: string, orders: readonly OwnOrder[]): boolean {
  const items = orders.flatMap((order) => order.items)
  const own = new Set(items.flatMap((item) => [...plainWords(item.name), ...headsOf(item)]))
  const said = orders.reduce((rest, { id }) => rest.replaceAll(id, ' '), text)
  return plainWords(said).every((word) => own.has(word) || AROUND.has(word))
}

const AROUND: ReadonlySet<string> = new Set(
  `and or the a an my of for in to with plus also too as well them these those it that this all both each either any
  every everything order one ones two three four five parcel package purchase open pending still coming way on what
  about how no i mean meant said ask asked yes ok okay so just only please pls thank thanks then together total sum
  altogether without minus except hi hey well not rest other others same again`.split(/\s+/u),
)

function withinSpan(text: string, orders: readonly OwnOrder[], now: number): readonly OwnOrder[] {
  const span = spanIn(text, now)
  if (span === null) return orders
  const within = orders.filter(({ orderedAt }) => isWithin(orderedAt, span))
  return within.length > 0 ? within : orders
}

/** "All three", "the two of them". */
function numberIn(text: string): number | null {
  const [, said = ''] = NUMBER.exec(text) ?? []
  const at = NUMBERS.indexOf(said.toLowerCase())
  return /\bboth\b/iu.test(text) ? 2 : at < 0 ? null : (at % 4) + 2
}

const NUMBERS = ['two', 'three', 'four', 'five', '2', '3', '4', '5']
const NUMBER =
  /\b(?:all|the|those|these|my|so|it's|of)(?: of)?(?: the| them| my)? (two|three|four|five|[2-5])\b(?= (?:open |of |orders?|parcels?|packages?|deliver|ones?|together|please|pls|added|in total)|\W*$)|\b(?:two|2)\b(?= (?:parcels|packages|orders|deliveries|shipments))/iu

const OPEN =
  /\b(?:open|pending|outstanding|undelivered|current) (?:ones?|orders?|parcels?|packages?|purchases?)\b|\b(?:on (?:the|its|their) way|still (?:to come|coming|open|out|expect\p{L}*|wait\p{L}*)|(?:has|have|is|are|did|was|were)(?:n['’]?t| not) (?:yet )?(?:arrived?|come|here|been delivered|delivered)|not (?:yet )?(?:arrived?|come|here|been delivered|delivered|arrive yet)|yet to (?:come|arrive)|waiting for)\b/iu

const OF_ALL =
  /\b(?:all (?:of )?(?:(?:my|the|these|those) )?(?:orders|purchases|invoices|receipts|bills|packages|parcels)|all (?:that )?i(?:'ve| have)? (?:ever )?(?:ordered|bought|purchased)|everything|every (?:single )?(?:order|purchase)|each (?:order|purchase|of my orders)|all my (?:stuff|things|shopping)|with you|at your (?:shop|store)|in your (?:shop|store))\b/iu

/** "Everything in the delayed order" is one order. */
const ALL_IN_ONE =
  /\b(?:everything|all(?: of it| (?:the |of the )?(?:things|items|stuff))?) (?:that(?:'s| is) |i (?:bought|ordered) )?(?:in|from|of|inside|on|with) (?:the|my|that|this)\b/iu

const OF_TOLD = /\b(?:them|these|those|they|either|neither|the (?:orders|parcels|packages))\b/iu
const OF_WHOLE = /\b(?:both|all of (?:them|these|those)|each of (?:them|these|those)|the lot)\b/iu
