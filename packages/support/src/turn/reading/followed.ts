import type { Json, JsonObject } from 'echelon/runtime'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import type { FollowUp } from '../../understand/afterwards/kinds.ts'
import type { Command } from '../../understand/command.ts'
import { type Facet, facetsOf } from '../../understand/facets.ts'
import type { QueuedIntent } from '../dialogue.ts'
import { HAND_OVER } from '../hand-over.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { SEND_BACK, WHICH_REMEDY } from '../../understand/questions/standard.ts'
import { actionsOn } from '../weighing/candidates.ts'
import { HOURS, MONEY_OF_CANCELLED, MONEY_TIME, RETURN_COSTS } from '../weighing/facts.ts'
import { intentsOf } from './offered.ts'
import { isReading } from './reads-only.ts'
import { deadlineOf, doneWith, timeToSend } from './returns/sent-back.ts'
import { UNDER_WAY } from './under-way.ts'
import { GIVEN_BACK, moneyMissing, orderSpokenOf, RETURNING } from '../money/given-back.ts'
import { told, UNCLEAR } from '../money/told.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'
import { CANCEL, ORDER_ADDRESS, REFUND, RETURN } from '../../dialogue/known-intents.ts'

/** What a follow-up asks for, with what came before it in hand. */
export function followedBy(
  settings: SupportSettings,
  state: SupportState,
  about: FollowUp,
): readonly TaskCommand[] {
  const order = orderSpokenOf(state)
  switch (about) {
    case 'why':
      return why(settings, state)
    case 'options':
      if (isChoosing(state)) return [lookUp(WHICH_REMEDY)]
      if (NEXT.test(state.text) && isWaiting(state)) return decision(state)
      if (NEXT.test(state.text) && AFTER[doneWith(state, order) ?? ''] !== undefined) {
        return [lookUp(AFTER[doneWith(state, order) ?? ''] ?? '')]
      }
      if (order !== null && isToDo(state, order)) return told(settings, state, order, ['todo'])
      return order === null
        ? UNCLEAR
        : [{ type: 'ask-options', order, requests: actionsOn(settings, state, order) }]
    case 'my_part':
      return ownPart(settings, state, order)
    case 'untouched':
      return [{ type: 'ask-done' }]
    case 'rest':
      return ofRest(settings, state, order)
    case 'money_when':
      return moneyWhen(settings, state, order)
    case 'decision_when':
      return isWaiting(state) ? decision(state) : [lookUp(HOURS)]
    case 'declined':
      return ifDeclined(settings, state)
    case 'reopen':
      return reopened(settings, state, order)
    case 'sooner':
      return [lookUp(isChoosing(state) ? WHICH_REMEDY : 'can you speed up the delivery')]
    case 'sure':
      return told(settings, state, order, ['sure'])
    case 'money_missing':
      return moneyMissing(settings, state, order)
    case 'send_back':
      return timeToSend(settings, state, order) ?? [lookUp(sendingBack(settings, state, order))]
    case 'return_cost':
      return [lookUp(RETURN_COSTS)]
    case 'no_label':
      return [{ ...lookUp(SECTIONS.noLabel), offer: [HAND_OVER] }]
    case 'turns_up':
      if (doneWith(state, order) === RETURN) return [lookUp(sendingBack(settings, state, order))]
      return isRefunded(state, order) && !OF_PAYING.test(state.text)
        ? [lookUp(SEND_BACK)]
        : [UNKNOWN]
    case 'call':
      return callNoted(settings, state, order) ?? [UNKNOWN]
    case 'order_again':
      return [lookUp('how do I place an order')]
    case 'accepts':
    case 'no_person':
    case 'still_person':
      return [{ type: 'deny' }]
  }
}

/** Whether a refund and a return are offered: "what's faster?" asks for the faster of these. */
const isChoosing = ({ dialogue: { choices } }: SupportState): boolean =>
  [REFUND, RETURN].every((id) => choices.some(({ intentId }) => intentId === id))

