import { CONFIRMATION } from '../../turn/dialogue.ts'
import { HAND_OVER } from '../../turn/hand-over.ts'
import { type Command, readAs, type Reading } from '../command.ts'
import type { Lesson } from '../lesson.ts'
import { thingsIn } from '../read-wishes.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'

/** The thing rather than its money. */
const PREFERS =
  /\b(?:rather|prefer\p{L}*|want\p{L}*|need|like|give me|send me|get me)\b[^.!?]{0,60}\b(?:than|over|not|instead of|and no|no) (?:the |a |any |my |your )?(?:money|refund|cash|reimbursement)\b/iu

/** Other things that are wanted in place of money. */
const OF_ELSE = /\b(?:vouchers?|gift cards?|return|back|keep|colleague|person)\b/iu

/** "I'd rather have the cable than the money": nothing is sent again; what can be done is offered. */
export function prefersThing(text: string, lesson: Lesson): Reading | null {
  if (!PREFERS.test(text) || OF_ELSE.test(text) || thingsIn(text, lesson).length === 0) return null
  const { open } = lesson.context.dialogue
  if (open !== null && open.param !== CONFIRMATION) return null
  const asked: Command = {
    type: 'ask-knowledge',
    question: SECTIONS.replacements,
    offer: ['refund', HAND_OVER],
  }
  return readAs(open === null ? [asked] : [{ type: 'deny' }, asked], 'it wants the thing')
}
