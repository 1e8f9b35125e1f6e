import { headsOf, isPlural, nameMatch, nameScore, plainWords } from './item-words.ts'
import { requestSentences } from '../understand/clauses.ts'
import { dayOfComing, type Span, spanIn } from './order-dates.ts'
import { statesIn } from './order-states.ts'
import { cents, isToCome, type OwnItem, type OwnOrder } from './own-order.ts'

/** What a text says about which of the customer's orders it means. */
export interface OrderMention {
  /** The orders that fit; several if it is not clear. Empty if it names none. */
  readonly orders: readonly OwnOrder[]
  /** Whether it names all of them: "all my orders", "both". */
  readonly isAll: boolean
  /** The items that it names within the one order, if that has others too. */
  readonly items: readonly OwnItem[]
  /** The price of these. */
  readonly price: number | null
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

/** Narrows the orders by time, state, amount and carrier; `null` if the text says none of these. */
function narrow(
  text: string,
  orders: readonly OwnOrder[],
  now: number,
): readonly OwnOrder[] | null {
  const filters = [
    bySpan(text, now),
    byDay(text, now),
    byState(text),
    byAmount(text),
    byCarrier(text, orders),
  ].flatMap((filter) => filter ?? [])
  const narrowed = filters.reduce<readonly OwnOrder[]>((left, filter) => {
    const rest = left.filter(filter)
    // What fits nothing describes the trouble rather than the order: "it was delivered broken".
    return rest.length === 0 ? left : rest
  }, orders)
  const isNarrowed = narrowed.length < orders.length || (filters.length > 0 && orders.length === 1)
  const recent = byRecency(text, narrowed)
  if (recent !== null) return recent
  return isNarrowed ? narrowed : null
}

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

type Filter = (order: OwnOrder) => boolean

function bySpan(text: string, now: number): Filter | null {
  // "It should be here since yesterday" says nothing about when it was ordered.
  if (!OF_PURCHASE.test(text) && !CAME.test(text)) return null
  const span = spanIn(text, now)
  if (span !== null && CAME.test(text)) return cameWithin(span)
  return span === null
    ? null
    : ({ orderedAt }) => orderedAt !== null && orderedAt >= span.from && orderedAt < span.to
}

const OF_PURCHASE = /\b(?:order(?:ed|s)?|bought|purchase[ds]?|placed|got|one|from)\b/iu

/** What has come, told by when it did: "the parcel I got last week". */
const CAME =
  /\b(?:parcel|package|box|delivery|shipment|order|one|thing|stuff|what) (?:that |which )?(?:(?:i|we)(?:'ve| have)? (?:just )?(?:got|received|picked up|unpacked)|(?:came|arrived|was delivered|got (?:here|delivered)))\b/iu

const cameWithin =
  ({ from, to }: Span): Filter =>
  ({ record: { delivered_at: at } }) => {
    const came = typeof at === 'string' ? Date.parse(at) : NaN
    return came >= from && came < to
  }

/** "The parcel that comes on Monday." */
function byDay(text: string, now: number): Filter | null {
  const day = dayOfComing(text, now)
  return day === null ? null : (order) => isToCome(order) && order.record['eta'] === day
}

function byState(text: string): Filter | null {
  const states = statesIn(text)
  return states === null ? null : ({ status }) => states.includes(status)
}

/** "The $97 order", "the order for 29.99". */
function byAmount(text: string): Filter | null {
  const [, before, after] =
    /\$\s?(\d{1,5}(?:\.\d{2})?)(?: dollars?)? (?:one|order|purchase)\b|\b(?:order|one|purchase) (?:for|of|over|that cost(?: me)?) (?:about |around )?\$?(\d{1,5}(?:\.\d{2})?)\b/iu.exec(
      text,
    ) ?? []
  const said = Number(before ?? after)
  if (!Number.isFinite(said)) return null
  return ({ amount }) => amount !== null && (amount === said || Math.floor(amount) === said)
}

function byCarrier(text: string, orders: readonly OwnOrder[]): Filter | null {
  const carriers = orders.flatMap(({ record }) => {
    const carrier = record['carrier']
    return typeof carrier === 'string' ? [carrier] : []
  })
  const named = carriers.find((carrier) =>
    new RegExp(`\\b${carrier.replaceAll(/[^\p{L}\p{N} ]/gu, '.')}\\b`, 'iu').test(text),
  )
  return named === undefined ? null : ({ record }) => record['carrier'] === named
}

const LATEST =
  /\bthe newest\b|\b(?:latest|newest|most recent|last|current|recent) (?:\p{L}+ )?(?:order|purchase|one|thing|package|parcel|shipment|delivery)\b|\b(?:order|one|thing|stuff) (?:that )?i (?:just|last) (?:placed|made|ordered|bought)\b|\bi just (?:ordered|bought|placed)\b|\bmy last order\b/iu
const OLDEST = /\b(?:oldest|first|earliest) (?:order|purchase|one)\b/iu
const BEFORE =
  /\b(?:previous|order before|one before|second (?:to )?last|second latest)\b(?: order| one)?/iu

/** The one order that a text tells by when it was placed: "my latest order", "what did I order last"; `null` for none. */
export function orderOfPlace(text: string, orders: readonly OwnOrder[]): OwnOrder | null {
  const placed = orders.filter(({ items }) => items.length > 0)
  return byRecency(text, placed)?.[0] ?? (ORDERED_LAST.test(text) ? (placed[0] ?? null) : null)
}

const ORDERED_LAST =
  /\bwhat (?:did|have) i (?:just |last |most recently )(?:order|buy|bought|purchase)(?:ed|d)?\b|\bwhat (?:did|have) i (?:order|buy|bought|purchase)(?:ed|d)? (?:last|most recently)\W*$/iu

function byRecency(text: string, orders: readonly OwnOrder[]): readonly OwnOrder[] | null {
  const pick = (order: OwnOrder | undefined): readonly OwnOrder[] | null =>
    order === undefined ? null : [order]
  if (BEFORE.test(text)) return pick(orders[1])
  if (LATEST.test(text)) return pick(orders[0])
  return OLDEST.test(text) ? pick(orders.at(-1)) : null
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

/**
 * The items that a text names of an order with several: what a refund of them would be. In a story, those that the
 * request itself names.
 */
export function itemsNamed(text: string, order: OwnOrder): Pick<OrderMention, 'items' | 'price'> {
  const asking = requestSentences(text)
  const asked = asking === text ? null : itemsIn(asking, order)
  return asked !== null && asked.items.length > 0 ? asked : itemsIn(text, order)
}

function itemsIn(text: string, { items, id }: OwnOrder): Pick<OrderMention, 'items' | 'price'> {
  const none = { items: [], price: null }
  if (items.length < 2) return none
  const meant = withoutSpared(text)
  const words = plainWords(meant)
  const matches = items.map((item) => nameMatch(words, item))
  const isOnly = /\b(?:only|just)\b/iu.test(meant)
  const scores = items.map((item, at) => {
    const isMeant = isOnly || !isPlural(meant, item)
    return isNamedLess(matches, items, at) && isMeant ? 0 : (matches[at]?.score ?? 0)
  })
  const best = Math.max(0, ...scores)
  const byWord = best === 0 ? byOwnWord(meant, items) : []
  if (byWord.length > 0) return { items: byWord, price: priceOf(byWord) }
  if (best === 0) return meant === text ? none : othersThan(sparedOf(text), items)
  const named = items.filter((_, at) => scores[at] === best || (scores[at] ?? 0) >= 2)
  if (WHOLE.test(text) || text.includes(`whole ${id}`)) return none
  // "The lamp order" is the order, not its lamp; "the bulbs of the lamp order" are the bulbs.
  const tells = [...text.matchAll(ORDER_OF)].map(([, word = '']) => plainWords(word))
  const own = named.filter((item) => !tells.some((word) => nameScore(word, item) > 0))
  const kept = own.filter((item, at) => {
    const isFirst = own.findIndex(({ name }) => name === item.name) === at
    return isFirst || isPlural(text, item)
  })
  if (kept.length === items.length || kept.length === 0) return none
  return { items: kept, price: priceOf(kept) }
}

/** "The blue shirt" is not the black one, which it names with a word less. */
function isNamedLess(
  matches: readonly { readonly used: readonly string[] }[],
  items: OwnOrder['items'],
  at: number,
): boolean {
  const own = matches[at]?.used ?? []
  return items.some((item, other) => {
    const used = matches[other]?.used ?? []
    const isSameKind = own.some((word) => headsOf(item).includes(word))
    return isSameKind && used.length > own.length && own.every((word) => used.includes(word))
  })
}

/** "The black one", "keep the blue": a word in the name of one thing of the order alone. */
function byOwnWord(text: string, items: OwnOrder['items']): OwnOrder['items'] {
  const said = [...text.matchAll(OWN_WORD)].map(([, word = '']) => word.toLowerCase())
  const named = said.flatMap((word) => {
    const [item, ...others] = items.filter(({ name }) => plainWords(name).includes(word))
    return item === undefined || others.length > 0 ? [] : [item]
  })
  return items.filter((item) => named.includes(item))
}

const OWN_WORD =
  /\b(?:the|my|only|just) (\p{L}{3,})(?: ones?)?(?=\W*$|\s*[.,;!?]| (?:and|but|please|pls|then|now|back|not)\b)/giu

/** "I want to keep the chair": what is not spared is meant. */
function othersThan(
  spared: string,
  items: OwnOrder['items'],
): Pick<OrderMention, 'items' | 'price'> {
  const words = plainWords(spared)
  if (words.length === 0) return { items: [], price: null }
  const kept = byOwnWord(spared, items)
  const others = items.filter((item) => nameScore(words, item) === 0 && !kept.includes(item))
  const pieces = furtherPieces(spared, items)
  if (pieces.length > 0) return { items: pieces, price: priceOf(pieces) }
  return others.length === 0 || others.length === items.length
    ? { items: [], price: null }
    : { items: others, price: priceOf(others) }
}

/** "The other mug is fine", of several equal things: the rest of them is meant, and no other thing. */
function furtherPieces(spared: string, items: OwnOrder['items']): OwnOrder['items'] {
  const words = plainWords(spared)
  const named = items.filter((item) => nameScore(words, item) > 0)
  const [first] = named
  if (first === undefined || named.length < 2) return []
  if (named.some(({ name }) => name !== first.name)) return []
  const isSeveral = isPlural(spared, first)
  if (isSeveral && !OTHERS.test(spared)) return []
  return isSeveral ? named.slice(0, 1) : named.slice(1)
}

const OTHERS = /\b(?:others?|rest|remaining)\b/iu

const priceOf = (items: OwnOrder['items']): number | null =>
  items.every(({ price }) => price !== null)
    ? cents(items.reduce((sum, { price }) => sum + (price ?? 0), 0))
    : null

/** The parts of a text about things that stay; "the other mug" is one piece of what is meant. */
const sparedOf = (text: string): string =>
  partsOf(text)
    .filter((part) => SPARES.test(part) && !/\b(?:the|my) (?:other|second|rest)\b/iu.test(part))
    .join(', ')

/** A text without what it says of things that stay: "and keep the lamp", "the kettle is fine". */
const withoutSpared = (text: string): string =>
  partsOf(text)
    .filter((part) => !SPARES.test(part))
    .join(', ')

/** A sentence about what stays is one part: "the lamp is a darling and stays". */
const partsOf = (text: string): readonly string[] =>
  text
    .replaceAll(WITH_OTHERS, ' ')
    .split(/(?<=[.;!?])\s+/u)
    .flatMap((sentence) =>
      /\bstays?\b/iu.test(sentence) &&
      !/\b(?:return|refund|send|cancel|money|back|but)\b/iu.test(sentence)
        ? [sentence]
        : sentence.split(/(?<![.,;!?])[.,;!?]+\s|\s(?:and|but|while|whereas)\s/iu),
    )

/** "The lamp that came with my chair" is the lamp. */
const WITH_OTHERS =
  /\b(?:(?:that|which|i) )*(?:came|comes|come|got|bought|ordered|delivered|sent|arrived) (?:together |along )?with\b[^.,;!?]*/giu

const SPARES =
  /\b(?:keep(?:ing)?|kept|stays?|leave)\b|\bwait(?:ing)? for\b|\b(?:is|are|was|were|works?) (?!there (?:still|any|some|enough|no|an?|time)\b)(?:\p{L}+ )?(?:there|here|in (?:it|the box|there)|included|fine|ok|okay|good|great|perfect|alright|all right|nice|lovely)\b|\b\p{L}+ (?:ok|okay|fine|all right)\s*[.!]?$|^\s*(?:not|(?:forget|skip|ignore|drop|never ?mind)(?: about)?) (?:the|my)\b|\bonly (?:the|one|my) (?:\p{L}+ )?\p{L}+ (?:was in (?:it|there|the \p{L}+)|came|arrived|was there|showed up)\s*$/iu

const WHOLE =
  /\b(?:whole|entire|full|complete) (?:order|thing|amount|refund)\b|\bthe (?!other|first|second|third|last|only|same|right|wrong|left|new|old|broken|red|green|blue|black|white)\p{L}+ one\b/iu

/** "The lamp order": the word before it tells which. */
const ORDER_OF = /\b(\p{L}+) (?:order|purchase)\b/giu