/** Whether it would be paid for once more. */
const OF_PAYING = /\b(?:pay|paid|charged?|owe)\b/iu

/** Whether an order was refunded, or its refund waits for a colleague. */
function isRefunded({ dialogue, orders }: SupportState, order: string | null): boolean {
  const { done, blocked } = dialogue
  const isMeant = ({ intentId, params }: QueuedIntent): boolean =>
    intentId === REFUND && (order === null || params[ORDER] === order)
  const status = ownOrdersIn(orders).find(({ id }) => id === order)?.status
  return status === 'refunded' || blocked.some(isMeant) || (done !== null && isMeant(done))
}

/** What the customer has to do: for what waits, after what was done, or for an order that comes by itself. */
function ownPart(
  settings: SupportSettings,
  state: SupportState,
  order: string | null,
): readonly TaskCommand[] {
  if (isWaiting(state)) return decision(state)
  const after = AFTER[doneWith(state, order) ?? '']
  if (after !== undefined) return [lookUp(after), ...moneyOfReturn(settings, state, order)]
  const status = ownOrdersIn(state.orders).find(({ id }) => id === order)?.status ?? ''
  if (order === null || !UNDER_WAY.has(status)) return [UNKNOWN]
  const place = intentsOf(settings, state).find(({ id }) => id === ORDER_ADDRESS)
  const params: JsonObject = { [ORDER]: order }
  // Where it goes may be a part of its own.
  const isTold = state.reading?.commands.some(
    (one) => one.type === 'start-task' && one.intentId === ORDER_ADDRESS,
  )
  const isOfPlace = place !== undefined && OF_PLACE.test(state.text) && isTold !== true
  return [
    ...(isOfPlace
      ? [{ type: 'start-task' as const, intentId: place.id, params, confidence: 1 }]
      : []),
    ...told(settings, state, order, ['todo']),
  ]
}

/** Of what was sent back before, the money is asked for now: the state of the order offers it. */
const moneyOfReturn = (
  settings: SupportSettings,
  state: SupportState,
  order: string | null,
): readonly TaskCommand[] =>
  doneWith(state, order) === RETURN && state.dialogue.done?.intentId !== RETURN
    ? told(settings, state, order, ['refund'])
    : []

/** The question of what has to be done, where an order that comes by itself is known: its data says more. */
export function ownPartIn(
  settings: SupportSettings,
  state: SupportState,
  command: Command,
): readonly TaskCommand[] | null {
  if (command.type !== 'ask-knowledge' || command.question !== SECTIONS.ownPart) return null
  const order = orderSpokenOf(state)
  const own = ownOrdersIn(state.orders).find(({ id }) => id === order)
  if (own === undefined || !UNDER_WAY.has(own.status)) return null
  return ownPart(settings, state, own.id)
}

const OF_PLACE = /\b(?:address(?:es)?|street|apartment|unit|zip|details)\b/iu

/** Asks what comes now, or what the customer has to do for it. */
const NEXT =
  /\b(?:what (?:happens|comes|now|next|else|do|must|should|will)|now what|and (?:now|then)|(?:do|must|should|need) (?:i|we) (?:have |need )?(?:to )?(?:do|anything|something)|next steps?|anything (?:else )?(?:i|for me|to))\b/iu

/** "Will they call me before?", of an order with which a call is noted: that is told. */
function callNoted(
  settings: SupportSettings,
  state: SupportState,
  order: string | null,
): readonly TaskCommand[] | null {
  const own = ownOrdersIn(state.orders).find(({ id }) => id === order)
  const wishes = own?.record[WISHES]
  const tells = intentsOf(settings, state).find(({ ofField }) => ofField === WISHES)
  const isNoted = JSON.stringify(wishes ?? '')
    .toLowerCase()
    .includes('call')
  if (own === undefined || tells === undefined || !isNoted) return null
  return UNDER_WAY.has(own.status)
    ? [{ type: 'start-task', intentId: tells.id, params: { [ORDER]: own.id }, confidence: 1 }]
    : null
}

