/** Idioms with a negation or a condition that agree all the same. */
const AGREES =
  /\b(?:no problem(?:o)?|no worries|no hard feelings|no objections?|why not|no doubt|no (?:guarantees?|idea|chance|luck|hurry|surprise|wonder) (?:then|there)|do(?:n't| not) (?:worry|mind)|not a problem|can(?:'t|not) wait|no rush|nothing else|no use|no hurry|(?:it )?(?:can(?:'?t|not)|can not) be (?:undone|taken back|reversed|changed back)|not a bad idea|no matter|no longer|if not already|(?:otherwise|or|else) i (?:would(?:n'?t| not)|wouldnt) (?:be |have )?(?:ask\p{L}*|written|writ\p{L}*|here|said)|if (?:a|an|your|the|another|one of your) (?:colleagues?|person|manager|human|agent) (?:(?:has|have|needs?|had) to|must) (?:\p{L}+ ){0,2}?(?:approve|look|check|agree|confirm|see|review|sign)(?: (?:at |into |on |off )?(?:it|that|this))?(?: off)?(?: first)?)\b/giu

/**
 * A text without what agrees although it holds a negation or a condition: "otherwise I wouldn't have asked", "I'll order
 * again when we're back".
 */
export const withoutIdioms = (text: string): string =>
  text.replace(SOUND, '').replaceAll(AGREES, ' ').replaceAll(ORDERS_ANEW, ' ')

