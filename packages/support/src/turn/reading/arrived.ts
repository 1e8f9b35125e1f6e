import { ownOrdersIn } from '../../customer/own-order.ts'
import { isOnlyItems, namedOrder } from '../../customer/resolution.ts'
import { ORDER } from '../../customer/resolve-order.ts'
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
  const named = namedOrder(state) ?? command.params[ORDER]
  const status = ownOrdersIn(state.orders).find(({ id }) => id === named)?.status
  if (status !== 'delivered' || !isReading(settings, command.intentId)) return false
  if (isMissed(state.text)) return true
  return (
    namedOrder(state) !== null &&
    !state.text.includes('?') &&
    !clausesOf(state.text).some(asks) &&
    !tellsToAct(state.text) &&
    !/\b(?:where\p{L}*|status|track\p{L}*|never|not (?:come|arrived|here)|n't (?:come|arrived|got|received|here)|invoice|receipt|bill|order\p{L}*|news|waiting|list|show|check|tell|refund\p{L}*|money|expect\p{L}*|restitution|rebate|compensation|reimburs\p{L}*|return\p{L}*)\b/iu.test(
      state.text,
    ) &&
    !isOnlyItems(state)
  )
}

/** "Yes, it says so, and I have nothing", where that was reported and a choice offered: the choice stays. */
export function missedStill({ text, dialogue }: SupportState, given: Reading): Reading | null {
  const { open, choices } = dialogue
  const isNo = given.commands.every(({ type }) => type === 'deny')
  if (open !== null || choices.length < 2 || !isNo || !isMissed(text)) return null
  const readings = choices.map(({ intentId }) => intentId)
  return readAs([{ type: 'unclear', readings }], 'it says once more that it is not there', 1)
}

/** "It says delivered, but there is nothing here": what was brought according to the data, and did not come. */
const isMissed = (text: string): boolean =>
  SAYS_DELIVERED.test(text) && NOT_HERE.test(text) && !OF_TIME.test(text)

const SAYS_DELIVERED =
  /\b(?:says?|said|shows?|showing|claims?|claimed|marked|listed|status|tracking|according|supposedly|apparently|allegedly|was|were|is|are|been|its|it'?s|they'?re)\b[^.!?]{0,40}\b(?:delivered|handed over|dropped off|arrived)\b/iu
const NOT_HERE =
  /\b(?:nothing|nowhere|no (?:sign|trace|parcel|package|box|delivery|one)|never (?:got|came|arrived|received|saw|showed)|(?:not|n'?t) (?:here|there|got|have|get|received?|seen?|find|arrived?|come|mine|in my)|empty|missing|without)\b|\b(?:don'?t|dont|do not|didn'?t|didnt|did not|haven'?t|havent|have not|isn'?t|isnt|is not|can'?t|cannot) (?:\p{L}+ )?(?:got|have|get|received?|seen?|find|here|there|arrived?)\b/iu
const OF_TIME = /\b(?:when|yet to|tomorrow|later|will|invoice|receipt)\b/iu

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
  if (isMissed(state.text)) {
    const read = given.commands.flatMap((one) => ('intentId' in one ? [one.intentId] : []))
    const command = { type: 'unclear', readings: [...read, ...readings], isReport: true } as const
    return readAs([command], 'it is delivered, and not there', 0)
  }
  return readAs([{ type: 'unclear', readings }], 'it tells something about what has arrived', 0)
}
