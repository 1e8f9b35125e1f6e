import { ownOrdersIn } from '../../customer/own-order.ts'
import * as sentences from '../../wording/sentences.ts'
import { answered } from '../conclusion.ts'
import { canHandOver, HAND_OVER } from '../hand-over.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { wouldDo } from './would-do.ts'

/** Says what the rules allow for an order now, and what later; a yes, or a choice, begins it. */
export function withOptions(
  settings: SupportSettings,
  state: SupportState,
  id: string,
): SupportState {
  const { options = [], orders, dialogue } = state
  const now = options.flatMap(({ intentId, params, verdict }) => {
    const intent = settings.registry.find(intentId)
    if (intent === undefined || verdict === 'denied') return []
    const would = wouldDo(state, intent, params)
    const words = verdict === 'approval' ? sentences.approvedFirst(would) : would
    return [{ words, choice: { intentId, params } }]
  })
  if (now.length > 0) {
    const told = answered(state, sentences.youCan(now.map(({ words }) => words)), 'answered')
    return {
      ...told,
      dialogue: { ...dialogue, choices: now.map(({ choice }) => choice), misses: 0 },
    }
  }
  const later = [...new Set(options.flatMap((one) => one.later ?? []))]
  const status = ownOrdersIn(orders).find((one) => one.id === id)?.status ?? ''
  if (later.length > 0) {
    const text = [sentences.nothingNow(id, status.replaceAll('_', ' ')), ...later].join(' ')
    return answered(state, text, 'answered')
  }
  const isHandOver = canHandOver(settings, state)
  const asks = isHandOver ? ` ${sentences.LOOK_AT_IT}` : ''
  const told = answered(state, `${sentences.nothingMore(id)}${asks}`, 'answered')
  const choices = isHandOver ? [{ intentId: HAND_OVER, params: {} }] : []
  return { ...told, dialogue: { ...dialogue, choices, misses: 0 } }
}
