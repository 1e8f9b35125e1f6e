import { CONFIRMATION } from '../turn/dialogue.ts'
import { clausesOf, isRequest } from './clauses.ts'
import { type Reading, readAs } from './command.ts'
import { directiveIn, wantsPersonToLook } from './directives.ts'
import { HAND_OVER } from '../turn/hand-over.ts'
import { CERTAIN, intentOf, LEAST, type Lesson, openersFor, SURE } from './lesson.ts'
import { isCorrection, replyOf } from './phrases.ts'
import { wantsNewOne } from './replies/taken-up/preferred.ts'
import { asks, IDLE } from './read-questions.ts'

/** "Don't do anything for now", "no need to start it yet". */
const NOTHING =
  /\b(?:(?:don'?t|dont|do not|needn'?t|no need to|not to) (?:do|start|change|touch|send|cancel|refund|begin|start) (?:anything|nothing|something|it|that)(?: (?:for now|yet|now|then|please|at all|right now|today))*\s*(?:[.!,;)]|$)|no need (?:to|for)\b|nothing (?:for now|needs to be done))/iu

const NOT_SENT = /\b(?:don'?t|dont|do not|no need to) (?:send|ship|deliver)\b/iu

/** Whether it may object to a refusal: "oh come on, I was on holiday" accepts nothing. */
export const objects = (text: string, { context }: Lesson): boolean =>
  context.history.findLast(({ role }) => role === 'agent')?.metadata['outcome'] === 'denied' &&
  !ACCEPTS.test(text)

/** "That helped, thanks. Bye": a goodbye is answered as one. */
const TAKES_LEAVE =
  /\b(?:good ?bye|bye(?: bye)?|ciao|see (?:you|ya)|have a (?:good|great|nice|lovely) (?:day|one|evening|weekend))\W*$/iu

/** Whether the whole reads like nothing that is asked for. */
function isIdleAsWhole(text: string, { classifier }: Lesson): boolean {
  const { label, confidence } = classifier.classify(text)
  return label === null || label === IDLE || confidence < LEAST
}

/** "OH 45402", "Omaha": what stands between the commas of an address says nothing. */
const PIECE_OF_ADDRESS = /^(?:\P{L}*[A-Z]{2},? \d{5}(?:-\d{4})?|\p{Lu}\p{L}+)$/u

const ACCEPTS =
  /\b(?:ok|okay|fine|alright|all right|leave|keep|wait|never mind|worth|thanks|thank you|got it|understood|i see|too bad|pity|shame|no problem|fair enough|makes sense)\b/iu

/**
 * A message that holds back, in one of its sentences, and asks for nothing in the others: "If it comes on the 23rd I
 * can live with that. Don't do anything for now."
 */
export function restrained(text: string, lesson: Lesson): Reading | null {
  const { classifier, context } = lesson
  if (text.includes('?') || objects(text, lesson)) return null
  if (directiveIn(text) !== null || wantsPersonToLook(text)) return null
  // "Ok then do that" holds nothing back.
  if (replyOf(text) === 'yes') return null
  const clauses = clausesOf(text)
  const read = clauses.map((clause) => ({ clause, ...classifier.classify(clause) }))
  // Where nothing is open, "don't send it" is a wish of its own.
  const isHeldBack = NOTHING.test(text) && !(context.dialogue.open === null && NOT_SENT.test(text))
  const isIdle =
    clauses.length > 1 &&
    !isCorrection(text) &&
    !wantsNewOne(text) &&
    // "Just refund the jeans and we're good" asks for something, whatever else it says.
    isIdleAsWhole(text, lesson) &&
    context.dialogue.open === null &&
    !TAKES_LEAVE.test(text) &&
    read.some(
      ({ clause, label, confidence }) =>
        label === IDLE && confidence >= SURE && !PIECE_OF_ADDRESS.test(clause),
    )
  if (!isHeldBack && !isIdle) return null
  const isAsked = read.some(
    ({ clause, label, confidence }) =>
      (!isHeldBack || !NOTHING.test(clause)) &&
      (asks(clause) ||
        (label !== null &&
          label !== IDLE &&
          confidence >= SURE &&
          (isRequest(clause, openersFor(lesson, label)) ||
            (intentOf(lesson, label) !== undefined && confidence >= CERTAIN) ||
            label === HAND_OVER))),
  )
  if (isAsked) return null
  const { open } = context.dialogue
  return open === null || open.param === CONFIRMATION
    ? readAs([{ type: 'deny' }], 'it wants nothing done')
    : readAs([{ type: 'cancel-task' }], 'it wants nothing done')
}
