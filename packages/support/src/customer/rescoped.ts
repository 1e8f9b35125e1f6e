import type { JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import { askedItems, namesOthers } from './asked-items.ts'
import { cents, namesOfItems, type OwnItem, type OwnOrder } from './own-order.ts'
import { AMOUNT, ITEM } from './resolve-order.ts'

/** Longer texts tell more than how much is wanted. */
const MOST_CHARACTERS = 200

/**
 * What a text makes of the money that an open request is about: "just one of them", "both please", "half the price".
 * `null` if it changes nothing, or it is not clear. The new amount is always asked back.
 */
export function rescoped(
  text: string,
  intent: Intent,
  params: JsonObject,
  { order, orders }: { readonly order: OwnOrder; readonly orders: readonly OwnOrder[] },
): JsonObject | null {
  if (!intent.optionalParams.includes(AMOUNT) || text.length > MOST_CHARACTERS) return null
  const asked = askedItems(order, params)
  if (asked === null || namesOthers(text, asked, orders)) return null
  const changed = withCount(text, order, asked) ?? withShare(text, order, asked)
  return changed === null || changed[AMOUNT] === amountOf(params, order, asked) ? null : changed
}

const amountOf = (
  params: JsonObject,
  order: OwnOrder,
  asked: readonly OwnItem[],
): string | null => {
  const said = params[AMOUNT]
  return typeof said === 'string' ? Number(said).toFixed(2) : priceOf(order, asked)
}

/** What the items cost, and for a whole order what is left of it. */
function priceOf(order: OwnOrder, items: readonly OwnItem[]): string | null {
  if (items.length === order.items.length) return order.left?.toFixed(2) ?? null
  return items.every(({ price }) => price !== null)
    ? cents(items.reduce((sum, { price }) => sum + (price ?? 0), 0)).toFixed(2)
    : null
}

/** How many of a thing that was bought several times are meant. */
function withCount(text: string, order: OwnOrder, asked: readonly OwnItem[]): JsonObject | null {
  const [first] = asked
  if (first === undefined || asked.some(({ name }) => name !== first.name)) return null
  const units = order.items.filter(({ name }) => name === first.name)
  const count = countIn(text, units.length)
  if (count === null || count === asked.length || count > units.length) return null
  const meant = units.slice(0, count)
  const amount = priceOf(order, meant)
  return amount === null ? null : { [ITEM]: namesOfItems(meant), [AMOUNT]: amount }
}

const ALL = /\bboth\b|\b(?:all|the) (?:of )?(?:the )?two\b|\btwo of them\b/iu
const EVERY = /\ball of (?:them|these|those)\b/iu
const ONE =
  /\b(?:just|only) (?:the )?(?:one|1)\b|\b(?:the|one|1|a single) (?:one )?of (?:them|these|those|the two|both)\b|\b(?:for|refund) (?:just |only )?(?:the )?(?:one|1)\b(?! (?:on|in|with|from|which|that|i)\b)|\bfor a single one\b/iu

/** How many of some equal things a text means; `null` if it does not say, or says several numbers. */
function countIn(text: string, most: number): number | null {
  const isAll = ALL.test(text) ? most === 2 : EVERY.test(text)
  const isOne = ONE.test(text)
  if (isAll === isOne || most < 2 || (isOne && ALL.test(text)) || DECLINES.test(text)) return null
  return isAll ? most : 1
}

/** What is said of a share that is not wanted, or of one that depends on something. */
const DECLINES =
  /\b(?:not|never|no|nor|neither|why|if|unless|when|once|until|without|keep both)\b|n't\b/iu

const MONEY =
  '(?:the |my |of the |of my )?(?:price|money|amount|cost|refund|sum|value|price of (?:it|this|that))'
const HALF = new RegExp(
  `\\bhalf ${MONEY}\\b|\\bhalf (?:back|off|of (?:it|that) back)\\b|\\b(?:refund|give|pay|get) (?:me )?(?:just |only )?half\\b(?! of (?:them|these|those)| (?:an?|the)\\b)|\\b(?:just|only) half\\W*$|\\bhalf of (?:it|this|that)\\W*$|\\bhalf (?:would|will|is) (?:be )?(?:enough|fair|fine|ok|okay|good|great)\\b`,
  'iu',
)
const PERCENT =
  /(?<![\d.,-])([1-9]\d?)\s?(?:%|per ?cent)(?: (?:off|back|refund|of (?:the |my )?(?:price|money|amount|cost|it)))/iu
const WORDS: ReadonlyMap<string, number> = new Map([
  ['five', 5],
  ['ten', 10],
  ['fifteen', 15],
  ['twenty', 20],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
])
const DOLLARS = new RegExp(
  `(?<!(?:ty|hundred)[ -])\\b(${[...WORDS.keys()].join('|')}) (?:dollars|bucks)\\b`,
  'iu',
)

/** A share of what the items cost: "half the price", "25% off", "ten dollars back". */
function withShare(text: string, order: OwnOrder, asked: readonly OwnItem[]): JsonObject | null {
  if (DECLINES.test(text)) return null
  const price = Number(priceOf(order, asked) ?? NaN)
  const said = [
    ...(HALF.test(text) ? [price / 2] : []),
    ...(PERCENT.exec(text)?.slice(1, 2) ?? []).map((percent) => (price * Number(percent)) / 100),
    ...(DOLLARS.exec(text)?.slice(1, 2) ?? []).map((word) => WORDS.get(word.toLowerCase()) ?? NaN),
  ]
  const [share] = said
  const isClear = said.length === 1 && share !== undefined && share > 0 && share < price
  return isClear ? { [AMOUNT]: cents(share).toFixed(2) } : null
}
