import type { Classified } from 'echelon/internal/classify'
import { readAs, type Reading } from '../command.ts'
import { asks, isOfDocuments, QUESTION } from '../read-questions.ts'

/** Words of those who want another thing, or another content of an order. */
const OF_CHANGES =
  /\b(?:swap\p{L}*|exchang\p{L}*|replac\p{L}*|trad(?:e|ing)|switch\p{L}*|chang(?:e|ed|ing)|add(?:ed|ing)?|remov\p{L}*|edit\p{L}*|amend\p{L}*|modif\p{L}*|sizes?|colou?rs?|models?|bigger|smaller|larger|a new one|another|different|by (?:mistake|accident)|accidentally|resend|(?:take|taken|leave|left|come) [^.!?]{0,30}\b(?:out|off)|fewer|one (?:less|more))\b/iu

/** Words of those who want money, or to know how much. */
const OF_MONEY =
  /\b(?:refund\p{L}*|reimburs\p{L}*|money|cash|price|cost|paid|(?:full|whole|entire) (?:amount|sum|[$]?\d[\d.]*))\b|\bfull \$\d/iu

/** An order that the agent should place. */
const PLACES =
  /\b(?:(?:place|submit|put in|put through|make) (?:(?:it|that|them|this)\b|(?:the|that|this|my|an?) (?:(?:new|same|whole|identical) )*order\b)|re-?order\b|(?:order|buy) (?:it|that|them|this|one|the same(?: thing)?|the \p{L}+|my \p{L}+) (?:again|anew|once more|for me))/iu

/** Something else that is asked for beside it. */
const OF_OTHERS = /\b(?:cancel\p{L}*|return\p{L}*|refund\p{L}*|money|address|charged?|where|status)\b/iu

/** Whether a text asks for something to be exchanged, or for another content of an order, in words of its own. */
export const isOfChanges = (text: string): boolean => OF_CHANGES.test(text)

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
  if (label === null || !isOffering(label) || OF_CHANGES.test(text)) return read
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
