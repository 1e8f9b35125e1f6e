import { facetsOf } from '../facets.ts'

/** What a question asks of orders and things: its price, that of one piece, a sum, a delivery fee, or invoices. */
export const SUM_ASKS = ['price', 'each', 'total', 'fee', 'invoice'] as const

export type SumAsk = (typeof SUM_ASKS)[number]

const PRICE =
  /\b(?:how much|what)\b[^.!?]*\b(?:costs?|paid|pay|spen[dt]|charged?|prices?|worth)\b|\bhow much (?:is|are|was|were)\b|\b(?:the |my |their )prices?\b|\bprices? (?:of|for)\b|\b(?:single|individual|unit|item) prices?\b|\bhow much (?:did|have|do) (?:i|we)\b/iu
const TOTAL =
  /\b(?:total|together|altogether|add(?:ed|s)? (?:it |them |that )?(?:all )?(?:up|together)|sum|combined|overall|in all|all in)\b/iu
/** Words that ask for a sum without a word of money. */
const SUM =
  /\bwhat(?:'?s| is| was| were| does| do| did) (?:that|it|this|they|these|those|all|both)\b[^.!?]*\b(?:total|together|altogether|in all|combined|come to|add up|make)\b|\b(?:the|my|a|grand|full|whole) (?:total|sum)\b|\bsum(?: total)? of\b|\btotal (?:of|for|price|cost|amount|sum)\b|\badd(?:ed|s)? (?:it |them |that )?(?:all )?up\b/iu
const EACH =
  /\b(?:each|apiece|a piece|per (?:piece|item|unit|one)|(?:single|individual|unit|item) prices?|for (?:just )?one|a single one|(?:was|is|did|does|of|for|and) (?:just |only )?one (?!order\b)\p{L}+)\b/iu
const INVOICE = /\b(?:invoices?|receipts?|bills)\b/iu
/** A paper is wished for, not asked about. */
const WISHED =
  /\b(?:need|want|send|show|give|get|have|please|pls|like|ask(?:ed|ing)? for|print|see)\b|^\W*(?:and )?(?:the |my |all (?:the |my )?)?(?:invoices?|receipts?|bills)\b/iu

/** What something is given back, changed, or would cost another time. */
const OTHERWISE =
  /\b(?:refund\p{L}*|return\p{L}*|back|cancel\p{L}*|exchang\p{L}*|replac\p{L}*|broken|damaged|discount\p{L}*|coupon|tax(?:es)?\b(?= (?:in|on|is|was))|compensat\p{L}*|instead|would|new order|next order|if i|wrong|overcharged|twice\b(?=[^.!?]*\b(?:charged|billed))|charged twice|card|paypal)\b/iu

/** What a part of a message asks of sums; empty if it asks anything else. */
export function sumAsksIn(part: string): readonly SumAsk[] {
  if (part.length > MOST_CHARACTERS || OTHERWISE.test(part)) return []
  const facets = facetsOf(part)
  if (INVOICE.test(part)) {
    const isOfPaper = facets.includes('mail') || facets.includes('name') || !WISHED.test(part)
    return isOfPaper || PRICE.test(part) ? [] : ['invoice']
  }
  const isOfFee = facets.includes('shipping') || PAYS_DELIVERY.test(part)
  const isOfPrice = PRICE.test(part) && (!isOfFee || TOTAL.test(part))
  const asked: readonly (readonly [SumAsk, boolean])[] = [
    ['total', SUM.test(part) || (isOfPrice && TOTAL.test(part))],
    ['each', isOfPrice && EACH.test(part)],
    ['price', isOfPrice],
    ['fee', isOfFee],
  ]
  return asked.flatMap(([ask, isAsked]) => (isAsked ? [ask] : []))
}

const MOST_CHARACTERS = 160
const PAYS_DELIVERY =
  /\b(?:pay|paid|charged?)\b[^.!?]{0,25}\b(?:delivery|shipping|postage)\b|\bdelivery (?:fees?|costs?|charges?)\b|\bshipping (?:fees?|costs?|charges?)\b/iu

/** Whether words of a sum, or of one piece, stand in a part that asks for nothing else. */
export const addsAsks = (part: string): readonly SumAsk[] => [
  ...(TOTAL.test(part) ? (['total'] as const) : []),
  ...(EACH.test(part) ? (['each'] as const) : []),
]
