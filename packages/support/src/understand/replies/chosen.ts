import type { JsonObject } from 'echelon/runtime'
import type { QueuedIntent } from '../../turn/dialogue.ts'
import { HAND_OVER } from '../../turn/hand-over.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import { hesitates } from '../../dialogue/veto.ts'
import { asks, clausesOf } from '../clauses.ts'
import { BY_RULE, type Command, readAs, type Reading } from '../command.ts'
import { isConditional, isHypothetical } from '../directives.ts'
import { byRule, intentOf, LEAST, type Lesson } from '../lesson.ts'
import { BEYOND, isOfDocuments } from '../read-questions.ts'
import { WHICH_REMEDY } from '../questions/standard.ts'
import { correctedParams } from '../read-wishes.ts'
import { stillAsked } from './whole.ts'
import { REFUND } from '../../dialogue/known-intents.ts'

/** Longer texts tell more than what is chosen. */
const MOST_WORDS = 40

/** The words by which each remedy is chosen, among those that were offered. */
const WORDS: Readonly<Record<string, RegExp>> = {
  refund:
    /\b(?:refund\p{L}*|money|cash|reimburs\p{L}*|dollars?|bucks|(?:paid|pay (?:me|it|that)) back|all of it back|everything back|all back|the (?:full |whole )?(?:amount|sum|price))\b|\$\s?\d|\b\d+\.\d\d\b/iu,
  return:
    /\breturn\p{L}*\b|\b(?:sen[dt]|sending|give|giving|take|ship|mail|post|bring|want to send) (?:(?:it|them|this|that|these|those|the|my|one|both|all|of) ?(?:\p{L}+ ){0,3}?)?back\b|\bgoes back\b|\blabel\b/iu,
  cancel: /\bcancel\p{L}*\b|\bcall (?:it|that) off\b/iu,
  [HAND_OVER]:
    /\b(?:colleagues?|person|human|agent|representative|look(?:ed)? into (?:it|that|this))\b/iu,
}

