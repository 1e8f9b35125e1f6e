import { namedOrder } from '../../../customer/resolution.ts'
import { ownOrdersIn } from '../../../customer/own-order.ts'
import { ORDER } from '../../../customer/resolve-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import { SECTIONS } from '../../../knowledge/known-sections.ts'
import { ASKS_DUTY } from '../../../understand/afterwards/prospects.ts'
import { BY_RULE, type Command } from '../../../understand/command.ts'
import { SEND_BACK } from '../../../understand/questions/standard.ts'
import { orderSpokenOf } from '../../money/given-back.ts'
import type { SupportSettings } from '../../support-settings.ts'
import type { SupportState } from '../../support-state.ts'
import { intentsOf } from '../offered.ts'
import { CHANGE_ADDRESS } from '../../../dialogue/known-intents.ts'

/**
 * "Can I still change where it goes?", of an order that was spoken of: the rules are asked for that order, where the
 * documents would only say them. `null` for other questions.
 */
export function moveOfSpoken(
  settings: SupportSettings,
  state: SupportState,
  command: Command,
): readonly TaskCommand[] | null {
  const { text, dialogue } = state
  if (command.type !== 'ask-knowledge' || dialogue.open !== null || !OF_IT.test(text)) return null
  if (settings.knowledge(command.question)?.source !== SECTIONS.changedAddress) return null
  const order = namedOrder(state) ?? orderSpokenOf(state)
  const isOffered = intentsOf(settings, state).some(({ id }) => id === CHANGE_ADDRESS)
  return order === null || !isOffered
    ? null
    : [
        {
          type: 'start-task',
          intentId: CHANGE_ADDRESS,
          params: { [ORDER]: order },
          confidence: BY_RULE,
          wonders: 'possible',
        },
      ]
}

const OF_IT = /\b(?:can|could|may|possible|too late|time)\b[^.!?]*\b(?:it|that|this|them|its)\b/iu

/** "Do I still have to send the mug back?", of an order whose money was given back without a return: nobody asks for it. */
export function dutyAfterRefund(
  state: SupportState,
  command: Command,
): readonly TaskCommand[] | null {
  if (!ASKS_DUTY.test(state.text) || !SENDS.test(state.text) || OF_TIME.test(state.text))
    return null
  if (command.type !== 'start-task' && command.type !== 'ask-knowledge') return null
  const order = namedOrder(state) ?? orderSpokenOf(state)
  const { status, record = {} } = ownOrdersIn(state.orders).find(({ id }) => id === order) ?? {}
  const isReturned = record['return_items'] !== undefined || record['returned_at'] !== undefined
  return status === 'refunded' && !isReturned
    ? [{ type: 'ask-knowledge', question: SEND_BACK }]
    : null
}

const SENDS = /\b(?:send|ship|mail|post|return|give|bring)\b/iu
const OF_TIME = /\b(?:when|until|how (?:long|many)|by)\b/iu
