import type { Json, JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import { meansSame } from '../understand/phrases.ts'
import { itemsNamed } from './items-named.ts'
import { orderMention } from './order-mentions.ts'
import { orderOfSum } from './order-sums.ts'
import { isToCome, namesOfItems, type OwnOrder } from './own-order.ts'
import { namesThing } from './unknown-thing.ts'

/** The parameter that names an order. */
export const ORDER = 'order_id'
/** The amount of money, where an intent takes one. */
export const AMOUNT = 'amount'
/** The items that are meant, where the intent's tool takes them. */
export const ITEMS = 'items'
/** The items that are meant, in words: a slot for sentences, which no tool is given. */
export const ITEM = 'item'

/**
 * New values over known ones. The amount and the items belong to the order and to what was named of it: another
 * order, or other items, have their own.
 */
export function mergedParams(known: JsonObject, params: JsonObject): JsonObject {
  const isOther = params[ORDER] !== undefined && params[ORDER] !== known[ORDER]
  const isNamed = params[ITEM] !== undefined
  if (!isOther && !isNamed) return { ...known, ...params }
  const { [ITEM]: _, [AMOUNT]: __, [ITEMS]: ___, ...rest } = known
  return { ...rest, ...params }
}

/** What is known of an order that is still to be named. */
export type OrderHints = {
  /** The orders offered as a choice, in their order. */
  readonly candidates?: readonly string[]
  /** The order that is probably meant, to be confirmed: a digit was guessed. */
  readonly suggested?: string
  /** Whether several orders were meant at once. */
  readonly isAll?: boolean
  /** Whether each of the candidates is meant: "the shoes and the backpack". */
  readonly isEach?: boolean
  /** The street of an address whose town is still to be said. */
  readonly street?: string
}

/** A message, and whose orders it may speak of. */
export interface OrderContext {
  readonly text: string
  readonly orders: readonly OwnOrder[]
  readonly now: number
  /** The order that the conversation is about. */
  readonly focus: string | null
  /** The items of it that the conversation is about. */
  readonly item: string | null
  readonly guess: string | null
  /** The orders that the last answer listed, to which "the first one" refers. */
  readonly listed: readonly string[]
  readonly candidates: readonly string[]
  /**
   * Whether an order that the message does not name may be taken: the one spoken of, or the only one that fits. Not
   * for what is done without asking back.
   */
  readonly mayInfer: boolean
}

/** The parameters of a request, completed from the customer's own data. */
export interface Resolved {
  readonly params: JsonObject
  readonly hints: OrderHints
}

/** Finds the order that a request means, and the amount of the items that it names. */
export function resolveOrder(intent: Intent, params: JsonObject, context: OrderContext): Resolved {
  const takesOrder = [...intent.requiredParams, ...intent.optionalParams].includes(ORDER)
  if (!takesOrder || context.orders.length === 0) return { params, hints: {} }
  const { id, hints } = orderOf(params[ORDER], fittingOf(intent, params, context))
  if (id === null) return { params, hints }
  const order = context.orders.find((one) => one.id === id)
  const known = { ...params, [ORDER]: id }
  return order === undefined
    ? { params: known, hints: {} }
    : { params: { ...known, ...itemAndAmount(intent, params, order, context) }, hints: {} }
}

/** The items that the message names, or else those that the conversation is about: "return the book", "or refund it". */
function itemAndAmount(
  intent: Intent,
  params: JsonObject,
  order: OwnOrder,
  { text, item, focus }: OrderContext,
): JsonObject {
  const named = amountOf(intent, params, order, text)
  const returned = order.status === 'return_started' ? order.record['return_items'] : null
  // Of an order that is sent back in part, the money of that part is meant.
  const isReturned = typeof returned === 'string' && intent.confirm && !ALL_OF_IT.test(text)
  if (isReturned && Object.keys(named).length === 0) {
    return amountOf(intent, params, order, returned)
  }
  const piece = pieceOf(text, params[AMOUNT], order)
  if (piece !== null && Object.keys(named).length === 0) return { [ITEM]: piece }
  const isWhole = WHOLE_ORDER.test(text) || (!intent.confirm && IN_TOTAL.test(text))
  // "Cancel it then", after one thing was spoken of, is the order: less than that can't be done.
  const takesItem = [ITEM, ITEMS, AMOUNT].some((name) => intent.optionalParams.includes(name))
  const isOfOrder = intent.confirm && !takesItem
  const isOther = item === null || focus !== order.id || isWhole || isOfOrder
  return Object.keys(named).length > 0 || isOther ? named : amountOf(intent, params, order, item)
}

/** "17.49 for one pack", of an order of several equal things which cost that each: one of them. */
function pieceOf(text: string, amount: Json | undefined, { items }: OwnOrder): string | null {
  const [first, ...others] = items
  if (first === undefined || others.length === 0 || !ONE_PIECE.test(text)) return null
  const isSame = others.every(({ name, price }) => name === first.name && price === first.price)
  return isSame && first.price !== null && Number(amount) === first.price ? first.name : null
}

const ONE_PIECE = /\b(?:for|of) (?:just |only )?(?:one|a|an|1|each)\b/iu

const ALL_OF_IT = /\b(?:everything|all|whole|both|full|entire)\b/iu

/** What names an order, rather than an item of it. */
const WHOLE_ORDER = /\b(?:orders?|purchase|everything|all|whole|both|full|entire)\b|\d{4,}/iu

/** "How much was it in total?" Of what is done, the item that was spoken of stays the safer reading. */
const IN_TOTAL = /\b(?:total|altogether|in all|overall)\b/iu

interface Fitting extends OrderContext {
  /** Whether an order is in a state in which the request makes sense. */
  readonly fits: (order: OwnOrder) => boolean
  /** Whether it only asks something, so that the sum that it names may tell the order. */
  readonly isQuestion: boolean
  /** The other values of the request: digits in an address are not an identifier. */
  readonly values: readonly string[]
}

function fittingOf(
  { whileStatus = [], confirm, ofField }: Intent,
  params: JsonObject,
  context: OrderContext,
): Fitting {
  return {
    ...context,
    isQuestion: !confirm,
    values: Object.values(params).filter((value) => typeof value === 'string'),
    fits: ({ status, record }) =>
      ofField === undefined ? whileStatus.includes(status) : record[ofField] !== undefined,
  }
}

function orderOf(
  given: Json | undefined,
  context: Fitting,
): { readonly id: string | null; readonly hints: OrderHints } {
  const { text, orders, focus, guess, candidates, now } = context
  const suggested = guess === null ? null : { id: null, hints: { suggested: guess } }
  if (typeof given === 'string') {
    const isOwn = orders.some(({ id }) => id === given)
    return isOwn || suggested === null ? { id: given, hints: {} } : suggested
  }
  if (suggested !== null) return suggested
  if (given === null) return { id: null, hints: {} }
  const mention = orderMention(text, orders, { now, candidates, listed: context.listed, focus })
  const [first] = mention.orders
  if (mention.orders.length === 1 && first !== undefined) return { id: first.id, hints: {} }
  if (mention.orders.length > 1) {
    const spoken = meansSame(text) && context.mayInfer
    const same = spoken ? mention.orders.find(({ id }) => id === focus) : undefined
    if (same !== undefined && !mention.isAll) return { id: same.id, hints: {} }
    const fitting = mention.orders.filter(context.fits)
    const isEach = mention.isEach && !context.isQuestion && !EXCLUDES.test(text)
    const [only, ...others] = isEach ? [] : fitting
    if (only !== undefined && others.length === 0) return { id: only.id, hints: {} }
    // What can't be done is said first, so that a question comes last; of what is late, something else is offered.
    const gone = mention.orders.filter((one) => !fitting.includes(one) && IS_GONE.has(one.status))
    const rest = mention.orders.filter((one) => !fitting.includes(one) && !gone.includes(one))
    const candidates = [...gone, ...fitting, ...rest].map(({ id }) => id)
    return { id: null, hints: { candidates, ...(mention.isEach && { isEach: true }) } }
  }
  const ofSum = context.isQuestion ? orderOfSum(text, orders) : null
  if (ofSum !== null) return { id: ofSum.id, hints: {} }
  if (mention.isAll) {
    return { id: null, hints: { candidates: orders.map(({ id }) => id), isAll: true } }
  }
  if (
    !context.mayInfer ||
    ANOTHER.test(text.replaceAll(ORDERS_ANEW, ' ')) ||
    namesThing(text) ||
    NEARLY_ID.test(withoutValues(text, context.values))
  ) {
    return { id: null, hints: {} }
  }
  const isFocus = focus !== null && !/\bsomething (?:else|(?:that )?i|we)\b/iu.test(text)
  if (isFocus && orders.some(({ id }) => id === focus)) return { id: focus, hints: {} }
  const [delayed, ...more] = LATE.test(text) ? orders.filter(isDelayed) : []
  if (delayed !== undefined && more.length === 0) return { id: delayed.id, hints: {} }
  const [only] = orders
  if (orders.length === 1 && only !== undefined) return { id: only.id, hints: {} }
  if (context.isQuestion && AWAITS.test(text) && !OF_MONEY.test(text)) {
    const expected = expectedAs(text, orders.filter(isToCome))
    if (expected !== null) return { id: expected.id, hints: {} }
  }
  // "Cancel my order", of which one can be cancelled: the confirmation names it.
  const [fitting, ...others] = orders.filter(context.fits)
  return fitting !== undefined && others.length === 0
    ? { id: fitting.id, hints: {} }
    : { id: null, hints: {} }
}

const IS_GONE: ReadonlySet<string> = new Set(['shipped', 'in_transit'])

/** Where one thing is wanted, and another named as what is not. */
const EXCLUDES =
  /\b(?:not|never|keep\p{L}*|but|instead|except|rather|stays?|leave|fine|ok|okay|only|just|or|like|than|with|without|from|after|before|because|since)\b|n['’]t\b|\bdont\b/iu

const withoutValues = (text: string, values: readonly string[]): string =>
  values.reduce((rest, value) => rest.replaceAll(value, ' '), text)

/** An identifier, or something like one, that names no order. */
const NEARLY_ID = /\bo[-_–]?\s?\d|\d{4,}/iu

/** What is late is the order that is delayed, if no other was spoken of. */
const LATE =
  /\b(?:late|delayed|overdue|delay|hold[- ]?up|(?:held|stuck)|(?:new|another|different|later) (?:date|day|eta)|(?:date|day|eta|delivery) (?:\p{L}+ ){0,4}(?:moved|changed|pushed|slipped)|(?:mov|push|chang|postpon)\p{L}* (?:the|my|its|that) (?:\p{L}+ )?(?:date|day|delivery|eta)|first (?:it|you|they) (?:was|were|said|say)|address check)\b/iu

const isDelayed = ({ status }: OwnOrder): boolean => status === 'delayed'

/** What is said of an order that has not come yet. */
const AWAITS =
  /\b(?:where(?:'s|s)?|when|arriv\p{L}*|com(?:e|es|ing)|get(?:s|ting)? here|here|in transit|on (?:its|the|their) way|track\p{L}*|late|stuck|mov(?:e|es|ed|ing)|eta|shipped|processing|prepared)\b/iu
const OF_MONEY =
  /\b(?:refund\p{L}*|money|paid|pay|charged?|returns?|returned|sent (?:\p{L}+ )?back|invoice|receipt|cancel\p{L}*|bought|placed|delivered|arrived (?:broken|damaged|open))\b/iu

/** The one order that is expected, or that is in the state that the text tells. */
function expectedAs(text: string, expected: readonly OwnOrder[]): OwnOrder | null {
  const states = STATES.find(([pattern]) => pattern.test(text))?.[1]
  const meant = states === undefined ? [] : expected.filter(({ status }) => states.includes(status))
  const [only, ...others] = meant.length > 0 ? meant : expected
  return only !== undefined && others.length === 0 ? only : null
}

const STATES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\bin transit\b/iu, ['in_transit']],
  [/\b(?:processing|prepared)\b/iu, ['processing']],
  [/\b(?:it'?s|is|says?|was|been|marked) (?:as )?shipped\b/iu, ['shipped']],
]

/** Not the order spoken of so far. */
const ANOTHER =
  /\b(?:an?|another|other|different|new|some|any) (?:\p{L}+ )?(?:orders?|purchase|package|parcel|item)\b|\bsomething else\b|\borders\b/iu

/** An order that the customer is still going to place is not one of theirs: "cancel it, I make a new order". */
const ORDERS_ANEW =
  /\b(?:make|place|do|put in|create|open|start|submit) (?:an? |another )?(?:new |other |different )?order\b|\bnew order\b(?= (?:later|after|then|myself))/giu

/** The amount for the items of an order that a text names. */
export function amountOf(
  intent: Intent,
  params: JsonObject,
  order: OwnOrder,
  text: string,
): JsonObject {
  const { items, price } = itemsNamed(text, order)
  if (items.length === 0) return {}
  const item = { [ITEM]: namesOfItems(items) }
  const takesAmount = intent.optionalParams.includes(AMOUNT) && params[AMOUNT] === undefined
  return {
    ...item,
    ...(takesAmount && price !== null && { [AMOUNT]: price.toFixed(2) }),
    ...(intent.optionalParams.includes(ITEMS) && { [ITEMS]: item[ITEM] }),
  }
}
