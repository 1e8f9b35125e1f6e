import { readAs, type Reading } from '../command.ts'
import { asks } from '../read-questions.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'

/** Longer texts hold more than one such question. */
const MOST_CHARACTERS = 140

/** Questions of the label of a return, and of a day that the customer sets: the rules say both. */
export function ofSending(text: string): Reading | null {
  if (text.length > MOST_CHARACTERS || !(text.includes('?') || asks(text))) return null
  if (LABEL.test(text) && !OF_AN_ACTION.test(text)) {
    return readAs(
      [lookUp(COSTS.test(text) ? SECTIONS.returnCost : SECTIONS.noLabel)],
      'it asks for the label',
    )
  }
  return SETS_DAY.test(text) && !OF_AN_ACTION.test(text) && !MOVES.test(text)
    ? readAs([lookUp('can you send it later')], 'it asks for a day of its own')
    : null
}

const lookUp = (question: string) => ({ type: 'ask-knowledge', question }) as const

/** "Where is the return label?", "how do I get the shipping label?" */
const LABEL =
  /\b(?:where|how|when|who|from (?:where|whom)|do (?:i|you)|will (?:i|you)|can (?:i|you)|is there|what about)\b[^.!?]*\b(?:labels?|return slip)\b/iu

const COSTS = /\b(?:pays?|paid|costs?|free|fees?|postage|need)\b/iu

const DAY =
  '(?:an?|any|the|this|next|one|some)? ?(?:(?:certain|specific|particular|set|fixed|given|exact|other|different|free|later) )*(?:mon|tues|wednes|thurs|fri|satur|sun)?(?:days?|weekends?|date)'

/** "Could you have it delivered on a Tuesday?"; "will it come on Tuesday?" asks for the day that is expected. */
const SETS_DAY = new RegExp(
  `\\b(?:(?:can|could|would|will) (?:you|u)|(?:is it|would it be) possible|can i (?:choose|pick|set|say|have)|may i|please|any chance (?:you|to|of))\\b[^.!?]*\\b(?:send|ship|deliver(?:ed|y)?|arrives?|comes?|bring|get here|gets here|here|schedule)\\b[^.!?]{0,40}\\b(?:on|for|only on|not on) ${DAY}\\b`,
  'iu',
)

const OF_AN_ACTION =
  /\b(?:cancel\p{L}*|refund\p{L}*|money|address|street|tell me|know|see|check|say)\b/iu

/** To another place as well. */
const MOVES = /\b(?:to|at) (?:my|the|our|a|an|\d)/iu
