import type { JsonObject } from 'echelon/runtime'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { readChoices } from '../../customer/read-choices.ts'
import { amountOf, AMOUNT, ITEM, ITEMS, ORDER } from '../../customer/resolve-order.ts'
import type { Intent } from '../../intent.ts'
import type { QueuedIntent } from '../dialogue.ts'
import { intentsOf } from '../reading/offered.ts'
import { isReading } from '../reading/reads-only.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'

/** Whether the rules can be asked about all of the requests: each would do something, and they are about one known order. */
export function canWeigh(
  { registry }: SupportSettings,
  requests: readonly QueuedIntent[],
): boolean {
  const found = requests.map(({ intentId, params }) => ({
    intent: registry.find(intentId),
    params,
  }))
  const ofOrder = found.filter(({ intent }) => intent?.requiredParams.includes(ORDER) === true)
  const [id, ...others] = new Set(ofOrder.map(({ params }) => params[ORDER]))
  return (
    typeof id === 'string' &&
    others.length === 0 &&
    found.every(({ intent }) => intent?.wording.would !== undefined) &&
    ofOrder.every(({ intent, params }) =>
      intent?.requiredParams.every((name) => params[name] !== undefined),
    )
  )
}

/** All that can be done with an order, of the items of it that were spoken of. */
export const actionsOn = (
  settings: SupportSettings,
  state: SupportState,
  order: string,
): readonly QueuedIntent[] =>
  intentsOf(settings, state)
    .filter(({ id, confirm, requiredParams }) => {
      return confirm && requiredParams.includes(ORDER) && !isReading(settings, id)
    })
    .map((intent) => ({
      intentId: intent.id,
      params: { [ORDER]: order, ...itemsSpokenOf(state, intent, order) },
    }))

/** The items of an order that the last request was about. */
function itemsSpokenOf(state: SupportState, intent: Intent, id: string): JsonObject {
  const { last } = state.dialogue
  const item = last?.params[ITEM]
  const order = ownOrdersIn(state.orders).find((one) => one.id === id)
  return last?.params[ORDER] === id && order !== undefined && typeof item === 'string'
    ? amountOf(intent, {}, order, item)
    : {}
}

/** Where only one of the orders fits one of the requests, the others are about it, too. */
export function ofSameOrder(requests: readonly QueuedIntent[]): readonly QueuedIntent[] {
  const [id] = requests.flatMap(({ params }) => params[ORDER] ?? [])
  return id === undefined
    ? requests
    : requests.map(({ intentId, params }) => ({ intentId, params: { [ORDER]: id, ...params } }))
}

/** What serves the same end as a wish that nothing fulfills, for the order that it is about. */
export function otherWays(
  settings: SupportSettings,
  state: SupportState,
  offer: readonly string[],
): readonly QueuedIntent[] {
  const ids = offer.filter((id) => state.eligible.includes(id))
  const named = readChoices(settings, state, ids)
  const isLate = named.some(({ params }) => isDelayed(state, params))
  const choices = isLate ? [...named, ...readChoices(settings, state, inPlace(ids))] : named
  const [order] = choices.flatMap(({ params }) => params[ORDER] ?? [])
  const requests = choices.map(({ intentId, params }) => ({
    intentId,
    params: {
      ...(order !== undefined && { [ORDER]: order }),
      ...(takesItems(settings, intentId) ? params : withoutItems(params)),
    },
  }))
  return canWeigh(settings, requests) ? requests : []
}

/** What is late can be refunded at any time, where it can no longer be cancelled. */
const inPlace = (ids: readonly string[]): readonly string[] =>
  ids.includes('cancel') && !ids.includes('refund') ? ['refund'] : []

const isDelayed = ({ orders }: SupportState, params: JsonObject): boolean =>
  ownOrdersIn(orders).find(({ id }) => id === params[ORDER])?.status === 'delayed'

/** Whether an intent is for items of an order, rather than for the whole. */
const takesItems = ({ registry }: SupportSettings, intentId: string): boolean =>
  registry.find(intentId)?.optionalParams.some((name) => name === AMOUNT || name === ITEMS) === true

function withoutItems(params: JsonObject): JsonObject {
  const { [ITEM]: _, ...rest } = params
  return rest
}
