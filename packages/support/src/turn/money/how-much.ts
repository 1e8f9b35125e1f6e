import type { JsonObject } from 'echelon/runtime'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import type { Command } from '../../understand/command.ts'
import { facetsOf } from '../../understand/facets.ts'
import { asksAnywhere } from '../../understand/read-questions.ts'
import { intentsOf } from '../reading/offered.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { GIVEN_BACK, orderSpokenOf, RETURNING } from './given-back.ts'
import { told } from './told.ts'
import { ORDER_PAYMENT, RETURN } from '../../dialogue/known-intents.ts'

/** Of what is sent back, words of a sum are about what is given back for it. */
const OF_SUM =
  /\b(?:how (?:much|big|large|high)|what (?:amount|sum)|(?:the )?(?:full|whole|entire) (?:price|amount|sum|thing|refund)|everything(?: back)?|all of it|all (?:of )?(?:the|my) money)\b/iu

/** Intents that such a question may be read as. */
const READ_AS: ReadonlySet<string> = new Set([ORDER_PAYMENT, 'refund', 'order_status'])

/**
 * "How big of a refund do I get?", of what is sent back, or would be: what was paid for it, which is asked for once it
 * was sent. `null` for other questions, and where no return is spoken of.
 */
export function howMuchBack(
  settings: SupportSettings,
  state: SupportState,
  command: Command,
): readonly TaskCommand[] | null {
  const { text } = state
  if (!asksAnywhere(text) || !(facetsOf(text).includes('back') || OF_SUM.test(text))) return null
  const mayBe =
    command.type === 'ask-knowledge' ||
    command.type === 'unclear' ||
    (command.type === 'follow-up' && command.about === 'money_when') ||
    (command.type === 'start-task' && READ_AS.has(command.intentId))
  const about = mayBe ? returnOf(state) : null
  const tells = intentsOf(settings, state).find(({ id }) => id === ORDER_PAYMENT)
  if (about === null || tells === undefined) return null
  // What was sent back before is asked for now: the state offers it, with the sum.
  const id = about[ORDER]
  const isStarted = ownOrdersIn(state.orders).some(
    (one) => one.id === id && one.status === RETURNING,
  )
  const { done, open, blocked } = state.dialogue
  const isOffered = isStarted && open === null && blocked.length === 0
  return isOffered && done?.intentId !== RETURN && typeof id === 'string'
    ? told(settings, state, id, ['refund'])
    : [{ type: 'start-task', intentId: tells.id, params: about, confidence: 1, asks: ['back'] }]
}

/** The order that goes back, or may, and the items of it; `null` for none. */
function returnOf(state: SupportState): JsonObject | null {
  const { open, choices, done } = state.dialogue
  const asked = open ?? choices.find(({ intentId }) => intentId === RETURN) ?? done
  const spoken = orderSpokenOf(state)
  const order = ownOrdersIn(state.orders).find(
    ({ id }) => id === (asked?.intentId === RETURN ? asked.params[ORDER] : spoken),
  )
  if (order === undefined || GIVEN_BACK.has(order.status)) return null
  if (asked?.intentId !== RETURN && order.status !== RETURNING) return null
  const item = asked?.params[ITEM] ?? order.record['return_items']
  return { [ORDER]: order.id, ...(typeof item === 'string' && { [ITEM]: item }) }
}