const WISHES = 'wishes'

/** What has to be sent back, and where to: for a return otherwise than for a refund. */
function sendingBack(
  { knowledge }: SupportSettings,
  state: SupportState,
  order: string | null,
): string {
  if (doneWith(state, order) !== RETURN) return SEND_BACK
  if (knowledge(state.text, { isClosely: true })?.source === SECTIONS.returnPickUp)
    return SECTIONS.returnPickUp
  return WHERE_TO.test(state.text) ? SECTIONS.returnAddress : AFTER_RETURN
}

/** "Which address does it go to?", of an order that is sent back: the documents say it. */
export function placeOfReturn(
  { orders, text }: SupportState,
  intentId: string,
  order: Json | undefined,
): Command | null {
  const status = ownOrdersIn(orders).find(({ id }) => id === order)?.status
  return intentId === ORDER_ADDRESS && status === RETURNING && !OF_DELIVERY.test(text)
    ? lookUp(SECTIONS.returnAddress)
    : null
}

const OF_DELIVERY = /\b(?:was|were|did|delivered|arrived|went)\b/iu

const WHERE_TO = /\b(?:where|address(?:es)?|warehouse|(?:to|at) wh(?:om|ich|at))\b/iu

/** Whether it is asked what the customer has to do for an order that comes by itself. */
const isToDo = ({ text, orders }: SupportState, order: string): boolean =>
  facetsOf(text).includes('todo') &&
  UNDER_WAY.has(ownOrdersIn(orders).find(({ id }) => id === order)?.status ?? '')

/** Whether the money comes without being asked for. */
const AUTOMATIC =
  /\b(?:automatic\p{L}*|by itself|on its own|itself|without (?:asking|me)|once you|when you (?:get|have|receive))\b/iu

const AFTER_RETURN = 'what comes after a return is started'

/** Questions of the documents on what comes after an action. */
const AFTER: Readonly<Record<string, string>> = {
  refund: 'what comes after a refund',
  return: AFTER_RETURN,
  cancel: MONEY_OF_CANCELLED,
  change_address: 'what comes after the address is changed',
}

/** Nothing here answers it, whatever a document says on the subject: a colleague is offered. */
const UNKNOWN: Command = { type: 'ask-knowledge', question: '', isBeyond: true }

const lookUp = (question: string) => ({ type: 'ask-knowledge', question }) as const

/** What is left after a refund of a part: the rules are asked about it, and until when that is possible is told. */
function ofRest(
  settings: SupportSettings,
  state: SupportState,
  order: string | null,
): readonly TaskCommand[] {
  const own = ownOrdersIn(state.orders).find(({ id }) => id === order)
  const isLeft = own !== undefined && own.left !== null && own.left > 0 && own.left !== own.amount
  if (!isLeft) return [{ type: 'ask-done' }]
  const params: JsonObject = { [ORDER]: own.id }
  const wonders = LATER.test(state.text) ? 'later' : 'possible'
  const asked = { type: 'start-task', intentId: REFUND, params, confidence: 1, wonders } as const
  const deadline = deadlineOf(settings, state, own.id)
  // What is offered is the last word.
  return wonders === 'later' ? [asked, ...deadline] : [...deadline, asked]
}

const LATER =
  /\b(?:later|another (?:day|time)|some other (?:day|time)|(?:until|till|by) (?:when|what)|how long|in future|if|when|once)\b/iu

