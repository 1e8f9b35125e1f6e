import type { JsonObject } from 'echelon/runtime'
import { itemsOfOrder, namedOrder } from '../../../customer/resolution.ts'
import { AMOUNT, mergedParams, ORDER } from '../../../customer/resolve-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import type { Intent } from '../../../intent.ts'
import type { Command } from '../../../understand/command.ts'
import { stillAsked } from '../../../understand/replies/whole.ts'
import type { SupportState } from '../../support-state.ts'
import { amendedParams } from '../amended.ts'

/** What was said before a choice was offered holds for it, unless another order is named with the answer. */
export function withChoice(
  state: SupportState,
  part: SupportState,
  intent: Intent,
  command: Extract<Command, { readonly params: JsonObject }>,
): TaskCommand | null {
  if (command.type !== 'start-task') return null
  const choice = state.dialogue.choices.find(({ intentId }) => intentId === command.intentId)
  if (choice?.params[ORDER] === undefined || command.params[ORDER] !== undefined) return null
  const params = { ...stillAsked(state.text, choice.params), ...command.params }
  const named = namedOrder(state)
  if (named !== null && named !== params[ORDER]) return null
  // Another thing than before may be named with the answer: "refund the books".
  const items = itemsOfOrder(part, intent, { [ORDER]: params[ORDER] ?? null })
  const merged = mergedParams(params, items)
  // An amount that is said outranks the price of the thing.
  const amount = command.params[AMOUNT]
  const isSaid = amount !== undefined && amount !== choice.params[AMOUNT]
  const asked = { ...merged, ...(isSaid && { [AMOUNT]: amount }) }
  return { ...command, params: { ...asked, ...amendedParams(state, intent, asked) } }
}
