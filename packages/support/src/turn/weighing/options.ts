import { ownOrdersIn } from '../../customer/own-order.ts'
import type { Weighed } from '../../dialogue/work.ts'
import * as sentences from '../../wording/sentences.ts'
import { answered } from '../conclusion.ts'
import type { QueuedIntent } from '../dialogue.ts'
import { canHandOver, HAND_OVER } from '../hand-over.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { offersOf } from './offers.ts'

/** Says what the rules allow for an order now, or else later; a yes, or a choice, begins it. */
export function answeredOptions(
  settings: SupportSettings,
  state: SupportState,
  all: readonly Weighed[],
  order: string,
): SupportState {
  const now = all.filter(({ verdict }) => verdict !== 'denied')
  if (now.length > 0) {
    const { text, choices } = offersOf(settings, state, now)
    return choosing(answered(state, text, 'answered'), choices)
  }
  const later = all.flatMap(({ instead }) => (instead?.offer === null ? [instead.say] : []))
  if (later.length > 0) {
    const status = ownOrdersIn(state.orders).find(({ id }) => id === order)?.status ?? ''
    const nothing = sentences.nothingNow(order, status.replaceAll('_', ' '))
    return answered(state, [nothing, ...new Set(later)].join(' '), 'answered')
  }
  const isHandOver = canHandOver(settings, state)
  const asks = isHandOver ? ` ${sentences.LOOK_AT_IT}` : ''
  const told = answered(state, `${sentences.nothingMore(order)}${asks}`, 'answered')
  return choosing(told, isHandOver ? [{ intentId: HAND_OVER, params: {} }] : [])
}

const choosing = (state: SupportState, choices: readonly QueuedIntent[]): SupportState => ({
  ...state,
  dialogue: { ...state.dialogue, choices, misses: 0 },
})
