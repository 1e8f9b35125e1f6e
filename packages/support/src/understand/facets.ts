/**
 * What a question asks about an order besides its state. An answer that does not say it is a near miss: "why haven't
 * you refunded my tent?" is not answered by the day of delivery.
 */
export const FACETS = [
  'ordered',
  'means',
  'shipping',
  'missing',
  'refund',
  'return',
  'cancel',
  'late',
  'open',
  'why',
  'sure',
  'whether',
] as const

export type Facet = (typeof FACETS)[number]

/** The words by which a facet is asked for. */
const WORDS: Readonly<Record<Facet, RegExp>> = {
  /** The day on which it was bought. */
  ordered:
    /\b(?:when|what (?:day|date)|how long ago) (?:did|have|was it (?:that )?|exactly did) ?(?:i|we) (?:\p{L}+ )?(?:order|buy|bought|purchase|place)|\bdid (?:i|we) (?:order|buy) \b[^.!?]*\b(?:today|yesterday|(?:on|last|this) \p{L}+day|last (?:week|month)|in \p{Lu}\p{L}+)\b|\b(?:order|purchase) date\b|\bdate of (?:the|my|that) (?:order|purchase)\b/iu,
  /** By what means it was paid. */
  means:
    /\b(?:which|what) (?:of my )?(?:credit |debit |bank |gift )?(?:cards?|accounts?|(?:payment )?method|means|kind of payment|way of pay\p{L}*)\b|\bhow (?:did|have|was|had|exactly did) (?:i|we|it|that|this|the [^?!.,]{1,30}?) (?:pay|paid)\b|\b(?:did|have|was|had) (?:i|we|it|that|this|the [^?!.,]{1,30}?|my [^?!.,]{1,30}?) (?:\p{L}+ )?(?:pay|paid|use|used|charged)[^?!.]{0,30}\b(?:card|paypal|visa|mastercard|amex|american express|gift card)\b/iu,
  /** What delivery cost. */
  shipping:
    /\b(?:shipping|delivery|postage)\b[^?!.]{0,30}\b(?:costs?|fees?|charges?|charged|included|in (?:it|there|that|the (?:price|total|amount|sum|\d))|free|paid|pay|price|part of|on top|extra|separate\p{L}*)\b|\b(?:costs?|fees?|charges?|charged|pay|paid|how much|include\p{L}*|with|for) (?:me |us |the |any |for |in |was |is |of |my )*(?:shipping|delivery|postage)\b/iu,
  /** Money that was given back, and is not there. */
  missing:
    /(?:\b(?:not|nothing|never|no)\b|n't\b|\b(?:cant|dont|isnt|havent)\b)[^.!?]{0,40}\b(?:my|the|our) (?:bank |credit )?(?:card|account|bank|statements?|paypal)\b|\b(?:my|the) (?:bank |credit )?(?:card|account|bank|statements?|paypal)\b[^.!?]{0,20}\b(?:shows?|has|have|says?|is|got)\b[^.!?]{0,15}\b(?:nothing|no|empty|not)\b/iu,
  refund:
    /\b(?:refund\p{L}*|reimburs\p{L}*|rebate|restitution|money(?: back)?|paid (?:me |us )?back|pay (?:me |us )?back|given back|credited|compensat\p{L}*)\b/iu,
  return:
    /\b(?:my|the|that|this|a) returns?\b|\breturned\b|\b(?:sen[dt]|shipped|mailed|gave|given) (?:\p{L}+ ){0,4}back\b|\breturn (?:parcel|package)\b/iu,
  cancel: /\bcancel\p{L}*\b/iu,
  /** Only the orders that are late. */
  late: /\b(?:late|delayed|overdue|behind)\b/iu,
  /** Only the orders that have not come yet. */
  open: /\b(?:on (?:the|its|their|my) way|coming|(?:left |yet |still )to come|waiting for|still out|outstanding|undelivered|underway|under way|in transit|expect\p{L}*|(?:have|has|did|are|is)(?:n['o]?t| not) (?:yet )?(?:arrived?|come|here|delivered|been delivered|got here)|not (?:yet )?(?:arrived|come|here|delivered|been delivered)|not delivered|what is still|what's still)\b/iu,
  /** A reason, or who decided it. */
  why: /\bwhy\b(?! not\b)|\bhow come\b|\b(?:reason|explanation) (?:for|why|behind|is|was)\b|\bwhat(?:'s| is| was) the reason\b|\bexplain\b|\bwho (?:\p{L}+ )?(?:cancel|refund|return|decid|order)\p{L}*\b|\bwhat(?:'s| is)? (?:caus(?:ed|es|ing)|went wrong|holding (?:it|that|them|this|my|the))\b|\bwhat(?:'s| is) the (?:cause|hold[ -]?up)\b|\bcause of\b/iu,
  /** Whether an answer is certain. */
  sure: /\b(?:are )?you (?:\p{L}+ )?(?:sure|certain)\b/iu,
  /** Whether something is allowed, possible, or too late. */
  whether:
    /\b(?:can|could|may|might|would) (?:i|we)\b|\bam i (?:still )?(?:able|allowed|entitled)\b|\b(?:is|would) (?:it|that) (?:be )?(?:still |even )?(?:possible|okay|ok|allowed|too late)\b|\btoo late\b|\bstill (?:possible|time|able|return|cancel|refund|change|send)\b|\bany (?:way|chance)\b|\bdo i (?:still )?(?:have|get)\b/iu,
}

/** Asks whether the time for something is over, to which a yes says the opposite. */
export const TOO_LATE: RegExp = /\btoo late\b|\bany ?more\b/iu

/** What a customer says they do not want is not asked for. */
const UNWANTED =
  /\b(?:(?:don't|dont|do not|didn't|did not|no longer|not) (?:want|need|wish|ask\p{L}*)|instead of|rather than)\b[^.,;!?]{0,40}/giu

/** What a text asks besides the state of an order. */
export const facetsOf = (text: string): readonly Facet[] => {
  const said = text.slice(0, 2_000).replaceAll(UNWANTED, ' ')
  return FACETS.filter((facet) => WORDS[facet].test(said))
}
