import {
  isOnlyNames,
  leavesOut,
  type OrdersAround,
  ordersMeantBy,
  type OrdersMeant,
  type PartMeant,
  partsLeftOut,
} from '../../customer/orders-meant.ts'
import { lastAnswer, onlyOrderIn, severalTold } from '../../customer/orders-told.ts'
import { namesOfItems, type OwnOrder, ownOrdersIn } from '../../customer/own-order.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import { BY_RULE, type StartTask } from '../../understand/command.ts'
import { addsAsks, type SumAsk, sumAsksIn } from '../../understand/questions/sums-asked.ts'
import { asksAnywhere } from '../../understand/read-questions.ts'
import { intentsOf } from '../reading/offered.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { accountInWords } from './in-words.ts'
import { INVOICE, ORDER_PAYMENT } from '../../dialogue/known-intents.ts'

/** What a message asks of the sums of several orders or things, and the rest of it. */
export interface Accounted {
  /** What the customer's own orders say to it. */
  readonly told: string | null
  /** The invoices that it asks for. */
  readonly invoices: readonly StartTask[]
  /** What it was about, to which "and the book?" refers. */
  readonly last: StartTask | null
  readonly rest: string
}

/** More orders at once are a list. */
const MOST = 6

/**
 * "What do my open orders come to?", "the mugs, each, and the book?", "the invoices of all three": which orders and
 * things are meant, and what is asked of them, are read apart, so that each goes with each. `null` where no more than
 * one order or thing is asked about, which other answers tell.
 */
export function accounted(settings: SupportSettings, state: SupportState): Accounted | null {
  const asked = askedIn(state)
  if (asked === null) return null
  const orders = ownOrdersIn(state.orders)
  const { asks, rest } = asked
  const said = { orders, told: severalTold(state.history, orders, MOST_BEFORE), now: state.at }
  const out = partsLeftOut(asked.around, orders)
  const only = onlyOrderIn(lastAnswer(state.history), orders)
  const around = { ...said, last: severalTold(state.history, orders, 1), only }
  const found = meantIn(asked, around, out)
  if (found === null || found.parts.length > MOST) return null
  // Of an order of several equal pieces, the price of one is asked for.
  const isEach = asks.includes('each')
  const parts = found.parts.map((part) => (isEach && isOfEqual(part) ? piecesOf(part) : part))
  const meant = { ...found, parts }
  if (asks.includes(INVOICE)) {
    const ids = meant.parts.map(({ order }) => order.id)
    const isOffered = intentsOf(settings, state).some(({ id }) => id === INVOICE)
    const invoices = ids.map((id) => task(INVOICE, id))
    return ids.length < 2 || !isOffered ? null : { told: null, invoices, last: null, rest }
  }
  if (!isForAccount(meant, asks, out)) return null
  const told = accountInWords(meant.parts, asks, out)
  return told === null ? null : { told, invoices: [], last: lastOf(meant.parts), rest }
}

interface Said extends OrdersAround {
  /** The orders that the last answer told of. */
  readonly last: readonly string[]
  /** The one order that it told of, if it was one. */
  readonly only: OwnOrder | null
}

/** What the message names; or else what was asked about before, one by one, or told in the last answers. */
function meantIn(
  { asks, text, before, isContinued }: Asked,
  said: Said,
  out: readonly PartMeant[],
): OrdersMeant | null {
  const one = asks.includes('each') ? thingsOfLast(text, said) : null
  if (one !== null) return one
  const own = ordersMeantBy(text, said)
  const isOut = own?.parts.every(({ order }) => out.some((one) => one.order === order)) === true
  if (own !== null && own.how !== 'told' && !isOut) return own
  const isSum = own === null && before !== '' && asks.includes('total')
  const refers = own?.how === 'told' || out.length > 0 || isContinued || isSum
  if (!refers) return null
  const earlier = before === '' ? null : ordersMeantBy(before, said)
  const isNamed = earlier?.how === 'named' && (earlier.parts.length > 1 || asks.includes('total'))
  if (isNamed) return earlier
  return (
    own ?? (said.last.length === 0 ? null : ordersMeantBy('those', { ...said, told: said.last }))
  )
}

const isOfEqual = ({ items }: PartMeant): boolean =>
  items.length > 1 && items.every(({ name }) => name === items[0]?.name)

const piecesOf = (part: PartMeant): PartMeant => ({ ...part, isWhole: false })

/** "And what was paid for each?", after an answer about one order: each of its things is meant. */
function thingsOfLast(text: string, { orders, only: order, now }: Said): OrdersMeant | null {
  if (order === null || OF_ORDERS.test(text)) return null
  const isOther = ordersMeantBy(text, { orders, told: [], now })?.how === 'named'
  const isOfOne = new Set(order.items.map(({ name }) => name)).size < 2
  return isOther || isOfOne
    ? null
    : { how: 'named', parts: [{ order, items: order.items, isWhole: false }] }
}

const OF_ORDERS = /\b(?:orders?|parcels?|packages?|purchases?|deliver(?:y|ies))\b/iu

const task = (intentId: string, id: string, item?: string): StartTask => ({
  type: 'start-task',
  intentId,
  params: { [ORDER]: id, ...(item !== undefined && { [ITEM]: item }) },
  confidence: BY_RULE,
})

/** The question that the next message continues: what was paid for the last that was told. */
function lastOf(parts: readonly PartMeant[]): StartTask | null {
  const last = parts.at(-1)
  if (last === undefined) return null
  return task(ORDER_PAYMENT, last.order.id, last.isWhole ? undefined : namesOfItems(last.items))
}

