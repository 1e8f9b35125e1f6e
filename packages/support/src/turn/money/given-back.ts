import { SEND_BACK } from '../../understand/questions/standard.ts'
import { namedOrder } from '../../customer/resolution.ts'
import { orderOfSum } from '../../customer/order-sums.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import type { Command } from '../../understand/command.ts'
import { isConditional } from '../../understand/directives.ts'
import { type Facet, facetsOf } from '../../understand/facets.ts'
import { asksAnywhere, asksMoneyPlace } from '../../understand/read-questions.ts'
import { documentIn } from '../../wording/sentences.ts'
import { isReading } from '../reading/reads-only.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { told } from './told.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'

/** States in which what was paid is given back. */
export const GIVEN_BACK: ReadonlySet<string> = new Set(['refunded', 'cancelled'])
/** The state in which the money is still to be asked for. */
export const RETURNING = 'return_started'

/** Nothing here answers it, whatever a document says on the subject: a colleague is offered. */
const UNKNOWN: Command = { type: 'ask-knowledge', question: '', isBeyond: true }

/** The order that the message names, or else the one that was spoken of last. */
export function orderSpokenOf(state: SupportState): string | null {
  const { about, last, done } = state.dialogue
  const spoken = [about, last?.params, done?.params].find((one) => one?.[ORDER] !== undefined)
  const id = namedOrder(state) ?? spoken?.[ORDER]
  return typeof id === 'string' ? id : null
}

/** When the money of an order was given back, or the time of refunds; of two charges nothing more is known here. */
export function moneyMissing(
  settings: SupportSettings,
  state: SupportState,
  order: string | null,
): readonly TaskCommand[] {
  const own = ownOrdersIn(state.orders).find(({ id }) => id === order)
  const isBack = own !== undefined && (GIVEN_BACK.has(own.status) || own.left !== own.amount)
  const before = state.history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const isCharged = documentIn(before) === SECTIONS.payment
  if (isBack && !isCharged) return told(settings, state, order, ['missing', 'refund'])
  if (state.dialogue.blocked.length > 0) return [{ type: 'ask-waiting' }]
  return [UNKNOWN]
}

/**
 * Any message about the money of an order for which it was, or is, given back: the state says by when. Neither a
 * refund nor a return is asked for again, whatever the message reads like.
 */
export function moneyOfOwn(
  settings: SupportSettings,
  state: SupportState,
  command: Command,
): readonly TaskCommand[] | null {
  const { text } = state
  if (command.type === 'ask-knowledge' && command.question === SEND_BACK) return null
  const facets = facetsOf(text)
  const isMissed = facets.includes('missing') || (wasOfMoney(state) && NOT_SEEN.test(text))
  const isOfMoney =
    facets.includes('refund') ||
    isMissed ||
    SUM_BACK.test(text) ||
    WAITS_FOR_SUM.test(text) ||
    ofWhatWasPaid(state, command)
  if (!isOfMoney || (!isMissed && asksMoneyPlace(text))) return null
  if (!isMissed && (GENERAL.test(text) || isConditional(text))) return null
  const spoken = orderOfSumWaited(state) ?? orderSpokenOf(state) ?? orderOfMoney(state)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === spoken)?.status ?? ''
  if (GIVEN_BACK.has(status)) {
    return mayMean(command, text, status)
      ? told(settings, state, spoken, askedIn(state, isMissed))
      : null
  }
  const isOfNone = command.type === 'start-task' && command.params[ORDER] === undefined
  // "I was told of a refund, and my account shows nothing" does not ask for a second one.
  const isTold = isOfNone && (isReading(settings, command.intentId) || isMissed)
  if ((command.type !== 'ask-knowledge' && !isTold) || !ASKS_TIME.test(text)) return null
  const order = givenBackOrder(state)
  if (order === null) return null
  const own = told(settings, state, order, ['missing', 'refund'])
  return OF_APPROVAL.test(text)
    ? [{ type: 'ask-knowledge', question: SECTIONS.approval }, ...own]
    : own
}

const OF_APPROVAL = /\bapprov\p{L}*\b/iu

/** What is told first: by when it is given back, or where that was just said, that it should be there. */
function askedIn({ history, text }: SupportState, isMissed: boolean): readonly Facet[] {
  const before = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const isToCome = SAYS_BY_WHEN.test(before)
  const isMissing = isMissed || isToCome || NOT_THERE.test(text)
  return isMissing && !SAYS_MISSING.test(before) ? ['missing', 'refund'] : ['refund', 'missing']
}

/** The words of the answers that say by when money is given back, and that it should be there. */
const SAYS_BY_WHEN = /\bwithin 5 to 7 business days\b|\btakes 5 to 7 business days, so\b/iu
const SAYS_MISSING = /\bshould have been there by\b|\bso it can take until\b/iu

/** Whether the last answer said when the money of an order is back. */
const wasOfMoney = ({ history }: SupportState): boolean => {
  const before = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  return OF_OWN_MONEY.test(before) && documentIn(before) === null
}

const OF_OWN_MONEY = /\$\d|\bmoney\b|\brefunded\b|\bgiven back\b/iu

