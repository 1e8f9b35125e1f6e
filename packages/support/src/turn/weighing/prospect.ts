import { ORDER } from '../../customer/resolve-order.ts'
import type { Weighed } from '../../dialogue/work.ts'
import type { Wonder } from '../../understand/command.ts'
import * as sentences from '../../wording/sentences.ts'
import { answered } from '../conclusion.ts'
import type { QueuedIntent } from '../dialogue.ts'
import { canHandOver, HAND_OVER } from '../hand-over.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { Outcome, SupportState } from '../support-state.ts'
import { boundOffer } from './bound-offer.ts'
import { furtherAsked } from './facts.ts'
import { choiceOf } from './instead.ts'
import { wouldDo } from './would-do.ts'
import { RETURN } from '../../dialogue/known-intents.ts'

/** What is said to a question of what the rules allow, and what a yes to it begins. */
interface Told {
  readonly text: string
  readonly outcome: Outcome
  readonly choice: QueuedIntent | null
}

/** Answers what the rules say to one request that was only asked about. */
export function answeredProspect(
  settings: SupportSettings,
  state: SupportState,
  one: Weighed,
  kind: Wonder,
): SupportState {
  const { text, outcome, choice } = toldOf(settings, state, one, kind)
  const { intentId, params } = one
  return {
    ...answered(state, text, outcome),
    dialogue: {
      ...state.dialogue,
      last: { intentId, params },
      about: null,
      choices: choice === null ? [] : [choice],
      misses: 0,
    },
  }
}

function toldOf(settings: SupportSettings, state: SupportState, one: Weighed, kind: Wonder): Told {
  const id = one.params[ORDER]
  if (one.isHidden) {
    const text = typeof id === 'string' ? sentences.orderNotFound(id) : sentences.NO_INTENT
    return { text, outcome: 'denied', choice: null }
  }
  if (kind === 'why' && one.verdict === 'denied') return reason(settings, state, one)
  if (kind === 'why' && one.verdict === 'approval') {
    return { text: sentences.becauseOf(one.violations), outcome: 'answered', choice: null }
  }
  return one.verdict === 'denied'
    ? denied(settings, state, one)
    : possible(settings, state, one, kind)
}

/** Why it was refused. What can be done instead is offered; where nothing can, a colleague. */
function reason(settings: SupportSettings, state: SupportState, one: Weighed): Told {
  const { violations, instead } = one
  const why = sentences.ruledOut(violations)
  if (instead !== null && instead.offer !== null && instead.offer !== HAND_OVER) {
    const choice = choiceOf(settings, state, one, instead.offer)
    return { text: `${why} ${instead.say}`, outcome: 'denied', choice }
  }
  const later = instead?.offer === null ? ` ${instead.say}` : ''
  const asks = canHandOver(settings, state) ? ` ${sentences.LOOK_AT_IT}` : ''
  const choice = choiceOf(settings, state, one, HAND_OVER)
  return { text: `${why}${later}${asks}`, outcome: 'denied', choice }
}

function denied(settings: SupportSettings, state: SupportState, one: Weighed): Told {
  const { violations } = one
  const instead = one.instead?.offer === HAND_OVER && isAskedBehind(state, one) ? null : one.instead
  const no = sentences.notPossible(violations, instead?.offer === null)
  const facts = furtherAsked(settings, state, one)
  const text = [no, instead?.say ?? '', ...facts].filter((said) => said !== '').join(' ')
  return { text, outcome: 'denied', choice: choiceOf(settings, state, one, instead?.offer ?? null) }
}

/** Whether the same is asked for another order behind it: that question is the last word. */
const isAskedBehind = ({ queue, dialogue }: SupportState, { intentId }: Weighed): boolean =>
  queue.some((work) => work.do === 'begin' && work.intentId === intentId) ||
  dialogue.stack.some((open) => open.intentId === intentId)

/** What would be done, who has to agree, and what else was asked; it is offered unless it depends on something. */
function possible(
  settings: SupportSettings,
  state: SupportState,
  one: Weighed,
  kind: Wonder,
): Told {
  const { intentId } = one
  const isApproval = one.verdict === 'approval'
  const would = wouldDo(settings, state, one)
  const could = isApproval ? sentences.withApproval(would) : sentences.couldDo(would)
  // Of a return, whether the money comes is another question.
  const isOfMoney = intentId === RETURN && OF_MONEY.test(state.text)
  const lead = isYesNo(state.text) && !isOfMoney ? `${sentences.YES} ${could}` : could
  const text = [lead, ...furtherAsked(settings, state, one)].join(' ')
  if (kind === 'later' || ASKS_EFFECT.test(state.text)) {
    const ending = kind === 'later' ? sentences.TELL_ME_THEN : sentences.TELL_ME_IF
    return { text: `${text} ${ending}`, outcome: 'answered', choice: null }
  }
  const ending = isApproval ? sentences.SHALL_I_REQUEST : sentences.SHALL_I_DO
  const { besides, choice } = boundOffer(settings, state, one)
  return { text: `${text}${besides} ${ending}`, outcome: 'answered', choice }
}

const OF_MONEY = /\b(?:get|money|paid|refund\p{L}*)\b/iu

/** Whether it is asked if something may be done, and not what it costs, takes, or needs: a yes answers only that. */
const isYesNo = (text: string): boolean =>
  MAY.test(text.replaceAll(OTHER_QUESTION, ' ')) && !OF_OTHER.test(text)

const MAY =
  /\b(?:can|could|may|might) (?:i|we|you|u|it|that|this|they|the|my)\b|\b(?:is|would|was) (?:it|that|this|a (?:refund|return)) (?:\p{L}+ )?(?:be )?(?:still )?(?:possible|ok|okay|allowed|an option)\b|\b(?:am i|are we) (?:\p{L}+ )?(?:able|allowed|entitled)\b|\b(?:will|would) (?:you|u)\b|\b(?:will|would|do|could) (?:i|we) (?:\p{L}+ )?(?:get|receive|have|see) (?:(?:the|my|all|a|any|some|full|that|it|everything|whole|of|\$?\d[\d.]*) ?)*(?:money|refund|back|cash)\b|\b(?:refund|return|cancel\p{L}*) (?:\p{L}+ )?(?:still )?possible\b|\b(?:it|that|this)(?: would|'d) (?:then )?be (?:(?:for|the|my|all|me) )*(?:full|whole|entire|everything)\b/iu

/** What is asked besides whether it may be done. */
const OF_OTHER =
  /\b(?:have|need|obliged|required|supposed) to\b|\bmust\b|\b(?:lose|cost(?:s|ing)?|fees?|charged?|deduct\p{L}*|wait|take (?:long|ages|forever))\b|\b(?:do|does|would|will|should) (?:i|we|it|you) (?:have to |need to |still )?(?:pay|need|cost|require)\b/iu

const OTHER_QUESTION =
  /\b(?:how (?:much|long|soon|many|big|large|high|do|would)|what|when|who|where|which|and do i|do i (?:have to )?pay)\b[^,.;!?]*|\bif\b[^,.;!?]*?\b(?:is|are|am|do|does)(?=n't| not)/giu

/** A question of what happens, or of how much it is, asks for information, not for an action. */
const ASKS_EFFECT =
  /\bwhat (?:\p{L}+ )?(?:happens?|if)\b|\bdon'?t do\b|\b(?:only|just) asking\b|\bhow (?:much|big|large|high)\b(?![^]*\b(?:can|could|may|please)\b)|\b(?:take|be|last|wait) (?:very |too |that |really )?long\b/iu
