/** The reply of a message to the open question, apart from any request. */
export type Reply = 'yes' | 'no' | 'drop'

const COURTESY =
  /\b(?:please|pls|plz|plss|pleas|thanks|thank (?:you|u)|thx|sir|madam|ma'?am|mate|buddy|well|so|oh|um|uh|hm+|hey|hi|hello|sorry|dear|actually|just|then|for (?:your help|now|me)|very much|a lot|bitte|danke|por favor|gracias|s il vous plait|s'il vous pla[iî]t|svp|stp|merci|per favore|grazie|obrigad[oa])\b/giu

const YES =
  /^(?:yes|ye|yee|approved|granted|yes yes|confirmed|agreeable|(?:that|it) would be (?:agreeable|good|great|fine|nice|lovely|perfect|ok|okay)|yeah|yea|yep|yup|ya|y|aye|sure|sure thing|for sure|ok|okay|k|fine|that is fine|thats fine|alright|all right|right|correct|exactly|of course|certainly|definitely|absolutely|indeed|confirm|confirmed|i confirm|i do|i am|i am sure|im sure|it is|that is right|thats right|that is correct|thats correct|do it|do that|do so|go ahead|go for it|go on|proceed|continue|sounds good|good|great|perfect|why not|by all means|no problem|no objections?|(?:i|yes) agree|agreed|makes sense|you may|you can|do|that is the one|thats the one|this is the one|that one|this one|thats it|that is it|its that one|it is that one|lets do it|lets do that|lets go|let us do it|you got it|yes (?:cancel|refund|return|send|change)|please do|would be great|would be good|would be nice|id like that|i would like that|i want that|that works(?: too| as well| for me)?|works for me|works|very well|ok good|100|10 4|roger|affirmative|totally|sim|sí|sì|claro|gerne|volontiers|ja ja|oui oui|uh huh|mhm+|si si|va bene|bien sûr|d accord|daccord|yessir|yes sir|yes maam|yas|yess+|yeah+|yh|okey|okie|okay dokey|okey dokey|alrighty|si|oui|ja|can you do (?:it|that|so)(?: now)?|could you do (?:it|that)(?: now)?|start it|start it now|start that|start the return|begin|do it now|do it already|just do it|as you say|lgtm|right on|thats correct|thats fine|thats ok|that is ok|thats okay|thats good|that is good|thats great|sounds right|looks right|looks good|looks correct|all correct|all good|confirmed yes|i said yes|yes i said|yes i want (?:to|it|that)|yes i do|i agree|go|proceed please|please proceed|make it so|be my guest)$/u

const NO =
  /^(?:(?:ok|okay|alright|fine|well|hm+) (?:no|nope|not)|no|no no|nope|nah|na|n|no way|not now|not yet|not really|not at all|never|dont|do not|dont do it|do not do it|dont do that|do not do that|rather not|id rather not|i would rather not|better not|negative|nay|noo+|nooo|nein|no sir|no no no|no thx|no thank|please no|wrong|wrong one|thats wrong|that is wrong|thats not right|that is not right|thats not it|that is not it|that is not the one|thats not the one|incorrect|not correct|not right|false|hang on|i said no|lets not|let us not|wait|hold on|i dont|i do not|i dont want (?:that|to|it)|i do not want (?:that|to|it)|i dont think so|absolutely not|of course not|certainly not|definitely not|please dont|stop|dont cancel it|dont refund it|keep it|leave it as it is)$/u

const DROP =
  /^(?:(?:nvm|nm|nevermind)|never ?mind(?: (?:that|it|about (?:it|that)))?|forget(?: about)? (?:it|that)|forget (?:what i said|everything)|drop (?:it|that)|leave it|let it be|scratch that|skip (?:it|that)|ignore that|it does not matter|it doesnt matter|does not matter|doesnt matter|not important|its not important|no longer needed|not needed any ?more|i changed my mind|ive changed my mind|i dont need it any ?more|i dont want it any ?more|cancel that|cancel this|abort|quit|exit|stop (?:it|that|this)|thats all|that is all|nothing|nothing else|(?:i was |i am |im )?(?:only )?(?:asking|wondering|checking|curious)(?: that| for information)?)$/u