/** What is not there, where money was spoken of. */
const NOT_SEEN =
  /\b(?:can(?:'?t|not)|do(?:n'?t| not)|did(?:n'?t| not)|have(?:n'?t| not)|has(?:n'?t| not)|is(?:n'?t| not)|never|not|nothing|no) (?:\p{L}+ )?(?:see|find|seen|found|there|get|got|come|came|arrive\p{L}*|received?|here|yet|back)\b/iu

/** Money that is waited for. */
const NOT_THERE =
  /\b(?:not|never|nothing|still|missing|no)\b|n't\b|\bwhere(?:'s| is|s)? (?:the|my|that)\b/iu

/** "Was the 66.50 refunded?": the one order that is over and cost that. */
const orderOfMoney = ({ text, orders }: SupportState): string | null =>
  WAS_GIVEN.test(text)
    ? (orderOfSum(
        text,
        ownOrdersIn(orders).filter(({ status }) => GIVEN_BACK.has(status)),
      )?.id ?? null)
    : null

/** "When do I get the 45.50?": the order that is over and cost it, whatever was spoken of. */
const orderOfSumWaited = (state: SupportState): string | null =>
  WAITS_FOR_SUM.test(state.text) ? orderOfMoney(state) : null

const WAITS_FOR_SUM =
  /\b(?:when|how (?:long|soon|fast))\b[^.!?]{0,40}\b(?:get|have|see|receive|there|back|credited|for) (?:the |my |those |that )?[$]?\d+(?:[.,]\d\d)?\b(?!\s*(?:mugs?|pieces?|pairs?|of))/iu

const WAS_GIVEN =
  /\b(?:when|how (?:long|soon|fast)|was|were|is|are|did|has|have|got|gotten|received?)\b/iu

/** Whether a reading may mean the money of the order that was spoken of: not one that is read by its own words. */
function mayMean(command: Command, text: string, status: string): boolean {
  // To take a refund back is another thing.
  if (command.type === 'follow-up' && command.about === 'reopen') return status !== 'refunded'
  if (command.type === 'follow-up') return OF_ORDER_OVER.has(command.about)
  if (command.type === 'start-task') return OF_MONEY.has(command.intentId)
  if (command.type === 'deny') return asksAnywhere(text)
  return command.type === 'ask-knowledge' || command.type === 'unclear'
}

/** Intents that words of money may be read as. */
const OF_MONEY: ReadonlySet<string> = new Set([
  'refund',
  'return',
  'cancel',
  'order_status',
  'order_payment',
])

/** Follow-ups that of an order that is over can only be about its money. */
const OF_ORDER_OVER: ReadonlySet<string> = new Set([
  'reopen',
  'why',
  'options',
  'sure',
  'money_when',
])

/** "And the 66.50?", "did I really pay that?", of an order that is over: what was paid for it is given back. */
function ofWhatWasPaid(state: SupportState, command: Command): boolean {
  const spoken = orderSpokenOf(state)
  const own = ownOrdersIn(state.orders).filter(
    ({ id, status }) => id === spoken && GIVEN_BACK.has(status),
  )
  // What was paid is the answer to that, unless it was said just now.
  const before = state.history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const isToTell =
    command.type === 'start-task' && command.intentId === 'order_payment' && !SAYS_PAID.test(before)
  return (
    orderOfSum(state.text, own) !== null || (own.length > 0 && PAYS.test(state.text) && !isToTell)
  )
}

const SAYS_PAID = /^You paid \$/u
const PAYS = /\b(?:pay|paid|charged?|cost)\b/iu

/** "Did I get the 89 back?" */
const SUM_BACK =
  /\b(?:get|got|gotten|receive\p{L}*|have|had|give|gave|given|see|seen) (?:me |us )?(?:back )?(?:the |my |those |that )?(?:[$]?\d+(?:[.,]\d+)?|money|cash|amount|sum)\b[^.!?]{0,20}\bback\b|\bback (?:the|my|those) (?:[$]?\d+(?:[.,]\d+)?|money|cash)\b|\b(?:give|gave|given|pay|paid|send|sent) (?:me |us |it |that |this )*back\b/iu

/** When money comes, or that it has not. */
const ASKS_TIME =
  /\b(?:when|how (?:long|soon|fast|many)|where|yet|still|not|never|nothing|see|arrived?|there|until)\b|n't\b/iu

/** Rules for all, and what would be. */
const GENERAL =
  /\b(?:refunds|usually|normally|in general|if|would|do you|does a|a refund(?! for))\b/iu

/** The order that money was, or may be, given back for: the one named, the one spoken of, or the only one. */
function givenBackOrder(state: SupportState): string | null {
  const own = ownOrdersIn(state.orders)
  const named = orderSpokenOf(state)
  if (named !== null) {
    const status = own.find((one) => one.id === named)?.status
    return status === RETURNING && state.dialogue.blocked.length === 0 ? named : null
  }
  const refunded = own.filter(({ status }) => status === 'refunded')
  const [only, ...others] = refunded
  return only !== undefined && others.length === 0 && OWN.test(state.text) ? only.id : null
}

/** What was given back to the customer. */
const OWN = /\b(?:my|the|it|i)\b[^.!?]{0,40}\b(?:refund(?:ed)?|money)\b|\brefunded\b/iu
