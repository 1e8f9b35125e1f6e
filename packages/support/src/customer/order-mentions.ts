import { nameMatch, plainWords } from './item-words.ts'
import { type ItemsNamed, itemsNamed } from './items-named.ts'
import { byCarrier, LATEST, narrow } from './order-filters.ts'
import { isToCome, type OwnOrder } from './own-order.ts'

/** What a text says about which of the customer's orders it means. */
export interface OrderMention extends ItemsNamed {
  /** The orders that fit; several if it is not clear. Empty if it names none. */
  readonly orders: readonly OwnOrder[]
  /** Whether it names all of them: "all my orders", "both". */
  readonly isAll: boolean
  /** Whether each of several orders is named by a thing of its own: "the shoes and the backpack". */
  readonly isEach: boolean
}

const NOTHING: OrderMention = { orders: [], isAll: false, items: [], price: null, isEach: false }

interface Around {
  readonly now: number
  /** The orders offered as a choice, to which "the second" refers; empty if none were. */
  readonly candidates?: readonly string[]
  /** Orders that the last answer listed, to which it may refer as well. */
  readonly listed?: readonly string[]
  /** The order that was spoken of last. */
  readonly focus?: string | null
}

/**
 * Finds the orders that a text speaks of without their identifiers: "the lamp one", "my latest order", "the order
 * from last week", "the one that is delayed".
 */
export function orderMention(
  text: string,
  orders: readonly OwnOrder[],
  { now, candidates = [], listed = [], focus = null }: Around,
): OrderMention {
  const said = text.slice(0, 2_000)
  const isAll = ALL.test(said)
  const ofIds = (ids: readonly string[]): readonly OwnOrder[] =>
    ids.flatMap((id) => orders.find((order) => order.id === id) ?? [])
  const offered = ofIds(candidates)
  const arriving = byArrival(said, listed.length > 1 ? ofIds(listed) : orders)
  if (arriving !== null) return { ...NOTHING, orders: [arriving] }
  const words = plainWords(said)
  // What none of the offered orders holds is looked for in all.
  const named = (offered.length > 0 ? byItem(words, offered) : null) ?? byItem(words, orders)
  const choice = offered.length > 0 || named !== null ? offered : ofIds(listed)
  const picked = choice.length > 0 ? byOrdinal(said, choice) : []
  if (picked.length > 0) return { ...NOTHING, orders: picked }
  const spoken = named === null ? (ofIds(focus === null ? [] : [focus])[0] ?? null) : null
  const narrowed = narrow(withoutOwnMoney(said, spoken), named ?? orders, now)
  // "What's the FedEx number?" means the order spoken of, if FedEx has it.
  const isOfSpoken = spoken !== null && byCarrier(said, [spoken]) !== null
  const found = isOfSpoken && narrowed?.includes(spoken) === true ? [spoken] : (narrowed ?? named)
  if (found === null) return { ...NOTHING, isAll }
  const [only] = found
  if (only === undefined || found.length > 1) {
    return {
      ...NOTHING,
      orders: found,
      isAll,
      isEach: sentencesOf(said).some((one) => isEachNamed(plainWords(one), found)),
    }
  }
  return { ...NOTHING, orders: found, ...itemsNamed(said, only) }
}

const ALL =
  /\b(?:all (?:of )?(?:my|the|these|those) (?:orders|purchases|packages|parcels)|all of them|both of them|everything i (?:ordered|bought)|every order|both orders|both)\b/iu

/** The orders with the items that the text names; `null` if it names none. */
function byItem(words: readonly string[], orders: readonly OwnOrder[]): readonly OwnOrder[] | null {
  const matched = orders.map((order) => ({ order, match: bestMatch(words, order) }))
  const best = Math.max(0, ...matched.map(({ match }) => match.score))
  if (best === 0) return null
  const top = matched.filter(({ match }) => match.score === best)
  // "The desk lamp" names no standing desk; "the lamp and the desk" does.
  const used = new Set(top.flatMap(({ match }) => match.used))
  const left = words.filter((word) => !used.has(word))
  const more = matched.filter(
    ({ order, match }) => match.score < best && bestMatch(left, order).score >= 2,
  )
  return [...top, ...more].map(({ order }) => order)
}

