/**
 * What a question asks about an order besides its state. An answer that does not say it is a near miss: "why haven't
 * you refunded my tent?" is not answered by the day of delivery.
 */
export const FACETS = [
  'ordered',
  'means',
  'shipping',
  'link',
  'mail',
  'name',
  'twice',
  'count',
  'missing',
  'back',
  'in_full',
  'refund',
  'return',
  'cancel',
  'sums',
  'other_sum',
  'late',
  'open',
  'place',
  'planned',
  'todo',
  'why',
  'hold',
  'door',
  'hours',
  'label',
  'without',
  'leaves',
  'held',
  'each',
  'inside',
  'left',
  'same_place',
  'other_place',
  'sure',
  'whether',
] as const

export type Facet = (typeof FACETS)[number]

/** The words by which a facet is asked for; those without words here are asked for by a section of the documents, or of each of several orders. */
const WORDS: Readonly<Partial<Record<Facet, RegExp>>> = {
  /** The day on which it was bought. */
  ordered:
    /\b(?:when|what (?:day|date)|how long ago) (?:did|have|was it (?:that )?|exactly did) ?(?:i|we) (?:\p{L}+ )?(?:order|buy|bought|purchase|place)|\bdid (?:i|we) (?:order|buy) \b[^.!?]*\b(?:today|yesterday|(?:on|last|this) \p{L}+day|last (?:week|month)|in \p{Lu}\p{L}+)\b|\b(?:order|purchase) date\b|\bdate of (?:the|my|that) (?:order|purchase)\b/iu,
  /** By what means it was paid. */
  means:
    /\b(?:which|what) (?:of my )?(?:credit |debit |bank |gift )?(?:cards?|accounts?|(?:payment )?method|means|kind of payment|way of pay\p{L}*)\b|\bhow (?:did|have|was|had|exactly did) (?:i|we|it|that|this|the [^?!.,]{1,30}?) (?:pay|paid)\b|\b(?:did|have|was|had) (?:i|we|it|that|this|the [^?!.,]{1,30}?|my [^?!.,]{1,30}?) (?:\p{L}+ )?(?:pay|paid|use|used|charged)[^?!.]{0,30}\b(?:card|paypal|visa|mastercard|amex|american express|gift card)\b/iu,
  /** What delivery cost. */
  shipping:
    /\b(?:shipping|delivery|postage)\b[^?!.]{0,30}\b(?:costs?|fees?|charges?|charged|included|in (?:it|there|that|the (?:price|total|amount|sum|\d))|free|paid|pay|price|part of|on top|extra|separate\p{L}*)\b|\b(?:costs?|fees?|charges?|charged|pay|paid|how much|include\p{L}*|with|for) (?:me |us |the |any |for |in |was |is |of |my )*(?:shipping|delivery|postage)\b|\b(?:pay|paid|charged?|fee|cost|extra|add(?:ed)?|in (?:it|there|that)|on (?:it|top))\b[^?!]{0,30}(?<![\d.])4[.,]90?\b|(?<![\d.])4[.,]90?\b[^?!]{0,30}\b(?:pay|paid|charged?|fee|cost|extra|add(?:ed)?|in (?:it|there|that)|on (?:it|top))\b/iu,
  /** An address on the web where a parcel is followed. */
  link: /\b(?:links?|urls?|web ?(?:site|page|address)|(?:tracking|carrier'?s) page)\b/iu,
  /** Something is to be sent in another way than here. */
  mail: /\b(?:e-?mail(?:s|ed)?|mail (?:it|that|this|them|me|us)|(?:by|via|per|to my|in the|through) (?:e-?)?mail|inbox|pdfs?|download(?:s|ed|able|ing)?|attach\p{L}*|print(?:ed|able|out)?|as a file|whatsapp|text (?:it|that|me)|fax)\b/iu,
  /** What else is to stand on a paper. */
  name: /\b(?:compan(?:y|ies)|firm|business|employer|vat|tax|ein|billing)(?:'s)? (?:name|id|number|no|address|details?|data)\b|\b(?:ein|vat|tin)\b|\b(?:made|make|issued?|written|write|billed|out) (?:it |that |this |the \p{L}+ )?(?:out )?(?:to|in|on|for) (?:the name of|my|our|the|a) (?:compan|firm|business|employer|name|wife|husband)\p{L}*|\b(?:another|different|other|wrong|new|right|correct) name\b|\bname (?:of (?:my|our|the) \p{L}+ )?on (?:it|that|the|this|my)\b/iu,
  /** Whether the same was ordered once more. */
  twice:
    /\b(?:twice|two times|double|doubled|duplicate[ds]?|more than once|a second time|another (?:one|order)|other (?:one|order)s?|(?:in|on) (?:an|any|some) other|second (?:one|order)|same (?:thing|order|item)s?)\b/iu,
  /** How many there are of a thing. */
  count:
    /\bhow many\b|\bnumber of\b|\b(?:(?:just |only )?(?:one|1)(?: \p{L}+)? or (?:two|2|three|3|more|several|both)|(?:two|2|three|3)(?: \p{L}+)? or (?:just |only )?(?:one|1|two|2|three|3))\b|\bquantit(?:y|ies)\b|\b(?:is|are|was|were) (?:it|there|that|they|the [^?!.,]{1,30}?) (?:really |only |just )*(?:one|two|three|four|1|2|3|4|both|a single|a pair)\b/iu,
  /** Money that was given back, and is not there. */
  missing:
    /(?:\b(?:not|nothing|never|no)\b|n't\b|\b(?:cant|dont|isnt|havent)\b)[^.!?]{0,40}\b(?:my|the|our) (?:bank |credit )?(?:card|account|bank|statements?|paypal)\b|\b(?:my|the) (?:bank |credit )?(?:card|account|bank|statements?|paypal)\b[^.!?]{0,20}\b(?:shows?|has|have|says?|is|got)\b[^.!?]{0,15}\b(?:nothing|no|empty|not)\b/iu,
  /** What is printed on a parcel. */
  label:
    /\b(?:labels?|stickers?)\b|\b(?:printed|written|stands?|says?|shown?) on (?:the|my|that|its) (?:\p{L}+ )?(?:parcel|package|box|carton)\b/iu,
  /** What it comes to without one of its things. */
  without:
    /\b(?:without|minus|excluding|except(?: for)?|apart from|not counting|less|leav(?:ing|es) (?:out|off|away)|take (?:off|away|out)|subtract\p{L}*|ignore|don'?t count) (?:the|my|that|those|this)\b/iu,
  /** How much of it is given back. */
  back: /\b(?:how (?:much|big|large|high)|what (?:amount|sum))\b[^.!?]*\b(?:refund(?:ed)?|back|money|(?:do|will|would) i get)\b|\b(?:the )?(?:full|whole|entire) (?:price|amount|sum|refund|money)\b|\b(?:everything|all of it|it all|all (?:of )?my money) back\b|\b(?:deduct|keep|hold back|subtract|take off)\b[^.!?]{0,20}\b(?:anything|something|some|part|a fee)\b/iu,
  refund:
    /\b(?:refund\p{L}*|reimburs\p{L}*|rebate|restitution|money(?: back)?|paid (?:me |us )?back|pay (?:me |us )?back|given back|paying (?:me |us )?back|how much (?:do|did|will) i get|credited|compensat\p{L}*|(?:get|got|have|had) (?:the |my |those )?\$?\d+(?:[.,]\d+)?(?: dollars| bucks| euros?| usd)? back)\b/iu,
  return:
    /\b(?:my|the|that|this|a) returns?\b|\breturned\b|\b(?:sen[dt]|shipped|mailed|gave|given) (?:\p{L}+ ){0,4}back\b|\breturn (?:parcel|package)\b/iu,
  cancel:
    /\bcancel\p{L}*\b|\b(?:stays?|remains?)(?: (?:as (?:it (?:is|was)|is|was|planned|ordered)|the same|ordered|on|in place)\b|\W*(?:$|\b(?:ok|okay|right|yes|then|correct)\b))|\bstill (?:on|active|valid|standing)\b(?! (?:its|the|their|my|time|schedule))/iu,
  /** What each of several orders cost; of `other_sum`, none did. */
  sums: /\b(?:prices?|costs?|amounts?|sums?|totals?|how much|paid|value)\b/iu,
  /** Only the orders that are late. */
  late: /\b(?:late|delayed|overdue|behind)\b/iu,
  /** Only the orders that have not come yet. */
  open: /\b(?:on (?:the|its|their|my) way|coming|(?:left |yet |still )to come|waiting for|still out|outstanding|undelivered|underway|under way|in transit|expect\p{L}*|(?:have|has|did|are|is)(?:n['o]?t| not) (?:yet )?(?:arrived?|come|here|delivered|been delivered|got here)|not (?:yet )?(?:arrived|come|here|delivered|been delivered)|not delivered|what is still|what's still)\b/iu,
  /** Where a parcel is, as only the carrier knows. */
  place:
    /\b(?:where|which|what) [^?!.]{0,40}\b(?:right now|exactly|at (?:the|this) (?:very )?moment|currently|this minute|city|town|state|depot|hub|truck)\b|\bwhere (?:exactly|precisely)\b|\b(?:exactly|precisely) where\b|\b(?:see|follow|watch|track|check|know|find out) (?:myself |exactly )?where (?:it|that|the|my|they)\b|\b(?:exact|current|precise) (?:location|position|place)\b|\bhow far (?:away )?is\b/iu,
  /** On which day it was meant to come at first. */
  planned:
    /\b(?:original\p{L}*|initial\p{L}*|at first|first (?:date|day|eta|plan\p{L}*|meant|supposed|promised|estimate\p{L}*)|(?:previous|old|earlier|other|former) (?:date|day|eta|estimate)|supposed to|meant to|due to (?:come|arrive|be)|planned|should(?:'ve| have) (?:been|come|arrived|gotten|got)|later than|days? late|how late|running late|behind (?:schedule|time|plan)|on (?:time|schedule)|still (?:on|the) (?:time|schedule|same date))\b/iu,
  /** Whether the customer has to do anything, or something is wrong with the address. */
  todo: /(?<!\b(?:what|where|how|when)(?: \p{L}+)? )\b(?:do|must|should|need|have|am) (?:i|we)(?: (?:have|need|supposed|still|now|also|just|really|to))* (?:do (?:anything|something|sth|more)|act|take (?:action|care)|fix (?:anything|something|it|that)|confirm (?:anything|something|it)|call (?:them|anyone|someone|somebody|the \p{L}+)|contact|reach out|get in touch)\b|\bi (?:have|need) to (?:do (?:anything|something|sth)|act|contact)\b|\bneed me to\b|\bneed\b[^.!?]{0,30}\bfrom me\b|\b(?:on|from) my (?:end|side|part)\b|\b(?:wrong|incorrect|problem|issue|mistake|error|typo|bad|invalid|off)\b[^.!?]{0,30}\baddress(?:es)?\b|\baddress\b[^.!?]{0,30}\b(?:wrong|incorrect|a problem|an issue|bad|invalid)\b/iu,
  /** A reason, or who decided it. */
  why: /\bwhy\b(?! not\b)|\bhow come\b|\b(?:reason|explanation) (?:for|why|behind|is|was)\b|\bwhat(?:'?s| is| was) the reason\b|\bexplain\b|\bwho (?:\p{L}+ )?(?:cancel|refund|return|decid|order)\p{L}*\b|\bwhat(?:'s| is)? (?:caus(?:ed|es|ing)|went wrong|holding (?:it|that|them|this|my|the))\b|\bwhat(?:'s| is) the (?:cause|hold[ -]?up)\b|\bcause of\b/iu,
  /** The orders besides the one that was spoken of. */
  each: /\b(?:the rest|the others?|(?:my|the) other (?:ones?|two|orders?|parcels?|packages?))\b/iu,
  /** Whether a parcel holds a thing. */
  inside:
    /\b(?:is|are|was|were|would|could) (?:it|that|this|these|those|they) (?:be )?(?:the|my|our)\b|\b(?:is|are|does|do|will|would) [^?!.,]{1,40}\b(?:in (?:it|there|that|this|the (?:box|parcel|package))|inside)\b|\b(?:has|have|hold|contain|include)s? [^?!.,]{1,40}\b(?:in it|inside)\b|\bwhat(?:'s| is| else is| was)? (?:in (?:it|there|that|the (?:box|parcel|package))|inside)\b/iu,
  /** Whether it has been handed to the carrier. */
  left: /\b(?:has|have|is|are|was|were|did|hasn'?t|isn'?t|didn'?t)\b[^?!.,]{0,40}\b(?:shipped|ship|sent(?: (?:off|out))?|left|leave|dispatched|gone out|go out|posted|handed over)\b/iu,
  /** Whether an answer is certain. */
  sure: /\b(?:are )?you (?:\p{L}+ )?(?:sure|certain)\b|\b(?:will|does|is|would) (?:it|they|that|(?:the|my) \p{L}+) (?:really|truly|definitely|surely|certainly|actually|for sure) (?:come|arrive|be|get|make|going|here|there)\b/iu,
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
  return FACETS.filter((facet) => WORDS[facet]?.test(said) === true)
}
