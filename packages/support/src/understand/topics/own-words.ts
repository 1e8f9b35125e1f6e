import type { Classifier } from 'echelon/internal/classify'
import { readAs, type Reading } from '../command.ts'
import { asks, isOfDocuments, QUESTION } from '../read-questions.ts'
import { isOfChanges } from './change-words.ts'

type Classified = ReturnType<Classifier['classify']>

/** Words of customers who want money, or want to know how much. */
const OF_MONEY =
  /\b(?:refund\p{L}*|reimburs\p{L}*|money|cash|price|cost|paid|(?:full|whole|entire) (?:amount|sum|[$]?\d[\d.]*))\b|\bfull \$\d/iu

/** An order that the agent should place. */
const PLACES =
  /\b(?:(?:(?:place|submit|put in|put through) (?:it|that|them|this)\b|(?:place|submit|put in|put through|make) (?:the|that|this|my|an?) (?:(?:new|same|whole|identical) )*order\b)|put (?:it|that|the (?:same )?order) (?:in|through)(?: again)?\b|re-?order\b|(?:order|buy) (?:it|that|them|this|one|the same(?: thing)?|the \p{L}+|my \p{L}+) (?:again|anew|once more|for me))/iu

/** Something else that is asked for beside it. */
const OF_OTHERS =
  /\b(?:cancel\p{L}*|pay(?:ing|ment)?|paypal|vouchers?|discounts?|codes?|if|cancel\p{L}*|return\p{L}*|refund\p{L}*|money|address|charged?|where|status)\b/iu

/**
 * A text that is learned to be of a subject, for which something else can be done, and that speaks of money or of an
 * order to be placed instead, has the next likeliest label.
 */
export function withOwnWords(
  read: Classified,
  text: string,
  isOffering: (label: string) => boolean,
): Classified {
  const { label, next, confidence } = read
  if (label === null || !isOffering(label) || isOfChanges(text)) return read
  if (PLACES.test(text)) return { label: QUESTION, confidence, next: null }
  if (!OF_MONEY.test(text)) return read
  const other = isOfDocuments(next) && next !== QUESTION ? null : next
  return { label: other, confidence: other === null ? 0 : Math.min(confidence, UNSURE), next: null }
}

/** The second label is likely, and never sure. */
const UNSURE = 0.5

const MOST_WORDS = 20

/** "Could you place it again for me?": the rules say how an order is placed. */
export const placesOrder = (text: string): Reading | null =>
  text.split(/\s+/).length <= MOST_WORDS &&
  PLACES.test(text) &&
  (text.includes('?') || asks(text) || /\bplease\b/iu.test(text)) &&
  !OF_OTHERS.test(text) &&
  !/\b(?:don'?t|do not|did|have|has|was|were|when)\b/iu.test(text)
    ? readAs(
        [{ type: 'ask-knowledge', question: 'how do I place an order' }],
        'it wants an order placed',
      )
    : null
