import { itemsOfOrder } from '../../customer/resolution.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import { isUnclear, NOT_UNDERSTOOD, readAs, type Reading } from '../../understand/command.ts'
import { facetsOf } from '../../understand/facets.ts'
import { asks } from '../../understand/read-questions.ts'
import { wasRefused } from '../begin-task.ts'
import { CONFIRMATION } from '../dialogue.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { agreedInPlanWords, differsFromPlan, onlySpares } from './agreed.ts'
import { amended, forAnother, sentTo } from './amended.ts'
import { isReportOfArrived, reported } from './arrived.ts'
import { askedOfOpen, askedTooLate } from './asked-of-rules.ts'
import { leastOf } from './bar.ts'
import { ofUnknown, sameForNamed, whichOrder } from './elliptical.ts'
import { fittingInstead, isMisfit } from './misfit.ts'
import { itemAlone, onlyNamesOrder, orderNamed, sameAgain } from './named-alone.ts'
import { isObjection, objected } from './objection.ts'
import { sameForOther } from './same-for-other.ts'
import { placeSaid } from './settled-address.ts'
import { telling } from './telling.ts'
import { agreedAndWhy } from './yes-and-why.ts'

/** What is made of a reading: itself, or what the customer's own orders say that is meant. */
export interface Accepted {
  readonly reading: Reading
  /** Whether it is sure enough to be carried out. */
  readonly isSure: boolean
}

/** Weighs a rung's reading against what the message names of the customer's orders. */
export function accepted(settings: SupportSettings, state: SupportState, given: Reading): Accepted {
  const isSaid = !isUnclear(given) && given.confidence >= leastOf(settings, state, given)
  // It was read with what came before in hand.
  if (given.commands.every(({ type }) => type === 'follow-up')) {
    return { reading: given, isSure: isSaid }
  }
  const intent = settings.registry.find(state.dialogue.open?.intentId ?? '')
  const agreed = agreedAndWhy(state)
  const other =
    agreedInPlanWords(state, intent) ??
    placeSaid(state, intent) ??
    (onlySpares(state, intent) ? readAs([{ type: 'remark' }], 'it says what stays') : null) ??
    narrowed(settings, state, agreed ?? given) ??
    agreed ??
    amended(settings, state, given) ??
    forAnother(state, given) ??
    sentTo(settings, state, given) ??
    sameForOther(settings, state) ??
    sameForNamed(settings, state, given) ??
    sameAgain(state) ??
    whichOrder(settings, state) ??
    ofUnknown(settings, state) ??
    askedOfOpen(settings, state, given) ??
    askedTooLate(settings, state, given) ??
    askedWhy(settings, state, given)
  const isFirm =
    isSaid &&
    !isRemark(given) &&
    !isMisfit(settings, state, given) &&
    !isReportOfArrived(settings, state, given) &&
    !onlyNamesOrder(settings, state, given) &&
    !isObjection(settings, state, given)
  const weighed =
    other ??
    (isFirm
      ? given
      : (orderNamed(state) ??
        itemAlone(settings, state) ??
        fittingInstead(settings, state, given) ??
        reported(settings, state, given) ??
        objected(settings, state, given)))
  // A yes that names something else than the plan is asked back.
  const reading = differsFromPlan(state, intent, weighed) ? NOT_UNDERSTOOD : weighed
  const isSure = isUnclear(reading) ? false : isSaid || reading !== given
  return { reading, isSure }
}

const isRemark = ({ commands }: Reading): boolean => commands.every(({ type }) => type === 'remark')

/** "Yes, the book", where the whole order is open: a yes that names other items does not answer what was asked. */
function narrowed(settings: SupportSettings, state: SupportState, given: Reading): Reading | null {
  const { open } = state.dialogue
  const intent = open === null ? undefined : settings.registry.find(open.intentId)
  if (open?.param !== CONFIRMATION || intent === undefined) return null
  if (!given.commands.some(({ type }) => type === 'confirm')) return null
  const order = { [ORDER]: open.params[ORDER] ?? null }
  const items = itemsOfOrder(state, intent, order)
  if (items[ITEM] === undefined || items[ITEM] === open.params[ITEM]) return null
  const params = { ...order, ...items }
  return readAs([{ type: 'correct-slots', intentId: intent.id, params }], 'it names other items')
}

/** "Who decided to cancel the earbuds?" orders nothing: it asks about what has happened to the order. */
function askedWhy(settings: SupportSettings, state: SupportState, given: Reading): Reading | null {
  const [command, ...more] = given.commands
  const isActing =
    command?.type === 'start-task' && settings.registry.find(command.intentId)?.confirm === true
  const isWhy = asks(state.text) && facetsOf(state.text).includes('why')
  if (!isActing || more.length > 0 || !isWhy || state.dialogue.open !== null || wasRefused(state)) {
    return null
  }
  const told = telling(settings, state)
  return told === undefined
    ? null
    : readAs([{ ...command, intentId: told.id }], 'it asks about what has happened')
}
