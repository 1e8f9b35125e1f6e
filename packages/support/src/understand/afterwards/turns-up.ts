import { SEND_BACK } from '../questions/standard.ts'
import { CONFIRMATION } from '../../turn/dialogue.ts'
import { readAs, type Reading } from '../command.ts'
import type { Lesson } from '../lesson.ts'
import { asksAnywhere } from '../read-questions.ts'
import { REFUND } from '../../dialogue/known-intents.ts'

const THING =
  '(?:it|they|this|that|(?:the|my) (?:\\p{L}+ ){0,2}?\\p{L}+|(?:the )?(?:driver|courier|carrier|mailman|postman|ups|usps|fedex|dhl|guy)|someone|somebody)'
const COMES =
  '(?:comes?|came|arrives?|arrived|shows? up|showed up|turns? up|turned up|gets? here|(?:is|are|gets?|does get|was) (?:delivered|brought|here|there)|does (?:come|arrive|show up|turn up|get (?:here|delivered))|brings? (?:it|them|the \\p{L}+)|delivers? (?:it|them|the \\p{L}+)|rings?)'
const STILL = '(?:(?:still|actually|really|then|ever|suddenly|eventually|finally|does|do) )*'

/** A parcel that comes in spite of its refund. */
const TURNS_UP = new RegExp(
  `\\b(?:if|when|once|in case|should|suppose|supposing|assuming|say|and then) ${THING} ${STILL}${COMES}\\b|\\b(?:comes?|arrives?|(?:shows?|turns?) up|delivered|brings? (?:it|them))\\b[^.!?]{0,30}\\b(?:anyway|after all|nonetheless|nevertheless|regardless|all the same|even so|in the end)\\b`,
  'iu',
)

/** What may be done with it then. */
const WHAT_THEN =
  /\b(?:what (?:do|should|shall|must|happens|then|now|am|if)|keep|kept|refuse|reject|decline|accept|turn (?:it|them|him|the \p{L}+) (?:away|down)|send|ship|return|give|mail|take it|back|mine|do i|should i|must i|can i|may i|then what)\b/iu

/** Money that is asked for, and days. */
const OTHERWISE =
  /\b(?:refund(?:ed)?|money|pay|paid|charged?|owe|cancel\p{L}*|exchange|neighbou?rs?|sign|signature|home|damaged|broken|doesn'?t|isn'?t|not|never|late|too small|too big|fits?)\b/iu

/** Whether a text asks what to do with a parcel that comes after its refund. */
export const asksOfTurningUp = (text: string): boolean =>
  asksAnywhere(text) && TURNS_UP.test(text) && WHAT_THEN.test(text) && !OTHERWISE.test(text)

/** "If it comes anyway, can I keep it?", where a refund is open, was made, or waits for a colleague. */
export function turnsUp(text: string, lesson: Lesson): Reading | null {
  const { open, blocked, done } = lesson.context.dialogue
  if (!asksOfTurningUp(text)) return null
  const isOpen = open?.param === CONFIRMATION && open.intentId === REFUND
  if (isOpen) return readAs([{ type: 'ask-knowledge', question: SEND_BACK }], 'it asks what then')
  const isAfter = open === null && (blocked.length > 0 || done !== null)
  return isAfter ? readAs([{ type: 'follow-up', about: 'turns_up' }], 'it comes after all') : null
}
