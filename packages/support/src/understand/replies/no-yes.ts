import { intentOf, type Lesson } from '../lesson.ts'
import { leavesIt, replyOf } from '../phrases.ts'
import { correctedParams } from '../read-wishes.ts'
import { smallTalkIn } from '../social.ts'
import { isStrong, isWeak } from './agrees.ts'
import type { Asked } from './asked.ts'
import { subjectsIn } from './plain-reply.ts'
import { tellsOfIt } from './remarks-beside.ts'
import { piecesOf } from './said-and-asked.ts'
import { stillAsked } from './whole.ts'

/** Whether what was offered is not taken, although some word of it may agree. */
export const takesNone = (said: string, question: string): boolean =>
  NO_MORE.test(said) ||
  ALONE.test(said) ||
  LEAVES.test(said) ||
  leavesIt(said) ||
  (THANKS.test(said) && !isStrong(said)) ||
  (question !== '' && isWeak(said))

/** What customers do themselves. */
const ALONE = /\b(?:myself|on my own)\b/iu

/** Words of those who go, or object. */
const LEAVES =
  /\b(?:good ?bye|bye|good night|have a (?:nice|good|great|lovely))\b|^\W*(?:oh )?come on\b/iu

/** Whether a text only thanks or takes note. */
export const isCourtesy = (said: string): boolean =>
  (NO_MORE.test(said) || smallTalkIn(said).length > 0) && replyOf(said) !== 'yes' && !isStrong(said)

/** Words that take note of what was said, and thanks. */
const NO_MORE =
  /^(?:\W*(?:ok(?:ay)?|k|fine|all ?right|right|good(?: to know)?|great|cool|perfect|nice|i see|understood|got it|(?:many |no,? )?thanks?(?: you)?(?: (?:so|very) much| a lot| for (?:your help|that|the info\p{L}*|telling me))?|thx|ty|cheers|too bad|no (?:problem|worries)|then|that|well|oh|ah)\b)*(?:\W*(?:thanks?|thank you|thx|ty|cheers|good to know|i see|too bad|understood|got it|no (?:problem|worries))\b)(?:\W*(?:so much|very much|a lot|then|anyway|you|for (?:your help|that|the info\p{L}*|telling me))\b)*\W*$/iu

/** "Lovely service. Thank you!" agrees to nothing; "thanks, refund it" and "thanks, that helps" do. */
export const onlyThanks = (said: string, { about }: Asked): boolean =>
  THANKS.test(said) && !isStrong(said) && !subjectsIn(said).includes(about) && !ACCEPTS.test(said)

const ACCEPTS =
  /\b(?:appreciate|yes|yeah|sure|ok|okay|do (?:it|that|so)|go (?:ahead|on)|(?:would|will|'d|'ll) (?:be|help|do)|helps?|works?|sounds|agreed?)\b/iu

const THANKS = /\b(?:thanks|thank you|thx|cheers)\b/iu

/** What customers do in place of what is asked: "ok fine, I'll keep it". */
export const goesOwnWay = (said: string, { about }: Asked): boolean =>
  !isStrong(said) &&
  !subjectsIn(said).includes(about) &&
  piecesOf(said).some(({ text }) => OWN_WAY.test(text)) &&
  piecesOf(said).every(({ text }) => OWN_WAY.test(text) || isWeak(text) || tellsOfIt(text))

const OWN_WAY =
  /^(?:(?:ok|okay|fine|well|then|so|all ?right|right|good|oh|hm+)\W+)*(?:then )?(?:i(?:'ll| will|'d rather| would rather)|ill|we(?:'ll| will)|let me) (?:just |simply |rather |then |probably )?(?:keep|wait|leave|live with|manage|try|rephrase|call|write|check|look|see|pass|stay|give it (?:away|to)|fix|repair|use)(?!\p{L})/iu

/** Whether a text only gains time. */
export const pauses = (said: string): boolean => PAUSES.test(said)

const PAUSES =
  /^\W*(?:(?:actually|ok|okay|oh|hm+|well|but|sorry|no|hey|so|yes|and)\W+)*(?:wait|hold on|hang on|one (?:moment|second|sec|question|thing)|just a (?:sec|second|moment|minute)|stop|i meant?|before (?:that|you do(?: that)?)|(?:a )?quick question|first)(?: (?:a|for a) (?:sec|second|moment|minute))?\W*$/iu

/** "Refund my other order", "yes, but the other one": not what is asked, but another of its kind. */
export const meansAnother = (text: string): boolean => ANOTHER.test(text)

const ANOTHER =
  /^(?:\W*(?:yes|yeah|no|nope|but|and|please|actually|rather|i meant?|it'?s|for|do|refund|return|cancel|send back)\b)*\W*(?:(?:(?:my|the) other|another|a different) (?:one|order|parcel|package)|something else)\b/iu

/** Whether a message gives another value of what is open, or one that was not said before in place of a yes. */
export function changes(said: string, lesson: Lesson): boolean {
  const { open, choices } = lesson.context.dialogue
  const target = open ?? choices[0]
  const intent = target === undefined ? undefined : intentOf(lesson, target.intentId)
  if (target === undefined || intent === undefined) return false
  // The whole is asked for, where a sum was offered.
  if (stillAsked(said, target.params) !== target.params) return true
  const isPlace = Object.values(intent.params).some(({ wholeAnswer }) => wholeAnswer)
  if (isPlace && /\d/u.test(said) && !isStrong(said)) return true
  const isYes = piecesOf(said).some(({ text }) => replyOf(text) === 'yes')
  return Object.entries(correctedParams(said, intent)).some(([name, value]) => {
    const known = target.params[name]
    if (Object.keys(intent.params[name]?.values ?? {}).length > 0) return false
    return known === undefined ? !isYes : known !== value && Number(known) !== Number(value)
  })
}
