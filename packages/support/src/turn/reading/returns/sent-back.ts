import { namedOrder } from '../../../customer/resolution.ts'
import { ownOrdersIn } from '../../../customer/own-order.ts'
import { ORDER } from '../../../customer/resolve-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import type { Intent } from '../../../intent.ts'
import { SECTIONS } from '../../../knowledge/known-sections.ts'
import { BY_RULE, type Command, type StartTask } from '../../../understand/command.ts'
import { asksLastDay } from '../../../understand/questions/until-when.ts'
import { orderSpokenOf, RETURNING } from '../../money/given-back.ts'
import type { SupportSettings } from '../../support-settings.ts'
import type { SupportState } from '../../support-state.ts'
import { intentsOf } from '../offered.ts'
import { REFUND, RETURN, RETURN_DEADLINE } from '../../../dialogue/known-intents.ts'

/** What was done to an order here, or what its state says. */
export function doneWith(
  { dialogue: { done }, orders }: SupportState,
  order: string | null,
): string | null {
  if (done !== null && (order === null || done.params[ORDER] === order)) return done.intentId
  const status = ownOrdersIn(orders).find(({ id }) => id === order)?.status
  return status === 'return_started' ? RETURN : null
}

/** Until when a delivered order, or one whose return was started, is sent back. */
export function deadlineOf(
  settings: SupportSettings,
  state: SupportState,
  order: string,
): readonly TaskCommand[] {
  const status = ownOrdersIn(state.orders).find(({ id }) => id === order)?.status ?? ''
  const tells = intentsOf(settings, state).find(({ id }) => id === RETURN_DEADLINE)
  return tells === undefined || !SENT_BACK.has(status)
    ? []
    : [{ type: 'start-task', intentId: RETURN_DEADLINE, params: { [ORDER]: order }, confidence: 1 }]
}

const SENT_BACK: ReadonlySet<string> = new Set(['delivered', RETURNING])

/** "How many days do I have to post it?", after a return was started: its own day, and not the rule. */
export function timeToSend(
  settings: SupportSettings,
  state: SupportState,
  order: string | null,
): readonly TaskCommand[] | null {
  if (order === null || doneWith(state, order) !== RETURN || !asksLastDay(state.text)) return null
  const told = deadlineOf(settings, state, order)
  return told.length === 0 ? null : told
}

/** The same, where it is read as a question of the rules. */
export const timeToSendIn = (
  settings: SupportSettings,
  state: SupportState,
  command: Command,
): readonly TaskCommand[] | null =>
  command.type === 'ask-knowledge' && !OF_OTHER_TIME.test(state.text)
    ? timeToSend(settings, state, orderSpokenOf(state))
    : null

/** The time of the money, or of something else. */
const OF_OTHER_TIME =
  /\b(?:money|refund\p{L}*|paid|pay|back on|cancel\p{L}*|order(?:ed|ing)?|colleagues?|approv\p{L}*|wait(?:ing)?)\b/iu

/** A label is asked for where the money is asked for or was given, and no return was started. */
export function labelAlone(
  { knowledge }: SupportSettings,
  { dialogue, orders, text }: SupportState,
  command: Command,
): readonly TaskCommand[] | null {
  const { blocked, done, last } = dialogue
  const refund = [...blocked, done].findLast((one) => one?.intentId === REFUND)
  const order = refund?.params[ORDER]
  if (order === undefined || command.type !== 'ask-knowledge' || !OF_LABEL.test(text)) return null
  const status = ownOrdersIn(orders).find(({ id }) => id === order)?.status
  const isSpoken = last?.params[ORDER] === undefined || last.params[ORDER] === order
  const isOfCost = knowledge(command.question)?.source === SECTIONS.returnCost
  return isOfCost && isSpoken && status !== RETURNING
    ? [{ type: 'ask-knowledge', question: SECTIONS.labelAlone }]
    : null
}

/** "Where is the label?", after a return was started, is not about the parcel that came. */
export function labelOfReturn(
  { knowledge }: SupportSettings,
  state: SupportState,
  command: Command,
): boolean {
  if (command.type !== 'ask-knowledge' || !OF_LABEL.test(state.text)) return false
  const isOfParcel = knowledge(command.question)?.source === SECTIONS.onLabel
  return isOfParcel && doneWith(state, orderSpokenOf(state)) === RETURN
}

const OF_LABEL = /\blabels?\b/iu

/** "Can I send it back instead?", read as a question of what comes later, of an order that has come: the rules say it. */
export function returnNow(
  settings: SupportSettings,
  state: SupportState,
  command: Command,
): readonly [Intent, StartTask] | null {
  if (command.type !== 'ask-knowledge' || command.question !== SECTIONS.returnOnceArrived)
    return null
  const order = namedOrder(state) ?? orderSpokenOf(state)
  const intent = intentsOf(settings, state).find(({ id }) => id === RETURN)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === order)?.status
  if (intent === undefined || order === null || status !== 'delivered') return null
  const params = { [ORDER]: order }
  const task = { type: 'start-task', intentId: RETURN, params, confidence: BY_RULE } as const
  return [intent, { ...task, wonders: 'possible' }]
}