/** "Hmm ok do it": a sound before words that order it, or say yes. */
const SOUND =
  /^\W*(?:h+m+|u+m+|u+h+|er+m*)[\s,.!-]+(?=(?:(?:ok(?:ay)?|fine|well|sure|all ?right|alright|right|then|so)[\s,.!-]+)*(?:yes|yeah|yep|yup|sure|do (?:it|that|so)|go (?:ahead|on|for it)|please|proceed|let'?s do (?:it|that))\b(?!,? (?:but|or|i (?:see|know|think|guess|suppose))\b))/iu

/** What can be done, and whether it is wanted: a negation of it refuses. */
const ACTS =
  '(?:refund\\p{L}*|return\\p{L}*|cancel\\p{L}*|chang\\p{L}*|send|sending|ship|deliver|start|begin|go ahead|proceed|do (?:it|that|this|so)|doing|process|book|confirm|agree|ask|get|bring|call)'

/** A clause that refuses: a no at its beginning, or a negation of what would be done. */
const REFUSES = new RegExp(
  `^(?:(?:oh|ok|okay|well|hm+|and|but|so|then|actually|please|sorry|yes|yeah|just)[\\s]+)*(?:no(?! (?:use|point|need (?:for|of)|wonder|longer|good)\\b)|nope|nah|nobody (?:needs?|has|have) to|never(?! (?:worked|came|arrived|used|wore|liked|fit|even|again)\\b)|none|neither|not(?! (?:shipped|sent|needed|wanted|what i)\\b)|(?:don'?t|do not)(?! (?:really )?(?:(?:need|like|use|wear) (?:it|them|that|those|these|this)(?: any ?(?:more|longer)| anyway| now)?|want (?:it|them) any ?(?:more|longer))$)|stop(?! it$)|wait(?!ed|ing)|hold on|hang on|forget (?:it|that|about|the (?:refund|return|cancel\\p{L}*|change|address|order|whole))|i(?:'ll)? (?:pass|decline)|scratch that|keep (?:it|them|that)(?= |$)|leave (?:it|them|that)|on second thoughts?|cannot|can'?t(?! (?:wait|hurt|use|wear|keep|stand|afford)\\b)|abort|scrap|spare|skip|drop (?:it|that)|(?:please )?(?:do|change|touch|cancel|refund|return|send|start) (?:nothing|none)|(?:absolutely|certainly|definitely|of course|rather|better|preferably|probably) not)(?![\\p{L}'])|(?:\\b(?:not|never|without|cannot)|n't|\\bdo ?nt|\\bwont|\\bdidnt|\\bshouldnt|\\bwouldnt) (?:\\p{L}+ ){0,3}?${ACTS}(?!\\p{L}| (?:yet|you|your|anything))|\\b(?:that|this|it)(?:'?s| is) ?(?:not|n't) (?:right|correct|true|it|mine|(?:the|my) (?:\\p{L}+ )?(?:one|right|address|office|home|place|order)|what i)(?!\\p{L})|(?:n't|\\bdont|\\bnot) (?:really |yet )?(?:want|like) (?:that|to|you|a|the (?:refund|return|money|cancel\\p{L}*))(?!\\p{L})|\\b(?:keep it|leave it|forget it|scratch that|hold on|hang on|on second thoughts?)\\b`,
  'iu',
)

/** A negation. */
const NEGATION =
  /\b(?:no|nope|nah|not|never|none|neither|nor|cannot|do ?nt|dont|wont|cant|isnt|didnt|doesnt|wouldnt|shouldnt)\b|n't\b/iu

/** The beginning of a clause that tells something of the thing, or of the customer. */
const TELLS_OF =
  /^(?:(?:yes|yeah|yep|ok|okay|sure|please|well|and|but|so|also|cause|cos|because|since|as|though|sorry)\s+)*(?:(?:don'?t|do not|no longer|never) (?:really )?(?:(?:need|like|use|wear) (?:it|them|that|those|these|this)(?: any ?(?:more|longer)| anyway| now)?|want (?:it|them) any ?(?:more|longer))$|(?:it|its|it's|they|they're|theyre|this|these|those|that|there|he|she|we|you|u|the|my|our|his|her|an?|some|nobody|no one|somebody|someone|which|who)(?![\p{L}'])|(?:it|that|this|they|we|he|she|you|there)(?:'|s\b)|i'?m (?:moving|staying|leaving|going|away|out|getting|having|expecting|travel\p{L}*)(?!\p{L})|i (?:(?:really|just|honestly|still) )?(?:(?:don'?t|do not|no longer|no(?= need)|won'?t|will not|can'?t|cannot|never|didn'?t|haven'?t|hadn'?t|wasn'?t|wouldn'?t|couldn'?t|am not|was not)(?: \p{L}+)? )?(?:be )?(?:need\p{L}*|want\p{L}*|us(?:e|ed|ing)|lik(?:e|ed)|live|have|am (?:moving|staying|leaving|going|away|out|getting|having|expecting|travel\p{L}*)|wear|wore|care|keep|going to keep|open\p{L}*|order\p{L}*|ordered|bought|fit|afford|stand|lost|found|trust|get|speak|understand|mind)(?!\p{L}))/iu

/** A condition on which something would be done. */
const CONDITION =
  /\bif\b(?! (?:you|u) (?:could|can|would|may|might|please|like|don'?t mind|wouldn'?t mind|would be so kind|want|must)(?=\s*(?:$|[,.!]|please|yes|then))| (?:possible|need(?:ed)? be|necessary)\b| that'?s (?:what it takes|ok|okay|all right|possible|the only way|how (?:it|this|that) (?:is|works|goes))\b)(?<!\b(?:even|obliged|grateful|glad|as) if)|\b(?:unless|only (?:when|after|once|on|with|half|part|some)|provided|providing|as long as|so long as|on (?:the )?condition|in case|depend\p{L}*|assuming|until|as soon as(?! (?:possible|you can))|once (?:it|you|they|the|i|we|my|that|she|he)|(?:when (?:you|i|we)(?! (?:can|get|have (?:a|time)))|(?:after|before) (?:you|i|we|doing|anything)|before that)|not before|in exchange|except|apart from|other than|without)\b/iu

/** Undecided. */
const HESITATES =
  /\b(?:or (?:wait|no|nope|not|rather|maybe|should)(?! (?:only|just)\b)|hmm+|hm|uhh*(?!\W?huh)|umm+|erm|maybe(?! (?:they|he|she|someone|somebody|that|a colleague|your colleague) (?:can|could|will|would|might|helps?|knows?)\b)|perhaps|might(?! as well)|unsure|undecided|(?:let me|i(?:'ll| will)?|need to|have to|want to|gotta) (?:think|check|see(?! )|ask)|thinking(?: about)?|sleep on|(?:not|n't) (?:really |so |quite |entirely |too |all that |100 ?%? |completely )?(?:sure|convinced|certain|decided)|dunno|idk|(?:don'?t|do not) (?:really )?know(?! how| why)|no idea|doubt\p{L}*|hesita\p{L}*|make up my mind|can'?t decide|torn|should i|what if|depends|probably|possibly|half(?! an? (?:hour|day|year))|part(?:ially|ly)?|postpon\p{L}*|hold off|put (?:it|that) off|i(?:'ll| will|ll)? (?:rather |just )?wait(?! for)|(?:one|just a|give me a) (?:sec|second|moment|minute)|bear with me|\b(?:it|that|this|all|shipping|postage)(?:'s| is| was| are)? (?:all )?free\b|i (?:guess|suppose)(?! that)(?! so\b.*\b(?:do|yes))|would say(?! yes\b)|if at all|please (?:first )?(?:explain|describe|clarify|elaborate)|explain (?:first|that|this|it|how|what|why)|(?:tell|show) me first|(?:give|let) (?:it|them|that|us|me|you) (?:another |a (?:few|couple(?: of)?) |one |two |three |some |\d+ )?(?:more )?(?:days?|weeks?|hours?|time|while|chance)|i(?:'d| would) like to (?:think|know|wait))\b/iu

/** Where something else is wanted, or the same otherwise. */
const OTHERWISE =
  /\b(?:gift card|store credit|voucher)\b|\b(?:but|and) (?:not|first|wait|keep|leave|only)\b|\brather\b[^.!?]*\bthan\b|^(?:but )?first\b|(?<!\b(?:the|in|at) )\bfirst$|\b(?:rather|instead)\b(?<!\b(?:i'd|id|would) rather)(?<!\b(?:that|it|this) instead)(?! (?:have|talk|speak|get|take))/iu

/** A time at which it is to be done, in a clause that tells nothing of its own. */
const AT_A_TIME =
  /\b(?:later|tomorrow|tonight|next (?:week|month|year|\p{L}+day)|in (?:a|an|two|three|\d+) (?:minutes?|hours?|days?|weeks?)|not (?:today|now|yet)|(?:on|until|by) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/iu
const TELLS = /\b(?:i|we|he|she|they|my|it)\b|\bi'/iu
/** "Do it tomorrow": an order, and no word of who is there or not. */
const ORDERS =
  /^\W*(?:(?:yes|yeah|yep|sure|ok|okay|please|fine|well|just|then|so|and|but|let'?s|we(?:'ll| will)?|i(?:'ll| will)|er+|u+h+|u+m+|h+m+)\W+)*(?:do|cancel|refund|return|send|start|change|make|process|proceed|go ahead)\b(?!.*\b(?:i|we|he|she|they|you)\b)/iu

/** Whether a clause wants it at another time. */
const isForLater = (clause: string): boolean =>
  AT_A_TIME.test(clause) && (!TELLS.test(clause) || ORDERS.test(clause))

/** A yes that somebody else gave, that was given before, or that would be given. */
const NOT_GIVEN =
  /\b(?:my|his|her|our|your|their|any|some) ?\p{L}+(?: \p{L}+)? would (?:rather |just |simply |certainly |probably )*(?:cancel|refund|return|send|take|do|say|keep|change|agree|want|go)\b|(?<!\bi(?:'ve| have)?(?: already| just)?) (?:says?|said|agrees?|agreed|thinks?|thought) (?:yes|yeah|ok|okay|sure|fine)\b|\bi (?:already |just )?(?:said|agreed) (?:(?:yes|yeah|ok|okay|sure) )?(?:to (?:that|it|this|something|one)|once|back then|last|before|too|because|only)\b|\b(?:i'd|i would|id) (?:have )?(?:say|said|agree|agreed|do it|take it) .*\bbut\b/iu

/** A bad outcome of a yes: "do it and you lose a customer", "that would be a mistake". */
const THREATENS =
  /\band (?:then )?(?:you|i|my|we|our|he|she|they|it|this|that|there)\b[^.!?]*\b(?:los(?:e|es|ing|t)|kill\p{L}*|sue\p{L}*|complain\p{L}*|report|regret\p{L}*|mad|angry|furious|upset|elsewhere|lawyers?|trouble|fired?|hates?|cry|cries|scream\p{L}*|reviews?)\b|\b(?:would|'d|will|'ll|might|could) be (?:an? |such an? |the |so |very |really |just |too )*(?:mistake|disaster|shame|pity|joke|nonsense|stupid|silly|crazy|terrible|awful|unfair|ridiculous|waste|worst|wrong|bad|sad|annoying|useless|pointless)\b|\bruin\b/iu

/** Whether a text names a bad outcome of a yes. */
export const threatens = (text: string): boolean => THREATENS.test(text)

/** A value to be confirmed that is wrong. */
const MISWRITTEN = /\b(?:typos?|misspell\p{L}*)\b/iu

/** Bitter words of praise. */
const BITTER =
  /\b(?:just|simply|oh) (?:great|perfect|wonderful|fantastic|lovely|brilliant|awesome)\b(?!.*\b(?:please|thanks?|thank you|do it|yes)\b)|\boh,? (?:sure|right)\b(?!.*\b(?:please|thanks?|thank you|do it|yes)\b)|\byeah,? right\b/iu

/** What the customer orders afterwards: "I'll order again when we're back". */
const ORDERS_ANEW = /\bi(?:'ll| will) (?:just |then )?(?:re-?order|order|buy)\b[^.!?,;]*/giu

/** Why a text is no yes although a reader took it for one. */
export type Doubt = 'negated' | 'hesitant'

/**
 * The deterministic veto on confirmations: a message with a refusal, a condition, a hesitation or another time is
 * never a yes, whatever a reader made of it. What a clause tells of the thing may hold a negation: "it doesn't fit".
 * `null` if nothing speaks against it.
 */
export function doubtOfYes(text: string): Doubt | null {
  const said = withoutIdioms(
    text
      .slice(0, 2_000)
      .normalize('NFKC')
      .replaceAll(/[\u2018\u2019\u02bc`]/g, "'"),
  )
  const clauses = clausesIn(said)
  if (clauses.some(refuses)) return 'negated'
  if (onlySays(KNOWS, said) || onlySays(SUMS_UP, said)) return 'hesitant'
  const isHesitant =
    said.includes('?') ||
    CONDITION.test(said) ||
    HESITATES.test(said) ||
    NOT_GIVEN.test(said) ||
    THREATENS.test(said) ||
    MISWRITTEN.test(said) ||
    BITTER.test(said) ||
    clauses.some((clause) => OTHERWISE.test(clause) || isForLater(clause))
  return isHesitant ? 'hesitant' : null
}

/**
 * "Yes, I know. I want a 43", "ok so I have a week": that what was said is known or summed up agrees to nothing,
 * unless something else does.
 */
const onlySays = (what: RegExp, text: string): boolean => {
  const rest = text.replaceAll(what, ' ')
  return rest !== text && !AGREES_BESIDES.test(rest)
}

const KNOWS =
  /(?:\b(?:yes|yeah|yep|yup|ok|okay|right|sure|fine|well|oh)[\s,]+)*\bi (?:already |do |did )?(?:know|knew|see|heard|noticed|saw)(?: (?:that|it|this|already|about (?:it|that)))*(?=\s*(?:[.,;:!]|$|\b(?:but|and|though)\b))/giu

const SUMS_UP =
  /(?:\b(?:ok|okay|right|fine|well|hm+|ah|oh|yes|yeah)[\s,]+)+so (?:i|it|that|this|the|we|there|my|you)\b(?! agree| want| would| do\b| say| take)[^.,;:!?\n]*/giu

const AGREES_BESIDES =
  /\b(?:yes|yeah|yep|yup|sure|please|ok|okay|fine|go|do|proceed|agree\p{L}*|confirm\p{L}*|cancel|refund|return|send|start|change|want (?:it|that|this|to))\b/iu

/** Whether a clause refuses, or negates anything but what it tells of the thing. */
const refuses = (clause: string): boolean =>
  REFUSES.test(clause) || (NEGATION.test(clause) && !TELLS_OF.test(clause))

const clausesIn = (text: string): readonly string[] =>
  text
    .split(/[.!?;:\n]+(?=\s|$)|,(?=\s|$)|\s[-–—]+\s|\.{2,}|…|\b(?:because|since|cause|cos)\b/iu)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')

/** Whether a text is undecided rather than a no. */
export const hesitates = (text: string): boolean =>
  /\b(?:not (?:really )?sure|unsure|let me (?:think|check|see)|i(?:'ll| will| need to| have to| want to| gotta)? think about|thinking|maybe|perhaps|dunno|idk|i do(?:n't| not) know|give me a (?:minute|moment|sec(?:ond)?)|one (?:moment|sec(?:ond)?|minute)|undecided)\b|^\W*hm+\W*(?:[\p{L}']+\W*){0,2}$/iu.test(
    text,
  )
