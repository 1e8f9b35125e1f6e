import { ownOrdersIn } from '../../customer/own-order.ts'
import { isOnlyItems, namedOrder } from '../../customer/resolution.ts'
import { clausesOf } from '../../understand/clauses.ts'
import { readAs, type Reading } from '../../understand/command.ts'
import { asks } from '../../understand/read-questions.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { intentsOf } from './offered.ts'
import { isReading } from './reads-only.ts'
import { tellsToAct } from './tells-to-act.ts'

/**
 * Whether a statement about something that has arrived is read as a question about where it is. A customer who has it
 * knows that, and most often tells what is wrong with it.
 */
export function isReportOfArrived(
  settings: SupportSettings,
  state: SupportState,
  { commands }: Reading,
): boolean {
  const [command, ...more] = commands
  if (command?.type !== 'start-task' || more.length > 0 || state.dialogue.open !== null)
    return false
  const named = namedOrder(state)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === named)?.status
  return (
    status === 'delivered' &&
    isReading(settings, command.intentId) &&
    !state.text.includes('?') &&
    !clausesOf(state.text).some(asks) &&
    !tellsToAct(state.text) &&
    !/\b(?:where\p{L}*|status|track\p{L}*|never|not (?:come|arrived|here)|n't (?:come|arrived|got|received|here)|invoice|receipt|bill|order\p{L}*|news|waiting|list|show|check|tell|refund\p{L}*|money|expect\p{L}*|restitution|rebate|compensation|reimburs\p{L}*|return\p{L}*)\b/iu.test(
      state.text,
    ) &&
    !isOnlyItems(state)
  )
}

/** What can be done with what was delivered is offered. */
export function reported(
  settings: SupportSettings,
  state: SupportState,
  given: Reading,
): Reading | null {
  if (!isReportOfArrived(settings, state, given)) return null
  const readings = intentsOf(settings, state)
    .filter(({ confirm, whileStatus = [] }) => confirm && whileStatus.includes('delivered'))
    .map(({ id }) => id)
  return readAs([{ type: 'unclear', readings }], 'it tells something about what has arrived', 0)
}
