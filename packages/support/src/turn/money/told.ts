import { ORDER } from '../../customer/resolve-order.ts'
import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import type { Command } from '../../understand/command.ts'
import type { Facet } from '../../understand/facets.ts'
import { telling } from '../reading/telling.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'

/** Nothing is known of what is meant. */
export const UNCLEAR: readonly Command[] = [{ type: 'unclear', readings: [] }]

/** The state of the order once more, with what is asked about it. */
export function told(
  settings: SupportSettings,
  state: SupportState,
  order: string | null,
  asks: readonly Facet[],
): readonly TaskCommand[] {
  const tells = telling(settings, state)
  if (tells === undefined || order === null) return UNCLEAR
  return [
    { type: 'start-task', intentId: tells.id, params: { [ORDER]: order }, confidence: 1, asks },
  ]
}
