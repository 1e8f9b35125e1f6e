import { cents, ownOrdersIn } from '../../customer/own-order.ts'
import { AMOUNT, ITEM, ORDER } from '../../customer/resolve-order.ts'
import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import { type Command, BY_RULE } from '../../understand/command.ts'
import type { SupportState } from '../support-state.ts'

const REFUND = 'refund'

/** "Could you make it 45 instead?", where 30 was given back: the rest of it is asked for, and confirmed. */
export function raised(state: SupportState, command: Command): readonly TaskCommand[] | null {
  const { done, open } = state.dialogue
  if (open !== null || done?.intentId !== REFUND || !mayRaise(command)) return null
  const sum = Number(MAKES_IT.exec(state.text)?.groups?.['sum'] ?? Number.NaN)
  const order = ownOrdersIn(state.orders).find(({ id }) => id === done.params[ORDER])
  const { amount = null, left = null } = order ?? {}
  if (order === undefined || amount === null || left === null) return null
  const back = cents(amount - left)
  const more = cents(sum - back)
  const isRaised = back === Number(done.params[AMOUNT]) && more > 0 && more <= left
  const item = done.params[ITEM]
  const params = {
    [ORDER]: order.id,
    ...(item !== undefined && { [ITEM]: item }),
    [AMOUNT]: more.toFixed(2),
  }
  return isRaised ? [{ type: 'start-task', intentId: REFUND, params, confidence: BY_RULE }] : null
}

const mayRaise = (command: Command): boolean =>
  command.type === 'ask-knowledge' ||
  command.type === 'unclear' ||
  (command.type === 'start-task' && command.intentId === REFUND)

/** Another sum than what was given back; no size and no day. */
const MAKES_IT =
  /\b(?:make|raise|increase|change) (?:it|that|the (?:refund|amount|sum))(?: to| up to)? \$?(?<sum>\d{1,4}(?:\.\d\d)?)(?: ?(?:dollars|bucks|usd))?(?: (?:instead|please|in total|altogether|then))*\s*(?:[?.!,;]|$)/iu