/** The reply that a text as a whole, or in each part, gives without a contrary one. */
export function replyOf(text: string): Reply | null {
  const parts = partsOf(text)
  if (parts.length === 0) return null
  const replies = new Set(parts.map(replyOfPart))
  if (replies.size === 1 && !replies.has(null)) return replyOfPart(parts[0] ?? '')
  // "no, never mind", "no, leave it": dropping includes a no.
  if (replies.size === 2 && replies.has('no') && replies.has('drop')) return 'drop'
  // "Ok, never mind", "fine, forget it": the first word agrees to nothing.
  return leavesIt(text) ? 'drop' : null
}

/** Whether it is left with a word before that agrees to nothing: "ok, never mind". */
export const leavesIt = (text: string): boolean => LEAVES.test(partsOf(text).join(' '))

const LEAVES =
  /^(?:(?:ok|okay|k|alright|all right|fine|well|right|i see|good|great|no|nope) ?)+ (?:never ?mind(?: (?:it|that))?|forget(?: about)? (?:it|that)|leave it|let it be|scratch that|skip (?:it|that)|drop it|ignore that|(?:it )?does ?nt matter|it doesnt matter|dont bother)(?: (?:it|that|ok|okay))?$/u

/** Whether a text ends with a no, whatever it agrees to before: "good, please don't". */
export function endsWithNo(text: string): boolean {
  const replies = partsOf(text).map(replyOfPart)
  return replies.at(-1) === 'no' && replies.every((reply) => reply !== null)
}

/** The rest of a text that begins with a reply, such as "never mind, where is O-1"; `null` for none. */
export function afterReply(text: string): {
  readonly reply: Reply
  /** Whether it only gains time: "wait, what was in it?" refuses nothing. */
  readonly isPause: boolean
  readonly rest: string
} | null {
  const [, first = '', rest = ''] =
    /^([^,.;!?]{1,60}?)(?:[,.;!?]+|\s+(?=(?:and|also|but)\s))([^]*)$/iu.exec(text) ?? []
  const reply = replyOfPart(withoutCourtesy(first))
  if (reply === null || rest.trim() === '') return null
  return { reply, isPause: PAUSE.test(withoutCourtesy(first)), rest: rest.trim() }
}

const PAUSE = /^(?:wait|hold on|hang on|stop)$/u

const partsOf = (text: string): readonly string[] =>
  text
    .split(/[,.;!?\n]+|\s+[-–—]+\s+/u)
    .map(withoutCourtesy)
    .filter((part) => part !== '')

function replyOfPart(part: string): Reply | null {
  if (DROP.test(part)) return 'drop'
  if (NO.test(part)) return 'no'
  if (YES.test(part)) return 'yes'
  if (GOES_ON.test(part) && CARRIES_OUT.test(part)) return 'yes'
  // "yes please do it", "no i dont": the first word, then another reply of the same kind.
  const [first = '', ...rest] = part.split(' ')
  if (rest.length === 0) return null
  const [one, other] = [replyOfWord(first), replyOfRest(rest.join(' '))]
  if (one === 'yes' && rest.length <= 7 && CARRIES_OUT.test(rest.join(' '))) return 'yes'
  if (one === null || other === null) return null
  if (one === other) return one
  return one === 'no' && other === 'drop' ? 'drop' : null
}

