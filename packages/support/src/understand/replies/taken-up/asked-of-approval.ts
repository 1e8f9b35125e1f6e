import { CONFIRMATION } from '../../../turn/dialogue.ts'
import { SECTIONS } from '../../../knowledge/known-sections.ts'
import { APPROVED_FIRST } from '../../../wording/sentences.ts'
import type { Command } from '../../command.ts'
import { wantsPersonToLook } from '../../directives.ts'
import type { Lesson } from '../../lesson.ts'
import { pauses } from '../no-yes.ts'
import { saidAndAsked } from '../said-and-asked.ts'

/** The person who approves, in the words of questions. */
const DECIDES =
  /\b(?:colleagues?|persons?|people|humans?|managers?|boss|supervisors?|team|some(?:one|body)|any(?:one|body)(?: else)?|approv\p{L}*|permission|sign(?:ed)? off)\b/iu
const DECIDES_YOURSELF =
  /\b(?:can'?t|cannot|couldn'?t|won'?t|don'?t|not) (?:you|u)\b|\byou (?:can'?t|cannot|don'?t|won'?t)\b/iu

/** A reason; or whether it has to be. */
const WHY =
  /\b(?:why|how come|what for|reason|needed|necessary|required|(?:have|has|need|needs) to|must|who|what (?:will|would|do|does|is|are|exactly)|(?:can|could) (?:you|i|we)\b[^?]*\b(?:without|yourself)|(?:can'?t|cannot|couldn'?t) you)\b/iu
const BARE_WHY =
  /^\W*(?:(?:ok(?:ay)?|and|but|hm+|oh|wait|so)[\s,]+)*(?:why|how come|what for)(?: is (?:that|it)| (?:that|so|the wait|this))?\W*$/iu

const WHEN = /\b(?:when|how (?:long|soon|fast|quick(?:ly)?|many)|today|tomorrow|weekends?)\b/iu

/** What is asked besides; a person who is wanted comes. */
const OF_ELSE =
  /\b(?:if|when(?:ever)? (?:it|they) (?:don'?t|say)|no|reject\p{L}*|declin\p{L}*|den(?:y|ies|ied)|refus\p{L}*|talk\p{L}*|speak\p{L}*|chat\p{L}*|writ(?:e|ing)|call\p{L}*|phone|email|contact\p{L}*|connect\p{L}*|transfer\p{L}*|reach|pass|(?:get|give|put|send|bring) me|want|instead|rather|return\p{L}*|cancel\p{L}*|from me|bot|robot)\b/iu

/**
 * "Why does a colleague have to look at it?", where a person has to approve what is to be confirmed: it asks for the
 * rule, wants no person, and leaves the question open. `null` for others.
 */
export function askedOfApproval(text: string, { context }: Lesson): Command | null {
  const { dialogue, history } = context
  const before = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  if (dialogue.open?.param !== CONFIRMATION || !before.endsWith(APPROVED_FIRST)) return null
  const { said, asked } = saidAndAsked(text)
  if (asked === '' || (said !== '' && !pauses(said))) return null
  if (OF_ELSE.test(asked) || wantsPersonToLook(text)) return null
  if (BARE_WHY.test(asked)) return asking(SECTIONS.approvalReason)
  const isOfPerson = DECIDES.test(asked) || (DECIDES_YOURSELF.test(asked) && WHY.test(asked))
  if (!isOfPerson) return null
  if (WHEN.test(asked)) return asking(SECTIONS.approval)
  return WHY.test(asked) ? asking(SECTIONS.approvalReason) : null
}

const asking = (question: string): Command => ({ type: 'ask-knowledge', question })
