import { itemsOfOrder, namedOrder, otherOrders } from '../../../customer/resolution.ts'
import { ITEM, ORDER } from '../../../customer/resolve-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import type { Intent } from '../../../intent.ts'
import { clausesOf } from '../../../understand/clauses.ts'
import type { Command } from '../../../understand/command.ts'
import type { SupportState } from '../../support-state.ts'
import { amendedParams, meantIn, withoutRefused } from '../amended.ts'
import { settledAddress } from '../settled-address.ts'

/** A correction, with the items that it names. If it names none, the remaining orders are offered. */
export function correctedBy(
  state: SupportState,
  intent: Intent,
  command: Extract<Command, { readonly type: 'correct-slots' }>,
): TaskCommand {
  const before = (state.dialogue.open ?? state.dialogue.last)?.params ?? {}
  const changed = amendedParams(state, intent, before)
  const isChanged = Object.keys(changed).length > 0
  if (!isChanged && Object.keys(command.params).length === 0) {
    // "Not the book, the mug": another part of the same order.
    const rest = withoutRefused(state.text)
    const same = { [ORDER]: before[ORDER] ?? null }
    const part = rest === state.text ? {} : itemsOfOrder({ ...state, text: rest }, intent, same)
    if (part[ITEM] !== undefined) return { ...command, params: { ...same, ...part } }
    const named = namedOrder(state) ?? namedOrder({ ...state, text: withoutRefused(state.text) })
    // "No, not the book, the mug" refuses the book, and means the mug that is open.
    const meant = { ...state, text: meantIn(state.text) }
    const isMeant = namedOrder(meant) === named
    const isRefused =
      named === before[ORDER] &&
      !isMeant &&
      clausesOf(state.text).some(
        (text) => /\bnot\b|n't\b/iu.test(text) && namedOrder({ ...state, text }) === named,
      )
    if (named !== null && !isRefused) {
      const params = { [ORDER]: named }
      return { ...command, params: { ...params, ...itemsOfOrder(meant, intent, params) } }
    }
    const others = otherOrders(state, before[ORDER])
    return others.length === 0 ? command : { ...command, hints: { candidates: others } }
  }
  const items = itemsOfOrder(state, intent, command.params)
  const { params: merged, hints } = settledAddress(state, intent, before, command.params)
  const params = { ...merged, ...items, ...changed }
  return { ...command, params, ...(hints.street !== undefined && { hints }) }
}
