import { ordersMeantBy } from '../../../customer/orders-meant.ts'
import { isToCome, ownOrdersIn } from '../../../customer/own-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import type { Intent } from '../../../intent.ts'
import type { Command } from '../../../understand/command.ts'
import type { SupportState } from '../../support-state.ts'
import { ofOrder } from './several.ts'

const LATE = 'delayed'
/** More orders at once are asked for one by one. */
const MOST = 4

/**
 * "Cancel both that aren't here yet", of which at most one is in a state for it: the rules say of each of the others
 * why not, and the one that is left is asked about last. `null` for other requests, and where there is a choice.
 */
export function fewFit(
  { text, orders, history, dialogue, at }: SupportState,
  { id: intentId, confirm, whileStatus = [] }: Intent,
  command: Extract<Command, { readonly params: object }>,
): readonly TaskCommand[] | null {
  const isPlain = command.type === 'start-task' && command.wonders === undefined
  if (!isPlain || !confirm || whileStatus.length === 0 || dialogue.open !== null) return null
  const own = ownOrdersIn(orders)
  const before = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const told = own.flatMap(({ id }) => (before.includes(id) ? [id] : []))
  const meant = ordersMeantBy(text, { orders: own, told, now: at })
  if (meant === null || meant.how === 'named') return null
  const all = meant.parts.map(({ order }) => order)
  const open = all.filter(isToCome)
  // What has come already can't be meant where only what is to come can be chosen from.
  const to = open.length > 1 ? open : all
  const fitting = to.filter(({ status }) => whileStatus.includes(status))
  const late = to.filter((one) => one.status === LATE && !fitting.includes(one))
  // A refund is offered for what is late: one question is the last word.
  const asked = [...late, ...fitting]
  if (to.length < 2 || to.length > MOST || asked.length > 1) return null
  const inTurn = [...to.filter((one) => !asked.includes(one)), ...asked]
  return inTurn.map((one) => ({
    ...command,
    intentId,
    params: ofOrder(command.params, one.id),
    ...(!fitting.includes(one) && { wonders: 'possible' as const }),
  }))
}