/** The reason of what waits, or of the last refusal: the rules are asked once more. */
function why(settings: SupportSettings, state: SupportState): readonly TaskCommand[] {
  const { blocked, last } = state.dialogue
  const about: QueuedIntent | null = blocked.at(-1) ?? last
  if (about === null || isReading(settings, about.intentId)) return UNCLEAR
  const { intentId, params } = about
  const why = { type: 'start-task', intentId, params, confidence: 1, wonders: 'why' } as const
  const order = params[ORDER]
  // "That's exactly 30 days!": the day and hour on which they ended.
  const isOfTime = OF_RETURN_OR_REFUND.has(intentId) && NAMES_DAY.test(state.text)
  const isRefused = blocked.length === 0 && typeof order === 'string'
  return isOfTime && isRefused ? [...deadlineOf(settings, state, order), why] : [why]
}

const OF_RETURN_OR_REFUND: ReadonlySet<string> = new Set<Facet>([REFUND, 'return'])
const NAMES_DAY =
  /\d|\b(?:days?|months?|weeks?|yesterday|today|jan\p{L}*|feb\p{L}*|mar(?:ch)?|apr\p{L}*|june?|july?|aug\p{L}*|sep\p{L}*|oct\p{L}*|nov\p{L}*|dec\p{L}*)\b/iu

const isWaiting = ({ dialogue }: SupportState): boolean => dialogue.blocked.length > 0

/** Whether a refund waits, and when it is approved was not said just now. */
const isApprovalAsked = ({ dialogue, history }: SupportState): boolean =>
  dialogue.blocked.every(({ intentId }) => intentId === REFUND) &&
  history
    .findLast(({ role }) => role === 'agent')
    ?.text.includes(`(From: ${SECTIONS.approval})`) !== true

/** What waits for a colleague, and when one is there; nothing where nothing waits. */
const decision = (state: SupportState): readonly Command[] =>
  isWaiting(state)
    ? [{ type: 'ask-waiting' }, lookUp(isApprovalAsked(state) ? SECTIONS.approval : HOURS)]
    : []

/** What comes if what waits is refused; of a delivered order also until when it can be sent back. */
function ifDeclined(settings: SupportSettings, state: SupportState): readonly TaskCommand[] {
  const { blocked } = state.dialogue
  const order = blocked.at(-1)?.params[ORDER]
  const isRefund = blocked.every(({ intentId }) => intentId === REFUND)
  const deadline = typeof order === 'string' ? deadlineOf(settings, state, order) : []
  return isRefund ? [lookUp(SECTIONS.notApproved), ...deadline] : decision(state)
}

/** What waits, and when that is decided; then the time of refunds, or of what is given back for a cancelled order. */
function moneyWhen(
  settings: SupportSettings,
  state: SupportState,
  order: string | null,
): readonly TaskCommand[] {
  const { done } = state.dialogue
  const isOfDone = done !== null && (order === null || done.params[ORDER] === order)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === order)?.status ?? ''
  if (GIVEN_BACK.has(status)) return told(settings, state, order, ['refund'])
  const isReturned = doneWith(state, order) === RETURN && !isWaiting(state)
  if (isReturned && AUTOMATIC.test(state.text)) return [lookUp(AFTER_RETURN)]
  // Nothing was refunded yet: the state says it, and offers that.
  if (isReturned && status === RETURNING) return told(settings, state, order, ['refund'])
  const question = isOfDone && done.intentId === CANCEL ? MONEY_OF_CANCELLED : MONEY_TIME
  return [...decision(state), lookUp(question)]
}

/** What was done here is undone if it can be; else the rules say whether the order can be opened again. */
export function reopened(
  settings: SupportSettings,
  state: SupportState,
  order: string | null = orderSpokenOf(state),
): readonly TaskCommand[] {
  const status = ownOrdersIn(state.orders).find(({ id }) => id === order)?.status
  const done = state.dialogue.done
  if (done !== null && (order === null || done.params[ORDER] === order)) return [{ type: 'undo' }]
  const cancels = intentsOf(settings, state).find(({ id }) => id === CANCEL)
  if (status !== 'cancelled' || cancels === undefined) return [{ type: 'undo' }]
  const params: JsonObject = { [ORDER]: order }
  return [{ type: 'start-task', intentId: CANCEL, params, confidence: 1, wonders: 'possible' }]
}