/** Words that only carry out what was asked: "yes start it please", "yes send it back". */
const CARRIES_OUT =
  /^(?:(?:yes|yep|yeah|ok|okay|sure|go|ahead|start|begin|request|do|make|process|proceed|register|arrange|send|back|cancel|refund|return|change|confirm|book|it|that|this|them|those|these|the|my|a|an|order|refund|return|money|with|and|so|for|me|now|right|away|asap|sounds|good|great|perfect|fine|ok|okay|lets|let us|get|thank|you|of|course|exactly|correct|i|want|would|like|to|sure|is|right|one|correct|on|carry) ?)+$/u

const GOES_ON = /^(?:go (?:on|ahead)|proceed|please (?:proceed|go)|carry on)\b/u

const replyOfWord = (word: string): Reply | null =>
  NO.test(word) ? 'no' : YES.test(word) ? 'yes' : null

const replyOfRest = (rest: string): Reply | null =>
  DROP.test(rest) ? 'drop' : NO.test(rest) ? 'no' : YES.test(rest) ? 'yes' : null

/** A text in lower case, without courtesies and marks. */
export const withoutCourtesy = (text: string): string =>
  text
    .slice(0, 200)
    .toLowerCase()
    .replace(/['’‘`]/gu, '')
    .replace(COURTESY, ' ')
    .replace(/[^\p{L}\p{N} ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const CORRECTION =
  /\bi meant?\b(?!\s+(?:it|that)\b)|\bnot (?:that|this)(?: (?:one|order))?\s*(?:$|[,.!;])|\bthe other (?:one|order)\b|\b(?:wrong|incorrect) (?:one|order|number|id|order id|order number)\s*(?:$|[,.!;])|\bmade a (?:mistake|typo)\b/iu

const HINT =
  /^(?:no+|nope|nah|wait|sorry|oops|oh|correction|actually|rather)\b|\b(?:no|wait|sorry|oops|actually|rather|instead|correction)\b|\bnot\s+[\p{L}\s]{0,12}\p{L}*-?\d/iu

/** Whether a text corrects an earlier statement, whatever else it holds. */
export const isCorrection = (text: string): boolean => CORRECTION.test(text)

/** Whether it is a correction if it holds another value. */
export const hintsAtCorrection = (text: string): boolean => CORRECTION.test(text) || HINT.test(text)

/** Whether the words before a value reject it: "not O-1 but O-2". */
export const refusesNext = (before: string): boolean =>
  /\b(?:not|instead of|rather than|isn't|wasn't)\s+(?:the\s+|for\s+|order\s+|my\s+|number\s+){0,4}$/iu.test(
    before,
  )

/** Whether it refers to the other of two named values. */
export const meansOther = (text: string): boolean =>
  /\b(?:the other|another|a different|not (?:that|this)|wrong|incorrect)\b/iu.test(text)

/** Whether it says that there is another one, rather than only that this is not the one. */
export const namesOther = (text: string): boolean => /\b(?:other|another|different)\b/iu.test(text)

/** Whether it refers to a previously named value. */
export const meansSame = (text: string): boolean =>
  /\b(?:that|this|the same|same) (?:order|one|parcel|package|purchase|item|shipment|delivery)\b|\b(?:cancel|refund|return|track|check|stop|send|ship|exchange|deliver) (?:it|that|this|them)\b|\b(?:for|about|of|with|on) (?:it|that|this)\s*(?:$|[,.!?])|\bits\b(?! (?:on )?(?:the |its )?way\b)|\bwhere (?:is it|are they)\b|\bwhere's it\b/iu.test(
    text,
  )

/** Whether what goes on from an answer has a question of its own: "and what did I pay for O-2?" */
export const asksAnew = (text: string): boolean =>
  /^\W*(?:(?:and|also|now)\W+)+(?:(?:what|how)(?! (?:about|of)\b)|when|where|who|which|why|did|does|has|have|was|were|will)\b/iu.test(
    text,
  )

/** "What about O-2?", "and O-2?": repeats the request for another value. */
export const isOnceMore = (text: string): boolean =>
  /^(?:and|also|what about|how about|and what about|same for|the same for|now)\b/iu.test(
    text.trim(),
  )
