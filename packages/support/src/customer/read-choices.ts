import type { QueuedIntent } from '../turn/dialogue.ts'
import type { SupportSettings } from '../turn/support-settings.ts'
import type { SupportState } from '../turn/support-state.ts'
import { correctedParams } from '../understand/read-wishes.ts'
import { resolutionIn } from './resolution.ts'

/** The intents offered as a choice, with what the message already says of each. */
export function readChoices(
  settings: SupportSettings,
  state: SupportState,
  readings: readonly string[],
): readonly QueuedIntent[] {
  return readings.flatMap((intentId) => {
    const intent = settings.registry.find(intentId)
    if (intent === undefined) return []
    const { params, hints } = resolutionIn(state, intent, correctedParams(state.text, intent))
    return [{ intentId, params, ...(Object.keys(hints).length > 0 && { hints }) }]
  })
}
