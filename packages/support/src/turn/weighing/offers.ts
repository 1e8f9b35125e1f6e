import type { Weighed } from '../../dialogue/work.ts'
import type { QueuedIntent } from '../dialogue.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { boundOffer } from './bound-offer.ts'
import { couldDo } from './would-do.ts'

/** Offers what the rules allow: one thing as its confirmation would, so that one yes is enough, or a choice. */
export function offersOf(
  settings: SupportSettings,
  state: SupportState,
  can: readonly Weighed[],
): { readonly text: string; readonly choices: readonly QueuedIntent[] } {
  const [one, ...others] = can
  if (one !== undefined && others.length === 0) {
    const { besides, choice } = boundOffer(settings, state, one)
    return { text: couldDo(settings, state, can, besides), choices: [choice] }
  }
  const choices = can.map(({ intentId, params }) => ({ intentId, params }))
  return { text: couldDo(settings, state, can, ''), choices }
}
