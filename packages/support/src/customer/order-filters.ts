import { dayOfComing, isWithin, type Span, spanIn } from './order-dates.ts'
import { statesIn } from './order-states.ts'
import { isToCome, type OwnOrder } from './own-order.ts'

/** Narrows the orders by time, state, amount and carrier; `null` if the text says none of these. */
export function narrow(
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

type Filter = (order: OwnOrder) => boolean

function bySpan(text: string, now: number): Filter | null {
  // "It should be here since yesterday" says nothing about when it was ordered.
  if (!OF_PURCHASE.test(text) && !CAME.test(text)) return null
  const span = spanIn(text, now)
  if (span !== null && CAME.test(text)) return cameWithin(span)
  return span === null ? null : ({ orderedAt }) => isWithin(orderedAt, span)
}

const OF_PURCHASE = /\b(?:order(?:ed|s)?|bought|purchase[ds]?|placed|got|one|from)\b/iu

/** What has come, told by when it did: "the parcel I got last week". */
const CAME =
  /\b(?:parcel|package|box|delivery|shipment|order|one|thing|stuff|what) (?:that |which )?(?:(?:i|we)(?:'ve| have)? (?:just )?(?:got|received|picked up|unpacked)|(?:came|arrived|was delivered|got (?:here|delivered)))\b/iu

const cameWithin =
  (span: Span): Filter =>
  ({ record: { delivered_at: at } }) =>
    isWithin(typeof at === 'string' ? Date.parse(at) : null, span)

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

export function byCarrier(text: string, orders: readonly OwnOrder[]): Filter | null {
  const carriers = orders.flatMap(({ record }) => {
    const carrier = record['carrier']
    return typeof carrier === 'string' ? [carrier] : []
  })
  const named = carriers.find((carrier) =>
    new RegExp(`\\b${carrier.replaceAll(/[^\p{L}\p{N} ]/gu, '.')}\\b`, 'iu').test(text),
  )
  return named === undefined ? null : ({ record }) => record['carrier'] === named
}

export const LATEST: RegExp =
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
