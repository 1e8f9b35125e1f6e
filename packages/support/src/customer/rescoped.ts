import type { JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import { nameScore, plainWords } from './item-words.ts'
import { askedItems, namesOthers } from './asked-items.ts'
import { cents, namesOfItems, type OwnItem, type OwnOrder } from './own-order.ts'
import { AMOUNT, ITEM, ITEMS, ORDER } from './resolve-order.ts'

/** Longer texts tell more than how much is wanted. */
const MOST_CHARACTERS = 200

/**
 * The new amount or share that a text gives to an open request: "just one of them", "both please", "half the price".
 * `null` if it changes nothing, or it is not clear. The new amount is always asked back.
 */
export function rescoped(
  text: string,
  intent: Intent,
  params: JsonObject,
  { order, orders }: { readonly order: OwnOrder; readonly orders: readonly OwnOrder[] },
): JsonObject | null {
  const takesAmount = intent.optionalParams.includes(AMOUNT)
  const takesItems = intent.optionalParams.includes(ITEMS)
  if (!(takesAmount || takesItems) || text.length > MOST_CHARACTERS) return null
  const asked = askedItems(order, params)
  if (asked === null || namesOthers(text, asked, orders)) return null
  const meant = withCount(text, order, asked)
  if (meant !== null) {
    const amount = priceOf(order, meant)
    if (takesAmount && (amount === null || amount === amountOf(params, order, asked))) return null
    return pricedItems(intent, order, meant)
  }
  const changed = takesAmount ? withShare(text, order, asked) : null
  return changed === null || changed[AMOUNT] === amountOf(params, order, asked) ? null : changed
}

/** The parameters of a request for these things of an order. */
export function pricedItems(
  intent: Intent,
  order: OwnOrder,
  items: readonly OwnItem[],
): JsonObject {
  const item = namesOfItems(items)
  const takes = (name: string): boolean => intent.optionalParams.includes(name)
  return {
    [ITEM]: item,
    ...(takes(AMOUNT) && { [AMOUNT]: priceOf(order, items) }),
    ...(takes(ITEMS) && { [ITEMS]: item }),
  }
}

/** A request whose amount is at most what the thing costs: "if you can make it 60" asks for the 39.95 of a charger. */
export function withinPrice(params: JsonObject, orders: readonly OwnOrder[]): JsonObject {
  const { [ITEM]: item, [AMOUNT]: amount } = params
  const order = orders.find(({ id }) => id === params[ORDER])
  if (order === undefined || item === undefined || amount === undefined) return params
  const asked = askedItems(order, params)
  const price = asked === null ? null : priceOf(order, asked)
  return price === null || Number(amount) <= Number(price) ? params : { ...params, [AMOUNT]: price }
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

/** As many of a thing that was bought several times as are meant; `null` if that changes nothing. */
function withCount(
  text: string,
  order: OwnOrder,
  asked: readonly OwnItem[],
): readonly OwnItem[] | null {
  const [first] = asked
  if (first === undefined || asked.some(({ name }) => name !== first.name)) return null
  const units = order.items.filter(({ name }) => name === first.name)
  const isMeant = (word: string): boolean => isPiece(word, first)
  const count = countIn(text, units.length, isMeant)
  if (count === null || count === asked.length || count > units.length) return null
  return units.slice(0, count)
}

const NUMBER = '(?:a single|one|two|three|four|five|[1-5])'
const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five']

const ALL = /\bboth\b|\b(?:all|the) (?:of )?(?:the )?two\b|\btwo of them\b/iu
const EVERY = /\ball of (?:them|these|those)\b/iu

/** A number of pieces behind a word that limits it, or before one: "only two", "one of them", "one is enough". */
const COUNTED: readonly RegExp[] = [
  `\\b(?:just|only|merely) (?:the )?(?<n>${NUMBER})(?![\\p{L}\\d]|\\.\\d)(?! (?:on|in|with|from|which|that|i|more|thing|question)\\b)`,
  `\\b(?<n>${NUMBER}|the) (?:one )?of (?:them|these|those|the (?:two|three|four)\\b|both|(?:my|the)(?: (?:two|three|four|[2-4]))? (?<what>\\p{L}+))`,
  `\\b(?:for|refund|return|send(?: back)?) (?:just |only )?(?:the )?(?<n>${NUMBER})(?![\\p{L}\\d]|\\.\\d)(?! (?:on|in|with|from|which|that|i|of|more)\\b)`,
  `(?<n>\\ba single) (?:one|pack|piece|set|box|pair|copy)\\b`,
  `\\b(?:just|only) the (?:(?!other\\b|first\\b|last\\b)\\p{L}+ ){0,2}(?<n>one)(?![\\p{L}])`,
  `\\b(?<n>${NUMBER})(?: \\p{L}+)? (?:only|alone|is enough|goes back|will do)\\b`,
  `^\\W*(?:yes|yeah|yep|ok|okay)[\\s,]+(?<n>${NUMBER})(?: (?:one|packs?|pieces?|sets?|boxe?s?|pairs?|copy|copies))?(?: please)?\\W*$`,
].map((source) => new RegExp(source, 'giu'))

/** The pieces that stay: "I'm keeping the other", "I keep one of them". */
const KEPT = new RegExp(
  `\\bkeep(?:ing)? (?:the )?(?<n>${NUMBER}(?! (?:day|week|time)s?)|other|second)(?![\\p{L}\\d]|\\.\\d)`,
  'giu',
)

/** A no that only introduces what is meant instead: "no, just one". */
const CORRECTING =
  /^\W*(?:(?:no|nope|wait|oh|sorry|hmm+|hang on|hold on|actually)[\s,.!-]+)+(?=(?:just|only|one|two|a single|make it|i (?:mean|meant|want|keep))\b)/iu

/** Whether a no at the beginning of a text only introduces a smaller wish. */
export const correctsOnly = (text: string): boolean => CORRECTING.test(text)

/** Whether a word stands for the thing, or for a piece of anything. */
const isPiece = (word: string, item: OwnItem): boolean =>
  /^(?:packs?|pieces?|sets?|box(?:es)?|pairs?|copy|copies|items?|things?)$/iu.test(word) ||
  nameScore(plainWords(word), item) > 0

/** How many of some equal things a text means; `null` if it does not say, or says several numbers. */
function countIn(text: string, most: number, isMeant: (word: string) => boolean): number | null {
  const said = text.replace(CORRECTING, '')
  if (most < 2 || DECLINES.test(said)) return null
  const counts = COUNTED.flatMap((one) => [...said.matchAll(one)])
    .filter(({ groups }) => groups?.['what'] === undefined || isMeant(groups['what']))
    .map(numberIn)
  const kept = [...said.matchAll(KEPT)].map(numberIn).map((count) => most - count)
  const numbers = new Set(counts.length > 0 ? counts : kept)
  const others = said.replaceAll(COUNTED[1] ?? /(?!)/u, ' ')
  const isAll = ALL.test(others) ? most === 2 : EVERY.test(said) && counts.length === 0
  const [number] = numbers
  if (isAll) return numbers.size === 0 || (numbers.size === 1 && number === most) ? most : null
  return numbers.size === 1 && number !== undefined && number > 0 ? number : null
}

function numberIn({ groups }: RegExpMatchArray): number {
  const said = (groups?.['n'] ?? '').toLowerCase()
  const place = NUMBERS.indexOf(said)
  return place > 0 ? place : Number(said) || 1
}

/** What is said of a share that is not wanted, or of one that depends on something. */
const DECLINES =
  /\b(?:not|never|no|nor|neither|why|if|unless|when|once|until|without|keep both)\b|n't\b/iu

const MONEY =
  '(?:the |my |of the |of my )?(?:price|money|amount|cost|refund|sum|value|price of (?:it|this|that))'
const HALF = new RegExp(
  `\\bhalf ${MONEY}\\b|\\bhalf (?:back|off|of (?:it|that) back)\\b|\\b(?:refund|give|pay|get) (?:me )?(?:just |only )?half\\b(?! of (?:them|these|those)| (?:an?|the)\\b)|\\b(?:just|only) half\\W*$|\\bhalf of (?:it|this|that)(?:\\W*$| (?:(?:is|would be|will be|'d be) (?:\\p{L}+ )?(?:enough|fine|fair|ok|okay|good|great|plenty)|would do|will do)\\b)|\\bhalf (?:would|will|is) (?:be )?(?:enough|fair|fine|ok|okay|good|great)\\b`,
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

const SUM = '\\$?\\s?(\\d{1,5}(?:\\.\\d{1,2})?)(?: ?(?:dollars|bucks|usd|\\$))?(?![\\d%])'
const ENOUGH = '(?:enough|fine|ok|okay|good|great|fair|plenty|alright|all right|sufficient|perfect)'
/** A sum that would do: "20 would be enough", "I'd be happy with $10". */
const CONTENT: readonly RegExp[] = [
  new RegExp(
    `(?<![\\d.,#-])${SUM} (?:back )?(?:(?:is|are|would be|will be|sounds|'d be) (?:\\p{L}+ )?${ENOUGH}|would do|will do)\\b`,
    'iu',
  ),
  new RegExp(
    `\\b(?:(?:happy|fine|ok|okay|content|satisfied|good) with|settle for|make (?:it|that)) (?:just |only )?${SUM}`,
    'iu',
  ),
]

/** A share of what the items cost: "half the price", "25% off", "ten dollars back". */
function withShare(text: string, order: OwnOrder, asked: readonly OwnItem[]): JsonObject | null {
  if (DECLINES.test(text)) return null
  const price = Number(priceOf(order, asked) ?? NaN)
  const said = [
    ...(HALF.test(text) ? [price / 2] : []),
    ...(PERCENT.exec(text)?.slice(1, 2) ?? []).map((percent) => (price * Number(percent)) / 100),
    ...CONTENT.flatMap((one) => one.exec(text)?.slice(1, 2) ?? []).map(Number),
    ...(DOLLARS.exec(text)?.slice(1, 2) ?? []).map((word) => WORDS.get(word.toLowerCase()) ?? NaN),
  ]
  const [share] = said
  const isClear = said.length === 1 && share !== undefined && share > 0 && share < price
  return isClear ? { [AMOUNT]: cents(share).toFixed(2) } : null
}
