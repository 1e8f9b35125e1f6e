import { withPlainItems } from '../../customer/item-words.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { itemWordsIn } from '../../customer/resolution.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'
import type { Passage } from '../../knowledge/knowledge.ts'
import { clausesOf } from '../../understand/clauses.ts'
import { subjectsIn } from '../../understand/replies/plain-reply.ts'
import { asks } from '../../understand/read-questions.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { MONEY_TIME, RETURN_COSTS } from '../weighing/facts.ts'
import { CANCEL, REFUND, RETURN } from '../../dialogue/known-intents.ts'

/** The passage of the documents that answers a question, read with what is open or was done last; `null` if none does. */
export function passageFor(
  settings: SupportSettings,
  state: SupportState,
  given: string,
): Passage | null {
  const { dialogue } = state
  const question = given.replace(LEAD_IN, '')
  const subject = dialogue.stack[0] ?? dialogue.open
  const isOfReturn = isOfReturnCosts(state, question)
  const before = dialogue.last?.intentId.replaceAll('_', ' ') ?? ''
  const full =
    subject !== null && subject !== undefined && REFERS.test(question)
      ? `${question} ${subject.intentId.replaceAll('_', ' ')}`
      : question
  // Documents say what the rules are, and not what has happened.
  const isClosely = OF_THE_PAST.test(question)
  // What the thing is called that the customer bought says nothing about the rules for it.
  return (
    (isOfCancelCosts(state, question) ? settings.knowledge(SECTIONS.cancelFee) : null) ??
    (isOfReturn && ASKS_COSTS.test(question) ? settings.knowledge(RETURN_COSTS) : null) ??
    (isOfRefundTime(state, question) ? settings.knowledge(MONEY_TIME) : null) ??
    settings.knowledge(question, { isClosely }) ??
    // A return is sent, too: "do I have to pay for shipping?" would be read as a question about deliveries.
    (isOfReturn ? settings.knowledge(`${question} ${RETURN}`, { isClosely }) : null) ??
    settings.knowledge(full, { isClosely }) ??
    settings.knowledge(state.text, { isClosely: true }) ??
    // "Do I have to pay for that?", after a return.
    (REFERS.test(question) ? settings.knowledge(`${question} ${before}`, { isClosely }) : null) ??
    settings.knowledge(withPlainItems(question, itemWordsIn(state)), { isClosely }) ??
    settings.knowledge(state.text, { isClosely }) ??
    firstOf(clausesOf(question).filter(asks), (clause) =>
      settings.knowledge(clause, { isClosely: true }),
    )
  )
}

/**
 * Whether a question of costs that names nothing of its own is about a return: one that the message speaks of or
 * chooses, the open task, or else the last one.
 */
function isOfReturnCosts({ dialogue, queue, text }: SupportState, question: string): boolean {
  if (!OF_COSTS.test(question) || HAS_SUBJECT.test(question)) return false
  const isChosen = queue.some((one) => one.do === 'begin' && one.intentId === RETURN)
  const isSpokenOf = REFERS.test(question) && subjectsIn(text).includes(RETURN)
  const task = dialogue.stack[0] ?? dialogue.open ?? dialogue.last
  return isChosen || isSpokenOf || task?.intentId === RETURN
}

/** Whether such a question is about a cancellation, of an order that may still be cancelled, or just was. */
function isOfCancelCosts({ dialogue, orders, text }: SupportState, question: string): boolean {
  if (!ASKS_COSTS.test(question) || HAS_SUBJECT.test(question) || OF_SENDING.test(question))
    return false
  const task = dialogue.stack[0] ?? dialogue.open ?? dialogue.choices[0] ?? dialogue.last
  const status = ownOrdersIn(orders).find(({ id }) => id === task?.params[ORDER])?.status ?? ''
  return (
    task?.intentId === CANCEL && OF_CANCELLING.has(status) && !subjectsIn(text).includes(RETURN)
  )
}

const OF_CANCELLING: ReadonlySet<string> = new Set(['processing', 'cancelled'])
const OF_SENDING = /\b(?:shipping|postage|label|send\p{L}*|sent)\b/iu

/** Whether a question of time that names nothing else is about a refund that is open, or chosen with it. */
function isOfRefundTime({ dialogue, queue }: SupportState, question: string): boolean {
  const isChosen = queue.some((one) => one.do === 'begin' && one.intentId === REFUND)
  const task = dialogue.stack[0] ?? dialogue.open
  const isOfRefund = isChosen || task?.intentId === REFUND
  return isOfRefund && ASKS_TIME.test(question) && !OF_OTHER_TIME.test(question)
}

const ASKS_TIME =
  /^\W*(?:(?:and|but|so|first|then|just)\s+)*(?:how (?:long|fast|quick(?:ly)?|soon)|when)\b/iu
const OF_OTHER_TIME =
  /\b(?:deliver\p{L}*|arriv\p{L}*|com(?:e|es|ing)|parcel|package|orders?|approv\p{L}*|colleagues?|answers?|decid\p{L}*|decision|repl(?:y|ies)|ship\p{L}*|return\p{L}*|send|sent|left|have i|do i have (?:to|left|for)|ago|was|did|were)\b/iu

/** Whether something costs the customer money, rather than when they are paid: "is shipping free?" */
const ASKS_COSTS =
  /^(?!.*\b(?:time|days|when|where|how (?:do|does|can|long|soon|fast)|paid|back)\b).*\b(?:costs?|fees?|free|charges?|charged|postage|expensive|pays?(?! (?:me|us|out)\b))\b/isu

const OF_COSTS =
  /\b(?:pay|paid|pays|costs?|fees?|free|charged?|charges|postage|shipping|expensive|label)\b/iu

const HAS_SUBJECT =
  /\b(?:deliver\p{L}*|express|orders?|refund\p{L}*|cancel\p{L}*|exchange\p{L}*|new one|account|card|paypal|invoice|receipt|address)\b/iu

const firstOf = <One, Found>(
  all: readonly One[],
  find: (one: One) => Found | null,
): Found | null => {
  for (const one of all) {
    const found = find(one)
    if (found !== null) return found
  }
  return null
}

/** Words that lead in to a question without being part of it. */
const LEAD_IN =
  /^\W*(?:(?:hang on|hold on|wait|ok|okay|so|and|but|hm+|oh|ah|great|fine|good|thanks|i see|alright|well|cool|yeah|one more thing|by the way|btw|also|just)\b[\s,.!:;-]+)+(?=\p{L})/iu

/** Questions about what has happened. */
const OF_THE_PAST =
  /^\W*(?:(?:and|so|but|ok|okay|well|hey|hi)[\s,]+)*(?:(?:did|have|has|was|were|had)\b|(?:who|when|where|how|which \p{L}+|what) (?:\p{L}+ )?(?:did|have|has|was|were|signed|took|accepted|cancelled|paid)\b)/iu

/** Words by which a question refers to what is open: "what happens if I do?" */
const REFERS = /\bif i (?:do|did|say|agree)\b|\b(?:it|that|this)\b/iu