/** Whether it is more than the price of one thing or order, or the fee of one. */
function isForAccount(
  { parts }: OrdersMeant,
  asks: readonly SumAsk[],
  out: readonly PartMeant[],
): boolean {
  const [part, ...others] = parts
  if (part === undefined || (out.length > 0 && others.length === 0)) return false
  if (others.length > 0) return true
  if (part.isWhole) return false
  const names = new Set(part.items.map(({ name }) => name))
  const isSum = asks.includes('each') || asks.includes('total')
  return asks.includes('price') && (names.size > 1 || isSum || asks.includes('fee'))
}

interface Asked {
  readonly asks: readonly SumAsk[]
  /** The parts that ask for it, and those that only name something. */
  readonly text: string
  /** The same with the statements before it, to which "without that" refers. */
  readonly around: string
  readonly rest: string
  /** The questions before it, which it continues. */
  readonly before: string
  /** Whether it says once more what was asked before, or continues it. */
  readonly isContinued: boolean
}

/** What the parts of a message ask of sums; `null` for none. What only names things continues the question before. */
function askedIn({ text, orders: record, history }: SupportState): Asked | null {
  if (text.length > MOST_CHARACTERS) return null
  const orders = ownOrdersIn(record)
  const parts = partsIn(text)
  const read = parts.map((part) => ({
    part,
    asks: sumAsksIn(part),
    isNames: isOnlyNames(part, orders),
  }))
  const own = [...new Set(read.flatMap(({ asks }) => asks))]
  const isContinued = CONTINUES.test(text)
  const isOnlyNamed = read.every(({ isNames }) => isNames)
  const questions = questionsBefore(history, orders)
  const earlier = own.length === 0 && isOnlyNamed ? asksBefore(questions) : []
  if (own.length === 0 && earlier.length === 0) return null
  const first = read.findIndex(({ asks }) => asks.length > 0)
  const kept = read.filter(
    ({ asks, isNames }, at) =>
      asks.length > 0 || (isNames && (at > first || read.slice(0, at).every((one) => one.isNames))),
  )
  const said = kept.map(({ part }) => part).join(', ')
  const before = read.slice(0, Math.max(0, first)).map(({ part }) => part)
  // "The desk is here since last week. What is it without that?"
  const told = leavesOut(said) ? before : []
  const rest = read
    .filter((one) => !kept.includes(one) && !(told.includes(one.part) && IS_HERE.test(one.part)))
    .map(({ part }) => part)
  const added = kept.flatMap(({ part, isNames }) => (isNames ? addsAsks(part) : []))
  return {
    asks: [...new Set([...own, ...earlier, ...added])],
    text: said,
    around: [...told, said].join(', '),
    rest: rest.every(isTold) ? '' : rest.join(' '),
    before: questions.join(', '),
    isContinued: isContinued || earlier.length > 0,
  }
}

const MOST_CHARACTERS = 240

/** The questions of sums just before, up to the last one in so many words: the others only name something. */
function questionsBefore(
  history: SupportState['history'],
  orders: readonly OwnOrder[],
): readonly string[] {
  const said = history.filter(({ role }) => role === 'user').map(({ text }) => text)
  const before: string[] = []
  for (const text of said.toReversed().slice(0, MOST_BEFORE)) {
    const isAsked = partsIn(text).some((part) => sumAsksIn(part).length > 0)
    if (!isAsked && !isOnlyNames(text, orders)) return before
    before.unshift(text)
    if (isAsked) return before
  }
  return []
}

/** What the questions before asked: behind a price and a fee, other things are asked about for their price. */
function asksBefore(before: readonly string[]): readonly SumAsk[] {
  const asks = before.flatMap(partsIn).flatMap(sumAsksIn)
  return asks.includes('price') ? asks.filter((ask) => ask !== 'fee') : asks
}

/** A statement before the question, which wishes for nothing: "the desk is here since last week". */
const isTold = (part: string): boolean =>
  SMALL.test(part) || (!asksAnywhere(part) && !WISHES.test(part))
/** Words around a question that say nothing. */
const SMALL =
  /^\W*(?:(?:thanks?|thank you|thx|hi|hello|hey|ok(?:ay)?|great|good|perfect|fine|cool|nice|so|and|morning|evening|please|sorry|tax(?:es)? stuff)[\s,.!]*)+$/iu
const IS_HERE =
  /\b(?:i (?:have|got|had)|is here|came|arrived|(?:isn['’]?t|is not) open|delivered)\b(?![^]*\b(?:want|need|please|broken|damaged)\b)/iu
const WISHES =
  /\b(?:want|need|please|pls|cancel\p{L}*|refund\p{L}*|return\p{L}*|send|sent|change|broken|damaged|missing|wrong|late|(?:have|has|had|did|do|does|is|are|was|were)(?:n['’]?t| not)|colleague|person|human|address|never|nothing|not (?:arrived|come|here|working)|i'?d like)\b/iu
const CONTINUES =
  /^\W*(?:(?:no|nope|sorry|ok|okay|well)[\s,.!]+)*(?:i (?:mean|meant|said|asked|want(?:ed)?)|not that|the (?:total|sum))\b|\b(?:like|as) i said\b/iu

/** The sentences of a text, and the questions that are joined to one. */
const partsIn = (text: string): readonly string[] =>
  text
    .split(
      /(?<=[.!?;])\s+|,\s+(?=(?:tax|thanks?|thx|please)\b)|,?\s+(?:and|also|but|plus)(?: also)?:?\s+(?=(?:when|where|why|what(?! about)|which|who|how|was|were|is|are|did|do|does|has|have|can|could|will|would|please|cancel|refund|return|send|i|it|tell|give|show)\b)/iu,
    )
    .filter((one) => /[\p{L}\p{N}]/u.test(one))

const MOST_BEFORE = 3
