import type { JsonObject, Moved } from 'echelon/runtime'
import { orderQuestion } from '../../customer/order-words.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { readChoices } from '../../customer/read-choices.ts'
import { AMOUNT, ITEM, ITEMS, ORDER } from '../../customer/resolve-order.ts'
import type { Weighing, Work } from '../../dialogue/work.ts'
import { isOwnDoing } from '../../understand/topics/own-doing.ts'
import * as sentences from '../../wording/sentences.ts'
import { beginTask, notUnderstood } from '../begin-task.ts'
import { answered, conclude } from '../conclusion.ts'
import type { QueuedIntent } from '../dialogue.ts'
import { canHandOver, HAND_OVER } from '../hand-over.ts'
import { fittingOffer } from '../reading/fitting-offer.ts'
import { isReading } from '../reading/reads-only.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { canWeigh, weighNext } from './weigh.ts'

type Turned = Moved<SupportState>

/**
 * Answers a message that may ask for one thing or another. Where they are about one order, the rules are asked which
 * of them it allows now; a report of a problem is answered with these.
 */
export function unclearAnswer(
  settings: SupportSettings,
  state: SupportState,
  { readings, isReport }: Extract<Work, { readonly do: 'not-understood' }>,
): Turned {
  const choices = readChoices(settings, state, readings)
  if (isReport !== true) {
    const weighed = canWeigh(settings, choices) ? weigh(settings, state, choices) : null
    return weighed ?? notUnderstood(settings, state, choices)
  }
  const told = choices.filter(({ intentId }) => isReading(settings, intentId))
  const remedies = ofSameOrder(choices.filter((one) => !told.includes(one)))
  const [id] = remedies.flatMap(({ params }) => params[ORDER] ?? [])
  const order = ownOrdersIn(state.orders).find((one) => one.id === id)
  const [look] = told
  // What has not been delivered is not missing: its state says it.
  if (look !== undefined && order !== undefined && order.status !== 'delivered') {
    return beginTask(settings, state, { ...look, params: { ...look.params, [ORDER]: order.id } })
  }
  const isMissing = look !== undefined && canHandOver(settings, state)
  const person: readonly QueuedIntent[] = isMissing ? [{ intentId: HAND_OVER, params: {} }] : []
  if (canWeigh(settings, remedies)) {
    const weighed = weigh(settings, state, [...remedies, ...person], true)
    if (weighed !== null) return weighed
  }
  return remedies.length > 0 && order === undefined
    ? ofWhichOrder(settings, state, remedies)
    : notUnderstood(settings, state, fitting(settings, state, readings))
}

/** Where only one of the orders fits one of the requests, the others are about it, too. */
function ofSameOrder(requests: readonly QueuedIntent[]): readonly QueuedIntent[] {
  const [id] = requests.flatMap(({ params }) => params[ORDER] ?? [])
  return id === undefined
    ? requests
    : requests.map(({ intentId, params }) => ({ intentId, params: { [ORDER]: id, ...params } }))
}

const fitting = (
  settings: SupportSettings,
  state: SupportState,
  readings: readonly string[],
): readonly QueuedIntent[] => readChoices(settings, state, fittingOffer(settings, state, readings))

/** A report that does not say what it is about: the orders for which something may be done are named. */
function ofWhichOrder(
  { registry }: SupportSettings,
  state: SupportState,
  remedies: readonly QueuedIntent[],
): Turned {
  const [first] = remedies
  const { whileStatus = [] } = registry.find(first?.intentId ?? '') ?? {}
  const own = ownOrdersIn(state.orders)
  const fits = own.filter(({ status }) => whileStatus.includes(status))
  const named = first?.hints?.candidates ?? fits.map(({ id }) => id)
  const question = orderQuestion(sentences.REPORT_OF_WHICH, own, { candidates: named })
  const sorry = isOwnDoing(state.text) ? '' : `${sentences.SORRY} `
  return conclude({
    ...answered(state, `${sorry}${question}`, 'not_understood'),
    dialogue: { ...state.dialogue, choices: remedies, misses: state.dialogue.misses + 1 },
  })
}

/** Asks the rules about each of the requests; `null` if none can be asked about. */
function weigh(
  settings: SupportSettings,
  state: SupportState,
  requests: readonly QueuedIntent[],
  isReport = false,
): Turned | null {
  const weighing: Weighing = { left: requests, judged: [], ...(isReport && { isReport }) }
  return weighNext(settings, state, weighing)
}

/** What serves the same end as a wish that nothing fulfills, for the order that it is about. */
export function otherWays(
  settings: SupportSettings,
  state: SupportState,
  offer: readonly string[],
): readonly QueuedIntent[] {
  const ids = offer.filter((id) => state.eligible.includes(id))
  const choices = readChoices(settings, state, ids)
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

/** Whether an intent is for items of an order, rather than for the whole. */
const takesItems = ({ registry }: SupportSettings, intentId: string): boolean =>
  registry.find(intentId)?.optionalParams.some((name) => name === AMOUNT || name === ITEMS) === true

function withoutItems(params: JsonObject): JsonObject {
  const { [ITEM]: _, ...rest } = params
  return rest
}
