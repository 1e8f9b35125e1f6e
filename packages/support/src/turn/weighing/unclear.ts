import type { Moved } from 'echelon/runtime'
import { orderQuestion } from '../../customer/order-words.ts'
import { type OwnOrder, ownOrdersIn } from '../../customer/own-order.ts'
import { namedOrder } from '../../customer/resolution.ts'
import { namesThing, tellsOfOwn } from '../../customer/unknown-thing.ts'
import { readChoices } from '../../customer/read-choices.ts'
import { ORDER } from '../../customer/resolve-order.ts'
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
import { canWeigh, ofSameOrder } from './candidates.ts'
import { weighNext } from './weigh.ts'
import { RETURN } from '../../dialogue/known-intents.ts'

type Turned = Moved<SupportState>

/**
 * Answers a message that may ask for one thing or another. Where these are about one order, the rules are asked which
 * of them they allow now.
 */
export function unclearAnswer(
  settings: SupportSettings,
  state: SupportState,
  { readings, isReport }: Extract<Work, { readonly do: 'not-understood' }>,
): Turned {
  const left = readChoices(settings, state, readings)
  if (isReport === true) return answeredReport(settings, state, left, readings)
  const weighed = canWeigh(settings, left)
    ? weighNext(settings, state, { left, weighed: [], answers: { kind: 'choice' } })
    : null
  return weighed ?? notUnderstood(settings, state, left)
}

/** Answers the report of a problem with what the rules allow, or asks which order it is about. */
function answeredReport(
  settings: SupportSettings,
  state: SupportState,
  choices: readonly QueuedIntent[],
  readings: readonly string[],
): Turned {
  if (namedOrder(state) === null && tellsOfOwn(state.text)) {
    return ofWhichOrder(settings, state, bare(choices))
  }
  const told = choices.filter(({ intentId }) => isReading(settings, intentId))
  const remedies = ofSameOrder(choices.filter((one) => !told.includes(one)))
  const [id] = remedies.flatMap(({ params }) => params[ORDER] ?? [])
  const order = ownOrdersIn(state.orders).find((one) => one.id === id)
  const [look] = told
  if (order !== undefined && isUnderWay(order) && IN_PARCEL.test(state.text)) {
    return ofContents(settings, state, order)
  }
  // What has not been delivered is not missing: its state says it.
  if (look !== undefined && order !== undefined && order.status !== 'delivered') {
    return beginTask(settings, state, { ...look, params: { ...look.params, [ORDER]: order.id } })
  }
  if (canWeigh(settings, remedies)) {
    const isGone = look !== undefined || MISSING.test(state.text)
    const isMissing = isGone && canHandOver(settings, state)
    const person: readonly QueuedIntent[] = isMissing ? [{ intentId: HAND_OVER, params: {} }] : []
    // What is not there can't be sent back.
    const fitting = remedies.filter(({ intentId }) => !isMissing || intentId !== RETURN)
    const left = [...fitting, ...person]
    const weighing: Weighing = { left, weighed: [], answers: { kind: 'report' } }
    const weighed = weighNext(settings, state, weighing)
    if (weighed !== null) return weighed
  }
  return remedies.length > 0 && order === undefined
    ? ofWhichOrder(settings, state, remedies)
    : notUnderstood(
        settings,
        state,
        readChoices(settings, state, fittingOffer(settings, state, readings)),
      )
}

/** What can be asked for, whatever it is about. */
const bare = (choices: readonly QueuedIntent[]): readonly QueuedIntent[] =>
  choices.map(({ intentId }) => ({ intentId, params: {} }))

/** A whole thing that was not in the parcel. */
const MISSING =
  /\bmissing (?:from|in|out of) (?:the|my|that|this) (?:parcel|package|box|carton|order|delivery|shipment)\b|\b(?:was|were|is|are)(?:n'?t| not) in (?:the|my|that|this) (?:parcel|package|box|carton)\b/iu

const isUnderWay = ({ status }: OwnOrder): boolean =>
  status === 'shipped' || status === 'in_transit' || status === 'delayed'

/** Words of those who have the parcel in front of them. */
const IN_PARCEL =
  /\b(?:(?:parcel|package|box|it|order|delivery) (?:is here|came|arrived|has (?:arrived|come))|opened|in (?:the|that|this) (?:box|parcel|package)|inside|it is here|it's here|(?:was|is|were|are) (?:missing|not in|wrong)|only (?:the|one|got)|wrong (?:item|one|thing|size|colou?r|\p{L}+)|got (?:the|a) (?:wrong|different)|instead of)\b/iu

/** What the data shows as on its way is said so, and a colleague is offered at once. */
function ofContents(settings: SupportSettings, state: SupportState, order: OwnOrder): Turned {
  const status = order.status.replaceAll('_', ' ')
  const shown = sentences.stillShown(order.id, status)
  const isSaid = state.history.findLast(({ role }) => role === 'agent')?.text === shown
  const told = answered(state, isSaid ? sentences.STAYS_REFUSED : shown, 'answered')
  const choices = canHandOver(settings, state) ? [{ intentId: HAND_OVER, params: {} }] : []
  return conclude({
    ...told,
    dialogue: { ...told.dialogue, choices, about: { [ORDER]: order.id }, misses: 0 },
  })
}

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
  const isUnknown =
    first?.hints?.candidates === undefined && (namesThing(state.text) || tellsOfOwn(state.text))
  const ask = isUnknown ? sentences.REPORT_OF_UNKNOWN : sentences.REPORT_OF_WHICH
  const question = isUnknown
    ? orderQuestion(ask, own)
    : orderQuestion(ask, own, { candidates: named })
  const sorry = isOwnDoing(state.text) ? '' : `${sentences.SORRY} `
  return conclude({
    ...answered(state, `${sorry}${question}`, 'not_understood'),
    dialogue: { ...state.dialogue, choices: remedies, misses: state.dialogue.misses + 1 },
  })
}
