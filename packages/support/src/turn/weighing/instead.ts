import type { JsonObject } from 'echelon/runtime'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { amountOf, ITEM, ORDER } from '../../customer/resolve-order.ts'
import type { QueuedIntent } from '../dialogue.ts'
import { HAND_OVER } from '../hand-over.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'

/** A request for what can be done instead, for the same order and items; `null` if it is not offered here. */
export function choiceOf(
  { registry }: SupportSettings,
  state: SupportState,
  { params }: { readonly params: JsonObject },
  offer: string | null,
): QueuedIntent | null {
  const intent = offer === null ? undefined : registry.find(offer)
  if (intent === undefined || !state.eligible.includes(intent.id)) return null
  if (intent.id === HAND_OVER && state.dialogue.handedOver !== null) return null
  const { [ORDER]: id, [ITEM]: item } = params
  const takesOrder = intent.requiredParams.includes(ORDER) && id !== undefined
  const about = takesOrder ? { [ORDER]: id } : {}
  const order = ownOrdersIn(state.orders).find((one) => one.id === about[ORDER])
  const meant = item ?? (order?.status === RETURNING ? order.record['return_items'] : undefined)
  const items =
    order !== undefined && typeof meant === 'string' ? amountOf(intent, about, order, meant) : {}
  return { intentId: intent.id, params: { ...about, ...items } }
}

const RETURNING = 'return_started'

/** What was said can be done instead is begun by a yes. */
export function offeringTo(
  settings: SupportSettings,
  state: SupportState,
  task: { readonly params: JsonObject },
  offer: string | null,
): SupportState {
  const choice = choiceOf(settings, state, task, offer)
  return choice === null ? state : { ...state, dialogue: { ...state.dialogue, choices: [choice] } }
}
