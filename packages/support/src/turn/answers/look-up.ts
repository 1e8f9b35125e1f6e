import { ownOrdersIn } from '../../customer/own-order.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import type { Work } from '../../dialogue/work.ts'
import type { Passage } from '../../knowledge/knowledge.ts'
import { asksAnywhere } from '../../understand/read-questions.ts'
import * as sentences from '../../wording/sentences.ts'
import { answered } from '../conclusion.ts'
import { CONFIRMATION, type QueuedIntent } from '../dialogue.ts'
import { canHandOver, HAND_OVER, offeringColleague } from '../hand-over.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { otherWays } from '../weighing/candidates.ts'
import { isSaidBefore } from './echo.ts'
import { passageFor } from './passage-for.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'

/** Answers a question from the documents, and offers what the order allows besides. */
export function lookedUp(
  settings: SupportSettings,
  state: SupportState,
  { question, isBeyond, offer: given }: Extract<Work, { readonly do: 'look-up' }>,
): SupportState {
  const found = isBeyond
    ? settings.knowledge(question, { isClosely: true })
    : passageFor(settings, state, question)
  const offer = given ?? offerOf(settings, found)
  const { open, stack, choices } = state.dialogue
  const isFree = open === null && stack.length === 0
  // What was offered before a question is offered again behind the answer.
  const isLast = state.queue.every((one) => one.do === 'offer-again')
  const isAlone = isFree && isLast
  // An offer of a colleague is not in the way of what can be done.
  const isOffered = choices.some(({ intentId }) => intentId !== HAND_OVER)
  const ways = isOffered ? [] : otherWays(settings, state, offer)
  const isEcho =
    found !== null &&
    isSaidBefore(state, sentences.fromSource(found)) &&
    (offer.length > 0 || !namesMore(state, question, found))
  if (isAlone && ways.length > 0) {
    const text = isEcho ? sentences.SAID_ALL : (leftAlready(state, ways) ?? inWords(found))
    const weighing: Work = { do: 'weigh', left: ways, weighed: [], answers: { kind: 'choice' } }
    return { ...answered(state, text, 'answered'), queue: [weighing] }
  }
  const mayOffer = isAlone && state.texts.length === 0 && canHandOver(settings, state)
  if (found !== null && mayOffer && choices.length === 0 && offer.includes(HAND_OVER)) {
    const asks = isOfContact(found) ? sentences.WHAT_ABOUT : sentences.LOOK_AT_IT
    const text = `${sentences.fromSource(found)} ${asks}`
    return offeringColleague(answered(state, text, 'answered'))
  }
  if (isEcho && isAlone && choices.length > 0) {
    return answered(state, sentences.SAID_ALL, 'answered')
  }
  if (isEcho && mayOffer) {
    const text = `${sentences.SAID_ALL} ${sentences.LOOK_AT_IT}`
    return offeringColleague(answered(state, text, 'answered'))
  }
  if (found !== null) return answered(state, sentences.fromSource(found), 'answered')
  if (stack[0]?.param === CONFIRMATION && !asksAnywhere(state.text)) {
    return answered(state, toRemark(state.text), 'answered')
  }
  if (choices.length > 0) {
    // What is offered again behind it is the colleague.
    const isPerson = choices.every(({ intentId }) => intentId === HAND_OVER)
    return answered(state, isPerson ? sentences.NO_MORE_KNOWN : sentences.NOT_KNOWN, 'answered')
  }
  if (question === state.text && isWholeText(state) && isAnsweredElse(state)) return state
  if (asksToldCarrier(settings, state, question)) return state
  if (state.texts.length > 0 || !isLast) {
    return answered(state, sentences.partNotKnown(question), 'answered')
  }
  if (!isFree || !canHandOver(settings, state)) {
    return answered(state, sentences.NOT_KNOWN, 'answered')
  }
  return offeringColleague(answered(state, sentences.NOT_KNOWN_OFFER, 'answered'))
}

