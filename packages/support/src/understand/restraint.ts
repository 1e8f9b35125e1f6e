import { CONFIRMATION } from '../turn/dialogue.ts'
import { clausesOf, isRequest } from './clauses.ts'
import { type Reading, readAs } from './command.ts'
import { directiveIn, wantsPersonToLook } from './directives.ts'
import { type Lesson, openersFor, SURE } from './lesson.ts'
import { replyOf } from './phrases.ts'
import { asks, IDLE } from './read-questions.ts'

/** "Don't do anything for now", "no need to start it yet". */
const NOTHING =
  /\b(?:(?:don'?t|dont|do not|needn'?t|no need to|not to) (?:do|start|change|touch|send|cancel|refund|begin|start) (?:anything|nothing|something|it|that)(?: (?:for now|yet|now|then|please|at all|right now|today))*\s*(?:[.!,;)]|$)|no need (?:to|for)\b|nothing (?:for now|needs to be done))/iu

/** Whether it may object to a refusal: "oh come on, I was on holiday" accepts nothing. */
export const objects = (text: string, { context }: Lesson): boolean =>
  context.history.findLast(({ role }) => role === 'agent')?.metadata['outcome'] === 'denied' &&
  !ACCEPTS.test(text)

/** "That helped, thanks. Bye": a goodbye is answered as one. */
const TAKES_LEAVE =
  /\b(?:good ?bye|bye(?: bye)?|ciao|see (?:you|ya)|have a (?:good|great|nice|lovely) (?:day|one|evening|weekend))\W*$/iu

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
  const isHeldBack = NOTHING.test(text)
  const isIdle =
    clauses.length > 1 &&
    context.dialogue.open === null &&
    !TAKES_LEAVE.test(text) &&
    read.some(({ label, confidence }) => label === IDLE && confidence >= SURE)
  if (!isHeldBack && !isIdle) return null
  const isAsked = read.some(
    ({ clause, label, confidence }) =>
      !NOTHING.test(clause) &&
      (asks(clause) ||
        (label !== null &&
          label !== IDLE &&
          confidence >= SURE &&
          isRequest(clause, openersFor(lesson, label)))),
  )
  if (isAsked) return null
  const { open } = context.dialogue
  return open === null || open.param === CONFIRMATION
    ? readAs([{ type: 'deny' }], 'it wants nothing done')
    : readAs([{ type: 'cancel-task' }], 'it wants nothing done')
}