/** What is not wanted, with the words that say what. */
const UNWANTED =
  /\b(?:than|over|not|keep) (?:the |a |my |any |your )?(?:money|refund|cash)\b|\b(?:(?:do not|don't|dont|did not|didn't|rather not|not|never|no need to|instead of|rather than|without|hate to|too lazy to|can't be bothered to|forget(?: about)?|skip|no) (?:want|need|wish|like|feel like|have to|going to|gonna|to)?)\b[^.,;!?]{0,50}|\b(?:too (?:far|long|much|heavy|big|complicated)|a hassle|annoying) to\b[^.,;!?]{0,50}/giu

/** Questions that choose nothing: what it means, costs or takes. */
export const ASKS_ABOUT: RegExp =
  /^\W*(?:(?:and|so|but|ok|okay|well|also|hm+|oh)[\s,]+)*(?:(?:it|that|this)(?:'d| would| will)(?: then)? be (?:for )?(?:the |my |all )*(?:full|whole|entire|all|everything|[$]?\d)|do|does|did|how(?! about\b)|when|where|what(?! about\b)|which|who|why|is(?! (?:it|that) (?:possible|ok|okay|fine)\b)|are|will(?! you\b)|would(?! you\b)|should|must)\b/iu

/**
 * What a customer chooses of what the agent can do: "the money please", "send it back then". A question beside it is
 * answered first. `null` where nothing, or more than one thing, is chosen.
 */
export function chosen(text: string, lesson: Lesson): Reading | null {
  const { choices, open } = lesson.context.dialogue
  const isOffer = choices.some(({ params }) => params[ORDER] !== undefined)
  if (!isOffer || open !== null || text.split(/\s+/).length > MOST_WORDS) return null
  // "The money then. If they turn up later, do I send them back?": only the question depends on that.
  const [, then = ''] = IF_LATER.exec(text) ?? []
  const plain = text.slice(0, text.length - then.length)
  if (hesitates(text) || isConditional(plain) || isHypothetical(plain)) return null
  const clauses = [...clausesOf(plain), ...(then === '' ? [] : [then.trim()])]
  const questions = clauses.filter(
    (clause) => clause === then.trim() || ASKS_ABOUT.test(clause) || asksElse(clause, lesson),
  )
  const wanted = clauses
    .filter((clause) => !questions.includes(clause))
    .join(', ')
    .replaceAll(UNWANTED, ' ')
  const found = choices.filter(({ intentId }) => WORDS[intentId]?.test(wanted) === true)
  const [choice, ...others] = found
  // "Cancel? No way, ship it": what was offered is not wanted.
  if (choice?.intentId === 'cancel' && choices.length === 1 && WONT_CANCEL.test(text)) {
    return readAs([{ type: 'deny' }], 'it does not want what was offered')
  }
  if (choice === undefined) return otherThanOffered(wanted, lesson)
  if (others.length > 0) return null
  const [question = choice.intentId === REFUND && KEEPS.test(wanted) ? wanted : null] = questions
  const isOfBack = question !== null && asksOfBack(question, choice)
  const asked: readonly Command[] =
    question === null
      ? []
      : [{ type: 'ask-knowledge', question: isOfBack ? SENDING_BACK : question }]
  const params = paramsOf(wanted, choice, lesson)
  const command: Command =
    choice.intentId === HAND_OVER
      ? { type: 'ask-person', params: {} }
      : { type: 'start-task', intentId: choice.intentId, params, confidence: BY_RULE }
  return readAs([...asked, command], 'it chooses what was offered')
}

const WONT_CANCEL =
  /\bno way\b|\b(?:want|like|going|wish) to keep\b|\bi(?:'ll| will)? keep\b|^\W*(?:why|who said)\b/iu

/** A question at the end that only depends on what comes later. */
const IF_LATER =
  /[.!;,]\s+((?:(?:and|but|so) )?(?:what (?:if|happens|do i do|then if)\b|(?:if|when|once|in case)\b)[^.!?]*\?+)\W*$/iu

/** "And shall I unplug it?": a question that names nothing that was offered, and that documents answer, or nothing does. */
function asksElse(clause: string, { classifier, context }: Lesson): boolean {
  if (!asks(clause) && !SHALL_I.test(clause)) return false
  if (context.dialogue.choices.some(({ intentId }) => WORDS[intentId]?.test(clause) === true)) {
    return false
  }
  const { label, confidence } = classifier.classify(clause)
  return (isOfDocuments(label) || label === BEYOND) && confidence >= LEAST
}

const SHALL_I = /^\W*(?:(?:and|but|so|also)\s+)*(?:shall|should|must|can|could|may) i\b/iu

/** "Ok, the refund then" does not accept a return, if only a return was offered. */
function otherThanOffered(text: string, lesson: Lesson): Reading | null {
  const [offered, ...more] = lesson.context.dialogue.choices
  if (offered === undefined || more.length > 0 || !AGREES.test(text)) return null
  const named = OTHERS.find(([from, , said]) => from === offered.intentId && said.test(text))
  const other = named === undefined ? undefined : intentOf(lesson, named[1])
  const { [ORDER]: id } = offered.params
  return other === undefined || id === undefined || WORDS[offered.intentId]?.test(text) === true
    ? null
    : readAs(
        [byRule(other.id, { ...correctedParams(text, other), [ORDER]: id })],
        'it wants another thing than was offered',
      )
}

const AGREES = /^\W*(?:yes|yeah|yep|ok|okay|sure|fine|alright|all right|then|please)\b/iu

/** What is named where something else was offered. */
const OTHERS: readonly (readonly [offered: string, other: string, said: RegExp])[] = [
  ['return', 'refund', /\brefund\b/iu],
  ['refund', 'return', /\b(?:return|send (?:it|them) back)\b/iu],
]

/** "Refund or return, what is better?": what can be done is said of both. */
export function asksWhich(text: string, { context }: Lesson): Reading | null {
  const readings = ['refund', 'return'].filter((id) => context.intents.some((one) => one.id === id))
  const { open, choices } = context.dialogue
  if (open !== null && readings.includes(open.intentId) && OR_THE_OTHER.test(text)) {
    return readAs([{ type: 'ask-knowledge', question: WHICH_REMEDY }], 'it asks how they differ')
  }
  if (open !== null || readings.length < 2 || !EITHER.test(text)) return null
  // What was offered already is explained.
  const isOffered = readings.every((id) => choices.some(({ intentId }) => intentId === id))
  const differ: Command = { type: 'ask-knowledge', question: WHICH_REMEDY }
  const which: Command = { type: 'unclear', readings }
  if (isOffered && (text.includes('?') || asks(text) || COMPARES.test(text))) {
    return readAs([differ], 'it asks how they differ')
  }
  return COMPARES.test(text)
    ? readAs([differ, which], 'it asks how they differ', BY_RULE)
    : readAs([which], 'it asks which of two', 0)
}

/** "Or should I return it?", "what's the difference?", where one of the two is open. */
const OR_THE_OTHER =
  /\bor (?:should|shall|would|is|do) (?:i|it|we|a) [^.!?]{0,20}\b(?:return|refund|back)\b|\b(?:what(?:'?s| is) the difference|how do (?:they|those|the two) differ|which (?:one )?(?:is|would be) (?:better|faster|quicker|easier|the better))\b/iu

const COMPARES =
  /\b(?:faster|quicker|sooner|earlier|easier|better|cheaper|longer|slower|differ\p{L}*)\b/iu

const EITHER =
  /\b(?:refund\p{L}*|money(?: back)?)\b[^.!?]{0,20}\bor\b[^.!?]{0,20}\b(?:return\p{L}*|sen[dt](?:ing)? (?:it|them|this|that) back)\b|\b(?:return\p{L}*|sen[dt](?:ing)? (?:it|them|this|that) back)\b[^.!?]{0,20}\bor\b[^.!?]{0,20}\b(?:refund\p{L}*|money)\b/iu

/** What is known of the choice, with what the text says otherwise. */
function paramsOf(text: string, { intentId, params }: QueuedIntent, lesson: Lesson): JsonObject {
  const intent = intentOf(lesson, intentId)
  const known = stillAsked(text, params)
  return intent === undefined ? known : { ...known, ...correctedParams(text, intent) }
}

/** Whether something has to be sent back for the money is a rule of its own. */
const OF_SENDING_BACK =
  /\b(?:do|does|must|should|will|would|need)\b[^.!?]{0,40}\b(?:sen[dt]|return|ship|mail|give|go)\b[^.!?]{0,30}\bback\b|\bhave to return\b/iu
/** "Can I keep the torn one?" asks the same. */
const KEEPS = /\b(?:can|could|may|do|should|must|will|would) (?:i|we)\b[^.!?]{0,30}\bkeep\b/iu
/** What becomes of the thing, or of a parcel that comes after its refund. */
const WHAT_THEN =
  /\bwhat (?:do i do|should i do|happens|becomes|shall i do) (?:then )?(?:with|to|of) (?:it|them|the|my|that|this)\b|\b(?:if|when)\b[^.!?]*\b(?:comes?|arrives?|(?:shows?|turns?) up|finds?|found)\b/iu

/** Whether a question beside a refund asks what is done with the thing. */
const asksOfBack = (question: string, { intentId }: QueuedIntent): boolean =>
  OF_SENDING_BACK.test(question) ||
  KEEPS.test(question) ||
  (intentId === REFUND && WHAT_THEN.test(question))
const SENDING_BACK = 'do I have to send the broken item back to get the money'
