import { clausesOf } from '../clauses.ts'
import { readAs, type Reading } from '../command.ts'
import type { Lesson } from '../lesson.ts'
import { afterReply } from '../phrases.ts'
import { CANCEL } from '../../dialogue/known-intents.ts'

const UNTIL_WHEN =
  /^\W*(?:(?:and|so|ok|okay|but|hi|hello|hey)[\s,]+)*(?:how late|at what point|(?:up to|up until|until|till|by) (?:when|what (?:point|day|time|date))|what(?:'s| is) the (?:latest|last (?:day|moment|chance)))\b/iu

/** "How late could I still call it off?": the rule is asked for, whatever it is about. */
export const asksUntilWhen = (text: string): boolean =>
  UNTIL_WHEN.test(text) && clausesOf(text).length === 1

const TIME_TO_DECIDE =
  /\b(?:until|till|by|up to) (?:when|what (?:day|date|time|point))\b|\bhow (?:long|much (?:time|longer)|many (?:days|hours))\b[^.!?]{0,20}\b(?:i|we)\b|\b(?:deadline|last (?:day|moment|chance))\b|\bhow late\b|\bwhen\b[^.!?]{0,20}\b(?:latest|too late)\b/iu
/** Whether a text asks until which day something is possible. */
export const asksLastDay = (text: string): boolean => TIME_TO_DECIDE.test(text)

/** What is waited for, and other actions. */
const OF_OTHER =
  /\b(?:wait|money|refund\p{L}*|return\p{L}*|back|arriv\p{L}*|deliver\p{L}*|com(?:e|es|ing)|get(?: it| them)? here|ship\p{L}*|take)\b/iu

/** "How long do I have to decide?": the time that is left for what is spoken of. */
export const asksTimeToDecide = (text: string): boolean =>
  TIME_TO_DECIDE.test(text) && !OF_OTHER.test(text)

/** The question of the documents on the time to cancel. */
export const UNTIL_CANCEL = 'until when can I cancel'

/** "How long can I think about it?", after a cancellation was offered, or named by the message. */
export function timeToCancel(text: string, { context }: Lesson): Reading | null {
  const { open, last } = context.dialogue
  const subject = open ?? last
  if (!asksTimeToDecide(text)) return null
  const isOfCancel = /\bcancel\p{L}*/iu.test(text) || subject?.intentId === CANCEL
  const isAfterReply = open !== null && afterReply(text) !== null
  return isOfCancel && !isAfterReply
    ? readAs([{ type: 'ask-knowledge', question: UNTIL_CANCEL }], 'it asks how long it can cancel')
    : null
}
