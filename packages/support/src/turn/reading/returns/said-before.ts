import type { JsonObject } from 'echelon/runtime'
import { ownOrdersIn } from '../../../customer/own-order.ts'
import { AMOUNT, ITEM, ORDER } from '../../../customer/resolve-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import type { Intent } from '../../../intent.ts'
import type { Command } from '../../../understand/command.ts'
import { asksAnywhere } from '../../../understand/read-questions.ts'
import { wasRefused } from '../../begin-task.ts'
import type { SupportState } from '../../support-state.ts'

/** What is asked of a request that was done here, or refused, just before; `null` for others. */
export function saidBefore(
  state: SupportState,
  intent: Intent,
  command: Command,
  params: JsonObject,
): TaskCommand | null {
  if (command.type !== 'start-task') return null
  if (isDoneBefore(state, intent, params)) return { type: 'ask-done' }
  return isRefusedBefore(state, intent, params) ? { ...command, params, wonders: 'why' } : null
}

/** Whether it is asked about what was done here already, and can't be done once more: "only one goes back, right?" */
function isDoneBefore(state: SupportState, intent: Intent, params: JsonObject): boolean {
  const { done } = state.dialogue
  const { status } = ownOrdersIn(state.orders).find(({ id }) => id === params[ORDER]) ?? {}
  return (
    done?.intentId === intent.id &&
    params[ORDER] !== undefined &&
    done.params[ORDER] === params[ORDER] &&
    (params[ITEM] === undefined || params[ITEM] === done.params[ITEM]) &&
    asksAnywhere(state.text) &&
    status !== undefined &&
    intent.confirm &&
    intent.whileStatus?.includes(status) === false
  )
}

/** Whether the very same was just refused: its reason is told in other words, and a colleague offered. */
function isRefusedBefore(state: SupportState, intent: Intent, params: JsonObject): boolean {
  const { last } = state.dialogue
  return (
    intent.confirm &&
    wasRefused(state) &&
    last?.intentId === intent.id &&
    params[ORDER] !== undefined &&
    last.params[ORDER] === params[ORDER] &&
    last.params[ITEM] === params[ITEM] &&
    last.params[AMOUNT] === params[AMOUNT]
  )
}