/** Whether a part asks only for the carrier, which another answer of the turn names. */
function asksToldCarrier(
  { registry }: SupportSettings,
  { orders, texts, queue }: SupportState,
  question: string,
): boolean {
  if (!ASKS_CARRIER.test(question)) return false
  return ownOrdersIn(orders).some(({ id, status, record: { carrier } }) => {
    if (typeof carrier !== 'string') return false
    const isNext = queue.some(
      (one) =>
        one.do === 'begin' &&
        one.params[ORDER] === id &&
        registry.find(one.intentId)?.wording.postByStatus[status]?.includes('{carrier}') === true,
    )
    return isNext || texts.some((text) => text.includes(carrier))
  })
}

const ASKS_CARRIER =
  /^\W*(?:(?:and|so|ok|then|also) )*(?:who|which|what)(?:'s| is| are)? (?:it |the |my |your )?(?:(?:carrier|courier|shipper|delivery (?:company|service|firm)|shipping company)|(?:is )?(?:brings?|bringing|delivers?|delivering|carr(?:y|ies)|carrying|ships?|shipping)(?: (?:it|this|that|them|the \p{L}+))?)(?: (?:is (?:it|that)|for (?:it|this|that)|here))?\W*$/iu

/** What serves the same end as the subject of a passage. */
const offerOf = ({ registry }: SupportSettings, found: Passage | null): readonly string[] =>
  registry.config.topics?.find(({ ask }) => ask === found?.source)?.offer ?? []

/** Of an order that is late, it is said that it has left: what is possible for others is not for this one. */
function leftAlready({ orders }: SupportState, ways: readonly QueuedIntent[]): string | null {
  const id = ways[0]?.params[ORDER]
  const order = ownOrdersIn(orders).find((one) => one.id === id)
  return order?.status === 'delayed' ? sentences.leftAlready(order.id) : null
}

/** Whether a section is about how to reach the shop. */
const isOfContact = ({ source }: Passage): boolean => source.startsWith(SECTIONS.reachingUs)

/** Whether no part of the message was answered before the rest of it was read. */
const isWholeText = ({ text, input }: SupportState): boolean =>
  text.length >= input.interaction.text.trim().length / 2 || input.interaction.text.startsWith(text)

/** Whether something else of the turn answers: what is asked in the whole message is no part of its own. */
const isAnsweredElse = ({ texts, queue }: SupportState): boolean =>
  texts.length > 0 || queue.some((one) => ELSE.has(one.do))

const ELSE: ReadonlySet<string> = new Set(['begin', 'weigh', 'not-understood'])

const inWords = (found: Passage | null): string =>
  found === null ? sentences.NOT_KNOWN : sentences.fromSource(found)

/** "And my email?", after the same passage for a password: a word of it that was not asked for before. */
function namesMore({ history }: SupportState, question: string, { text }: Passage): boolean {
  const before = history.findLast(({ role }) => role === 'user')?.text.toLowerCase() ?? ''
  const words = question.toLowerCase().match(/\p{L}{5,}/gu) ?? []
  const passage = text.toLowerCase()
  return words.some((word) => passage.includes(word) && !before.includes(word))
}

/** A friendly word to what asks for nothing, before a confirmation is asked again. */
function toRemark(text: string): string {
  if (THANKS.test(text)) return sentences.BESIDE_QUESTION.thanks
  if (REPLIES.test(text)) return sentences.NOT_UNDERSTOOD_ANSWER
  return PRAISES.test(text) ? sentences.BESIDE_QUESTION.praise : sentences.NOTED
}

const THANKS = /\b(?:thank(?:s| you)|thx|cheers|appreciate[ds]?)\b/iu
const PRAISES =
  /\b(?:great|lovely|love|wonderful|amazing|awesome|perfect|brilliant|kind|best|excellent|super|nice|good)\b/iu
/** A yes, a no, or a limit, with something that was not understood. */
const REPLIES = /^\W*(?:yes|yeah|yep|no|nope|ok|okay|just|only|wait|but)\b/iu
