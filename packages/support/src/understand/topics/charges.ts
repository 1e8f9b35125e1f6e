import { CONFIRMATION } from '../../turn/dialogue.ts'
import { sourceIn } from '../../wording/sentences.ts'
import { type Command, readAs, type Reading } from '../command.ts'
import { isConditional, wantsPersonToLook } from '../directives.ts'
import { intentRead, type Lesson } from '../lesson.ts'
import { replyOf } from '../phrases.ts'
import { smallTalkIn } from '../social.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'

/** Messages back in which two charges were the subject. */
const MOST_BACK = 4

/** Longer texts tell something of their own. */
const MOST_WORDS = 30

const CHARGED_TWICE =
  /\b(?:charged?|debited|billed|paid|pay|withdrawn|booked|took(?: the money)?|taken)\b(?:[^.!?]|\.\d){0,60}\b(?:twice|two times|double|2x|2 times)\b|\b(?:two|2|double|duplicate) (?:\p{L}+ )?(?:charges?|debits?|payments?|bookings|withdrawals?|transactions?)\b/iu

/** Words of what a bank shows. */
const OF_CHARGES =
  /\b(?:charges?|charged|debit(?:s|ed)?|payments?|paid|bookings?|reservations?|transactions?|statements?|bank|card|account|twice|double|duplicate|both|two of them|the second one|one of (?:them|those|these|the two)|disappear\p{L}*|vanish\p{L}*|gone|still (?:on )?there|come back|went off)\b|[$]\s?\d|\b\d+\.\d\d\b/iu

/** Little words that ask on. */
const ASKS_ON =
  /^\W*(?:(?:so|and|ok|okay|but|well|hm+)\W+)*(?:when|why|how long|what now|now what|what then|so what|and)\b[^.!?]{0,20}\W*$/iu

/** Another thing that is asked for. */
const OF_ELSE =
  /\b(?:cancel|return|send|sent|ship|shipped|where|arriv\p{L}*|deliver\p{L}*|track\p{L}*|invoice|address|password|colleague|person|human)\b/iu

/**
 * Two charges for one order, which are no state of it: what they are, and what can be done once it was said. What is
 * told of them next stays on that subject.
 */
export function ofCharges(text: string, lesson: Lesson): Reading | null {
  const { open } = lesson.context.dialogue
  const before = lesson.context.history
    .filter(({ role }) => role === 'agent')
    .slice(-MOST_BACK)
    .map((one) => sourceIn(one.text) ?? '')
  const isNamed = CHARGED_TWICE.test(text) && !(isConditional(text) && !HOLDS.test(text))
  const isSubject = before.some(
    (source) => source === SECTIONS.chargedTwice || source === SECTIONS.bothChargesStay,
  )
  if (!isNamed && !(isSubject && goesOn(text, lesson))) return null
  if (wantsPersonToLook(text)) return null
  const asked = askedNext(before)
  if (open === null) return readAs([asked], 'documents say what two charges are')
  // "No! I don't want to cancel. I paid twice": what is open is left.
  return open.param === CONFIRMATION && isNamed && /^\W*no\b|n't\b|\bnot\b/iu.test(text)
    ? readAs([{ type: 'deny' }, asked], 'documents say what two charges are')
    : null
}

const HOLDS =
  /^\W*(?:(?:please|pls|hi|hello|hey|so|ok|could you|can you)[\s,]+)*(?:don'?t|do not|not|never|wait|hold)\b/iu

/** What has not been said of it yet. */
function askedNext(before: readonly string[]): Command {
  if (!before.includes(SECTIONS.chargedTwice))
    return { type: 'ask-knowledge', question: SECTIONS.chargedTwice }
  return before.includes(SECTIONS.bothChargesStay)
    ? { type: 'ask-knowledge', question: '', isBeyond: true }
    : { type: 'ask-knowledge', question: SECTIONS.bothChargesStay, offer: ['hand_over'] }
}

/** Whether a message goes on about the charges that were spoken of. */
function goesOn(text: string, lesson: Lesson): boolean {
  if (text.split(/\s+/u).length > MOST_WORDS || smallTalkIn(text).length > 0) return false
  if (replyOf(text) !== null) return false
  if (CHARGED_TWICE.test(text) || ASKS_ON.test(text)) return true
  if (OF_ELSE.test(text)) return false
  return OF_CHARGES.test(text) || intentRead(text, lesson) === null
    ? OF_CHARGES.test(text) || namesOnly(text)
    : false
}

/** "It's for the hoodie order": which one it is about. */
const namesOnly = (text: string): boolean =>
  /^\W*(?:(?:it'?s|it is|that'?s|that is|i mean|they are|they're|for|about|of|the one) )+(?:for |about |of )?(?:my|the)\b[^.!?,]{1,40}\W*$/iu.test(
    text,
  )