/** Whether each word of the text stands for things in one order only. */
function isEachNamed(words: readonly string[], orders: readonly OwnOrder[]): boolean {
  const used = orders.map((order) => [...new Set(bestMatch(words, order).used)])
  const all = used.flat()
  const isEvery = used.every((own) => own.length > 0)
  return orders.length <= MOST_AT_ONCE && isEvery && new Set(all).size === all.length
}

/** "Where is the book? And my lamp?" is one question. */
const sentencesOf = (text: string): readonly string[] =>
  text.replaceAll(ONE_MORE, ', ').split(/[.!?\n]+\s/u)

const ONE_MORE =
  /[.!?]+\s+(?=(?:and |what about |how about )*(?:my|the) (?:\p{L}+ ){0,2}\p{L}+(?: too| as well)?\W*$)/giu

/** More orders at once are a choice, not a list. */
const MOST_AT_ONCE = 3

const bestMatch = (words: readonly string[], { items }: OwnOrder): ReturnType<typeof nameMatch> =>
  items
    .map((item) => nameMatch(words, item))
    .reduce((best, match) => (match.score > best.score ? match : best), { score: 0, used: [] })

const OWN_MONEY = /\bmy (?=(?:refund|money)\b)/giu

/** States in which money was given back, or soon is. */
const OF_MONEY: ReadonlySet<string> = new Set(['refunded', 'return_started', 'cancelled'])

/** Money that is still wished for, or depends on something. */
const WISHES_MONEY =
  /\b(?:can|could|may|might|would|want|need|give|demand|do|if|unless|'d)\b[^.!?]*\bmy (?:money|refund)\b/iu

/** After an order was spoken of, "my money" tells no other one, unless it asks for money that this one never gave back. */
function withoutOwnMoney(text: string, spoken: OwnOrder | null): string {
  if (spoken === null) return text
  const isOfSpoken = OF_MONEY.has(spoken.status) || WISHES_MONEY.test(text)
  return isOfSpoken ? text.replaceAll(OWN_MONEY, 'the ') : text
}

const ONE = '(?:one|order|parcel|package|delivery|shipment)'
const COMES = '(?:come|arrive|get here|is due|is expected|be here|land)s?'
const SOONER = new RegExp(
  `\\b(?:the|my) (?:earlier|sooner|soonest|next) ${ONE}\\b|\\b${ONE} (?:that|which) (?:${COMES}|gets here|will ${COMES}) (?:here )?(?:first|earlier|sooner|soonest|next)\\b`,
  'iu',
)
const LATER = new RegExp(
  `\\b(?:the|my) later ${ONE}\\b|\\b${ONE} (?:that|which) (?:${COMES}|gets here|will ${COMES}) (?:here )?(?:later|last|second|afterwards)\\b`,
  'iu',
)

/** "The one that comes later": of the orders that are still expected, by their day. */
function byArrival(text: string, orders: readonly OwnOrder[]): OwnOrder | null {
  const isSooner = SOONER.test(text)
  if (!isSooner && !LATER.test(text)) return null
  const expected = orders
    .flatMap((order) => {
      const { eta } = order.record
      return isToCome(order) && typeof eta === 'string' ? [{ order, eta }] : []
    })
    .toSorted((a, b) => a.eta.localeCompare(b.eta))
  if (expected.length < 2) return null
  return (isSooner ? expected[0] : expected.at(-1))?.order ?? null
}

const ORDINALS: readonly RegExp[] = [
  /\b(?:first|1st)\b|^\W*(?:1|one|a)\W*$/iu,
  /\b(?:second|2nd)\b|^\W*(?:2|two|b)\W*$/iu,
  /\b(?:third|3rd)\b|^\W*(?:3|three|c)\W*$/iu,
  /\b(?:fourth|4th)\b|^\W*(?:4|four)\W*$/iu,
  /\b(?:fifth|5th)\b|^\W*(?:5|five)\W*$/iu,
]

/** "The second", "2", "the last one", of what was offered. */
function byOrdinal(text: string, listed: readonly OwnOrder[]): readonly OwnOrder[] {
  if (/\b(?:the )?(?:latter|last(?: one)?)\b/iu.test(text) && !LATEST.test(text)) {
    return listed.slice(-1)
  }
  const place = ORDINALS.findIndex((ordinal) => ordinal.test(text))
  const picked = place < 0 ? undefined : listed[place]
  return picked === undefined ? [] : [picked]
}
