/** Idioms with a negation that agree all the same. */
const AGREES =
  /\b(?:no problem(?:o)?|no worries|no objections?|why not|no doubt|no (?:guarantees?|idea|chance|luck|hurry|surprise|wonder) (?:then|there)|do(?:n't| not) (?:worry|mind)|not a problem|can(?:'t|not) wait|no rush|nothing else)\b/giu

const NEGATES =
  /\b(?:no|nope|nah|not|never|none|neither|nor|without|cannot|stop|wait|hold on|hang on|do ?nt|dont|wont|cant|isnt|didnt|doesnt|wouldnt|shouldnt|keep it|leave it|forget it|changed my mind|scratch that|on second thoughts?)\b|n't\b/iu

const HESITATES =
  /\b(?:hmm+|hm|uhh*|umm*|maybe|perhaps|might|unsure|(?:let me|i(?:'ll| will)?|need to|have to|want to|gotta) (?:think|check|see|ask)|thinking|not sure|dunno|idk|later|first|before|but|however|although|though|unless|if|only|except|instead|rather|actually|what if|depends|as long as|provided|in case|until|once|when|after|otherwise|half|part(?:ially|ial)?|probably|possibly|i (?:guess|suppose)|tomorrow|tonight|next (?:week|month|year|\p{L}+day)|(?:on|until|by) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\?/iu

/** The reason why a text is not a yes although a reader took it for one. */
export type Doubt = 'negated' | 'hesitant'

/**
 * The deterministic veto on confirmations: a message with any negation, condition or hesitation is never a yes,
 * whatever a reader made of it. `null` if nothing speaks against it.
 */
export function doubtOfYes(text: string): Doubt | null {
  const said = text
    .slice(0, 2_000)
    .normalize('NFKC')
    .replaceAll(/[\u2018\u2019\u02bc`]/g, "'")
    .replaceAll(AGREES, ' ')
  if (NEGATES.test(said)) return 'negated'
  return HESITATES.test(said) ? 'hesitant' : null
}

/** Words that may change what is agreed to, or make it depend on something. */
const CHANGES_SCOPE =
  /\b(?:only|just|but|except|besides|first|both|others?|another|else|rest|instead|rather|if|unless|when|while|after|before|until|till|once|later|wait|half|part\p{L}*|some|most|more|less|one|two|three|all|each|every\p{L}*|amount|sum|total|full|orders?|money|price|refund\p{L}*|return\p{L}*|cancel\p{L}*|exchang\p{L}*|replac\p{L}*|swap\p{L}*|send|sent|ship\p{L}*|deliver\p{L}*|keep(?! \p{L}+ing\b)|kept|stays?|want\p{L}*|need\p{L}*|like to|please|should|must|would|will|could|can|may|might|maybe|perhaps|provided|as long|so long|though|however|think|sure|mind|stop|never mind|leave|hold|actually|also|too many|and|or|then|address|street|zip|free|cost\p{L}*|hope\p{L}*|told|promis\p{L}*|how|why|what|where|which|who|whether)\b|'(?:ll|d)\b|[\d$€£%]/iu

/** Whether what stands behind a yes may change what is agreed to: then it is asked again. */
export const changesScope = (rest: string): boolean => CHANGES_SCOPE.test(rest)

const IS_FINE =
  /\b(?:works|is|are|fits?|looks?)\b(?: \p{L}+)? (?:now|again|fine|ok|okay|good|great|perfect(?:ly)?|lovely|nice|well)\b(?! (?:enough|broken))/iu

/** Whether something is good, or has become good, and so does not have to be sent back: "the lamp works now". */
export const isFine = (text: string): boolean => IS_FINE.test(text)

/** Whether a text is undecided rather than a no. */
export const hesitates = (text: string): boolean =>
  /\b(?:not (?:really )?sure|unsure|let me (?:think|check|see)|i(?:'ll| will| need to| have to| want to| gotta)? think about|thinking|maybe|perhaps|dunno|idk|i do(?:n't| not) know|give me a (?:minute|moment|sec(?:ond)?)|one (?:moment|sec(?:ond)?|minute)|undecided)\b|^\W*hm+\W*(?:[\p{L}']+\W*){0,2}$/iu.test(
    text,
  )
