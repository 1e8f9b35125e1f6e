import { doubtOfYes } from '../../../dialogue/veto.ts'
import { CONFIRMATION } from '../../../turn/dialogue.ts'
import { APPROVED_FIRST } from '../../../wording/sentences.ts'
import type { Lesson } from '../../lesson.ts'

const WHO =
  '(?:(?:a|an|one of (?:your|the)|your|the|some|another) )?(?:colleagues?|co-?workers?|team(?:mates?)?|managers?|boss|supervisors?|people|person|human|them|him|her|whoever|someone|somebody|they)(?: (?:there|else|in charge|of yours))?'

/** An order to let a person decide: "ask your colleague then", "have your team look at it", "get it approved". */
const LETS_DECIDE = new RegExp(
  `\\b(?:ask|let|have|get|check with|consult)\\b[^.!?]{0,12}?\\b${WHO}\\b|\\b(?:pass|send|forward|give|hand|show|submit|put|take|run)\\b (?:it|that|this|the (?:refund|request|return)) ?(?:on|over|along|up|through|past|by)?(?: (?:to|with|by|past) ${WHO})?(?= |[,.!]|$)|\\b(?:get|have|let) (?:it|that|this) (?:be )?(?:approved|checked|looked at|reviewed|signed off)|\\b${WHO} (?:can|may|should|shall|could) (?:decide|approve|check|look|have a look|go ahead)`,
  'iu',
)

/** What is wanted of a person besides: to talk, or in place of what is open. */
const WANTS_PERSON =
  /\b(?:talk\p{L}*|speak\p{L}*|chat\p{L}*|writ(?:e|ing)|call|contact|connect|transfer|reach|instead|rather|directly|(?:get|give|put|send|bring) me|want|need|help me|why|how|what|when)\b/iu

/** Whether a text consents to what a person has to approve, by saying who is to do it. */
export function approves(text: string, { context }: Lesson): boolean {
  const { dialogue, history } = context
  const { open, choices } = dialogue
  const isOffered = open === null && choices.length === 1 && choices[0]?.agreed !== undefined
  if (!isOffered && open?.param !== CONFIRMATION) return false
  const before = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  return (
    before.endsWith(APPROVED_FIRST) &&
    LETS_DECIDE.test(text) &&
    !WANTS_PERSON.test(text) &&
    !/[\d?]/u.test(text) &&
    doubtOfYes(text) === null
  )
}
