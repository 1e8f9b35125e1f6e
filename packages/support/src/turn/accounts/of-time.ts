import { dayInWords } from '../../customer/calendar.ts'
import { DAY, isWithin, type Span, spanIn } from '../../customer/order-dates.ts'
import { orderOfPlace } from '../../customer/order-filters.ts'
import { namesOfItems, type OwnOrder, ownOrdersIn } from '../../customer/own-order.ts'
import type { Reading } from '../../understand/command.ts'
import { asksAnywhere } from '../../understand/read-questions.ts'
import * as sentences from '../../wording/sentences.ts'
import { listingIn } from '../reading/parcels/listing.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'

/**
 * "Which orders did I make this month?": those of that time alone, each with its day. `null` for a message that asks
 * for no list, or names no time.
 */
export function orderedIn(
  settings: SupportSettings,
  { text, orders, at }: SupportState,
  { commands }: Reading,
): string | null {
  if (text.length > MOST_CHARACTERS || OF_ELSE.test(text)) return null
  const list = listingIn(settings)
  const [command, ...more] = commands
  const isOfAll = list !== null && more.length === 0 && command?.type === 'start-task'
  const one = isOfAll && command.intentId === list ? oneOfPlace(text, orders, at) : null
  if (one !== null) return sentences.orderOfPlace(listed([one]))
  const isList =
    list !== null &&
    more.length === 0 &&
    command?.type === 'start-task' &&
    (command.intentId === list || (LISTS.test(text) && !OF_ONE.test(text) && asksAnywhere(text)))
  const said = text.split(/[.;,:!?]+\s+/u).filter((part) => OF_ORDERS.test(part))
  const span = isList ? spanOf(said.join(', '), at) : null
  if (span === null) return null
  const within = ownOrdersIn(orders).filter(
    ({ orderedAt, items }) => items.length > 0 && isWithin(orderedAt, span),
  )
  return sentences.orderedWithin(inWords(span), within.length === 0 ? null : listed(within))
}

/** "What was my latest order?", which names no time. */
const oneOfPlace = (text: string, orders: SupportState['orders'], now: number): OwnOrder | null =>
  spanIn(text, now) === null ? orderOfPlace(text, ownOrdersIn(orders)) : null

const MOST_CHARACTERS = 140

/** Since a time is up to now. */
function spanOf(text: string, now: number): Span | null {
  const span = spanIn(text, now)
  const end = Math.floor(now / DAY) * DAY + DAY
  if (span === null) return null
  return { from: span.from, to: SINCE.test(text) ? end : Math.min(span.to, end) }
}

const SINCE = /\b(?:since|after)\b/iu
const LISTS =
  /\b(?:which|what|any|list|show|all|how many)\b[^.!?]*\b(?:orders?|ordered|bought|buy|purchase[ds]?|anything)\b|\b(?:did|have) i (?:order|buy|bought|purchase)/iu

/** "Doing my budget tonight; what did I buy?" names no time of orders. */
const OF_ORDERS = /\b(?:order\p{L}*|bought|buy|buying|purchase\p{L}*|anything|things)\b/iu
const OF_ONE = /\b(?:(?:that|this|the|my) (?:one|order|purchase|parcel|package)|it)\b/iu

/** What is asked of the orders of a time besides which they are. */
const OF_ELSE =
  /\b(?:cancel\p{L}*|refund\p{L}*|return\p{L}*|back|deliver\p{L}*|arriv\p{L}*|com(?:e|es|ing)|came|here|late|where|when|why|still|status|spen[dt]|costs?|paid|pay|much|money|before|until|invoices?|receipts?|shipp?\p{L}*|sent|track\p{L}*)\b/iu

const inWords = ({ from, to }: Span): string => {
  const last = to - DAY
  return last <= from ? dayInWords(from) : `${dayInWords(from)} to ${dayInWords(last)}`
}

const listed = (orders: readonly OwnOrder[]): string =>
  orders
    .map(({ id, items, status, orderedAt }) => {
      const day = orderedAt === null ? '' : `, ordered on ${dayInWords(orderedAt)}`
      return `${id} (${namesOfItems(items)}, ${status.replaceAll('_', ' ')}${day})`
    })
    .join('; ')
