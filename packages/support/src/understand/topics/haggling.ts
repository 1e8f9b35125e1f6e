import { readAs, type Reading } from '../command.ts'
import type { Lesson } from '../lesson.ts'

/** A small sum, or a part, that is named in a question. */
const SUM =
  /[$]\s?\d|\b(?:\d+|five|ten|fifteen|twenty|a few|a couple of)\s?(?:[$]|dollars?|bucks|usd|%|percent)/iu

/** A voucher, or something off the price. */
const OF_VOUCHERS =
  /\b(?:vouchers?|coupons?|discounts?|credit|gift ?cards?|off|goodwill|codes?)\b/iu

/** "Not even …", "can't you at least …" */
const BARGAINS =
  /\b(?:not even|nothing at all|at least|not a single|come on|surely|really (?:no|not)|just|only|how about|what about|maybe|make it)\b/iu

/** Money that was paid is wanted back. */
const OF_REFUNDS = /\b(?:refund\p{L}*|back|return\p{L}*|reimburs\p{L}*|paid)\b/iu

/** The answer that there is nothing beyond a refund. */
const NO_VOUCHERS = /\bno vouchers\b|\bI have none to give\b/u

const MOST_WORDS = 15

/** "Not even ten dollars?" does not ask for a refund of ten dollars after the answer that there are no vouchers. */
export function haggled(text: string, { context }: Lesson): Reading | null {
  const { dialogue, history } = context
  if (dialogue.open !== null || text.split(/\s+/).length > MOST_WORDS) return null
  if (!text.includes('?') || !SUM.test(text) || OF_REFUNDS.test(text)) return null
  const before = history.slice(-4).filter(({ role }) => role === 'agent')
  const isTold = before.some(({ text: told }) => NO_VOUCHERS.test(told))
  const isOfIt = OF_VOUCHERS.test(text) ? isTold || BARGAINS.test(text) : isTold
  return isOfIt
    ? readAs(
        [{ type: 'ask-knowledge', question: 'is there compensation for a delay' }],
        'it haggles about a voucher',
      )
    : null
}
