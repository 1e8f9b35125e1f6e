import { namedOrder } from '../../customer/resolution.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import { clausesOf } from '../../understand/clauses.ts'
import { type Command, readAs, type Reading } from '../../understand/command.ts'
import { facetsOf } from '../../understand/facets.ts'
import { asks } from '../../understand/read-questions.ts'
import { wasRefused } from '../begin-task.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { isReading } from './reads-only.ts'

/** Readings of what follows a refusal that are less sure than this are taken for an objection. */
const SURE_AFTER_REFUSAL = 0.85

/** Whether a message only objects to a refusal: "oh come on, I was on holiday". */
export function isObjection(
  settings: SupportSettings,
  state: SupportState,
  reading: Reading,
): boolean {
  const { dialogue, text } = state
  if (!wasRefused(state) || dialogue.open !== null) return false
  if (text.includes('?') && !facetsOf(text).includes('why')) return false
  const named = namedOrder(state)
  return (
    (named === null || named === dialogue.last?.params[ORDER]) &&
    reading.commands.every(
      (command) =>
        command.type === 'unclear' ||
        isBeyond(command, text) ||
        (command.type === 'start-task' &&
          isReading(settings, command.intentId) &&
          (command.confidence < SURE_AFTER_REFUSAL || facetsOf(text).includes('why')) &&
          command.params[ORDER] === undefined),
    )
  )
}

/** A statement that nothing here answers: "four weeks is nothing for a thing at that price". */
const isBeyond = (command: Command, text: string): boolean =>
  command.type === 'ask-knowledge' && command.isBeyond === true && !clausesOf(text).some(asks)

export const objected = (settings: SupportSettings, state: SupportState, given: Reading): Reading =>
  isObjection(settings, state, given)
    ? readAs([{ type: 'follow-up', about: 'why' }], 'it objects to the refusal')
    : given
