import { itemsOfOrder } from '../../customer/resolution.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import {
  BY_RULE,
  isUnclear,
  NOT_UNDERSTOOD,
  readAs,
  type Reading,
} from '../../understand/command.ts'
import { doubtOfYes } from '../../dialogue/veto.ts'
import { facetsOf } from '../../understand/facets.ts'
import { asks } from '../../understand/read-questions.ts'
import { stillAsked } from '../../understand/replies/whole.ts'
import { CONFIRMATION } from '../dialogue.ts'
import { wasRefused } from '../begin-task.ts'
import { addressDoubted, moneyMeant, moveAsked, movedTo } from './address-meant.ts'
import { amended, forAnother, insistsOnPart, sentTo } from './amended.ts'
import { differsFromPlan, onlySpares } from './agreed.ts'
import { askedFor } from './plan-scope.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { isReportOfArrived, missedStill, reported } from './arrived.ts'
import { askedOfOpen, askedTooLate, askedUntilCancel } from './asked-of-rules.ts'
import { leastOf } from './bar.ts'
import { ofUnknown, sameForNamed, whichOrder } from './elliptical.ts'
import { fittingInstead, isMisfit } from './misfit.ts'
import { itemAlone, onlyNamesOrder, orderNamed, sameAgain } from './named-alone.ts'
import { isObjection, objected } from './objection.ts'
import { wantedAfterRules } from './offers/after-rules.ts'
import { narrowedChoice } from './offers/narrowed-choice.ts'
import { sumWished } from './offers/sum-wished.ts'
import { yesForTwo } from './offers/yes-for-two.ts'
import { priceAsked, priceWithout } from './price-asked.ts'
import { narrowsOffer, sameForOther, staysChoice } from './same-for-other.ts'
import { sameForOthers } from './parcels/several.ts'
import { placeSaid } from './settled-address.ts'
import { telling } from './telling.ts'

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
    // "The hoodie too" asks for the same once more, whatever it may follow.
    const same = sameForNamed(settings, state, given) ?? priceWithout(state)
    return { reading: same ?? given, isSure: isSaid || same !== null }
  }
  const { intentId = '' } = state.dialogue.open ?? askedFor(state) ?? {}
  const intent = settings.registry.find(intentId)
  const other =
    narrowsOffer(state) ??
    staysChoice(state) ??
    missedStill(state, given) ??
    narrowedChoice(state) ??
    wantedAfterRules(settings, state) ??
    sumWished(state, intent) ??
    yesForTwo(state) ??
    renewed(state, given) ??
    placeSaid(state, intent) ??
    (onlySpares(state, intent) ? readAs([{ type: 'remark' }], 'it says what stays') : null) ??
    insistsOnPart(settings, state, given) ??
    narrowed(settings, { ...state, text: saidBy(given) ?? state.text }, given) ??
    priceAsked(state) ??
    priceWithout(state) ??
    amended(settings, state, given) ??
    forAnother(state, given) ??
    sentTo(settings, state, given) ??
    movedTo(settings, state, given) ??
    moneyMeant(settings, state, given) ??
    moveAsked(settings, state, given) ??
    addressDoubted(settings, state, given) ??
    sameForOther(settings, state) ??
    sameForOthers(settings, state) ??
    sameForNamed(settings, state, given) ??
    sameAgain(state) ??
    whichOrder(settings, state) ??
    ofUnknown(settings, state) ??
    askedOfOpen(settings, state, given) ??
    askedUntilCancel(settings, state, given) ??
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
  // A yes that names something else than the plan, or than what was offered, is asked back.
  const reading = differsFromPlan(state, intent, weighed) ? askedBack(state) : weighed
  const isSure = isUnclear(reading) ? false : isSaid || reading !== given
  return { reading, isSure }
}

/** The words of a yes, without the remarks beside it; `undefined` for other readings. */
const saidBy = ({ commands }: Reading): string | undefined =>
  commands.find((command) => command.type === 'confirm')?.said

/** Confidence at which an order to do what was offered is one. */
const SURE_TO_RENEW = 0.8

/** "Start the return then", where just that was offered: an order to do what was offered is a yes to it. */
function renewed(state: SupportState, { commands, confidence }: Reading): Reading | null {
  const offer = state.dialogue.open === null ? askedFor(state) : null
  const [command, ...more] = commands
  if (offer === null || command?.type !== 'start-task' || more.length > 0) return null
  if (command.intentId !== offer.intentId || command.wonders !== undefined) return null
  const isSame = Object.entries(command.params).every(
    ([name, value]) => offer.params[name] === value || Number(offer.params[name]) === Number(value),
  )
  if (stillAsked(state.text, offer.params) !== offer.params) return null
  const isPlain = doubtOfYes(state.text) === null && !state.text.includes('?')
  return isSame && isPlain && confidence >= SURE_TO_RENEW
    ? readAs([{ type: 'confirm' }], 'it orders what was offered')
    : null
}

/** The confirmation once more; of an offer, that of what is named. */
function askedBack(state: SupportState): Reading {
  const offer = state.dialogue.open === null ? askedFor(state) : null
  if (offer === null) return NOT_UNDERSTOOD
  const { intentId, params } = offer
  return readAs([{ type: 'start-task', intentId, params, confidence: BY_RULE }], 'it is asked back')
}

const isRemark = ({ commands }: Reading): boolean => commands.every(({ type }) => type === 'remark')

/** "Yes, the book", where the whole order is open: a yes that names other items does not answer what was asked. */
function narrowed(settings: SupportSettings, state: SupportState, given: Reading): Reading | null {
  const { open } = state.dialogue
  const intent = open === null ? undefined : settings.registry.find(open.intentId)
  if (open?.param !== CONFIRMATION || intent === undefined) return null
  if (!given.commands.every(({ type }) => type === 'confirm')) return null
  const order = { [ORDER]: open.params[ORDER] ?? null }
  const items = itemsOfOrder(state, intent, order)
  if (items[ITEM] === undefined || items[ITEM] === open.params[ITEM]) return null
  const params = { ...order, ...items }
  return readAs([{ type: 'correct-slots', intentId: intent.id, params }], 'it names other items')
}

/** "So you won't cancel it, right?" wants to hear that it is not done. */
const LEFT_UNDONE =
  /^(?!.*\b(?:why|please|pls|just|if)\b).*\b(?:you|u)(?: will not| won['’]?t| ?['’]?re not| are not| aren['’]?t| did not| didn['’]?t| have not| haven['’]?t)\b.*(?:\?|\b(?:right|correct|ok(?:ay)?|yes)\W*$)/iu

/** "Who decided to cancel the earbuds?" orders nothing: it asks about what has happened to the order. */
function askedWhy(settings: SupportSettings, state: SupportState, given: Reading): Reading | null {
  const [command, ...more] = given.commands
  const isActing =
    command?.type === 'start-task' && settings.registry.find(command.intentId)?.confirm === true
  const isWhy = asks(state.text) && facetsOf(state.text).includes('why')
  if (
    !isActing ||
    more.length > 0 ||
    !(isWhy || LEFT_UNDONE.test(state.text)) ||
    state.dialogue.open !== null ||
    wasRefused(state)
  ) {
    return null
  }
  const told = telling(settings, state)
  return told === undefined
    ? null
    : readAs([{ ...command, intentId: told.id }], 'it asks about what has happened')
}
