import type { JsonObject } from 'echelon/runtime'
import { ordersMeantBy } from '../../../customer/orders-meant.ts'
import { isToCome, ownOrdersIn } from '../../../customer/own-order.ts'
import { ORDER } from '../../../customer/resolve-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import type { Intent } from '../../../intent.ts'
import { BY_RULE, type Command } from '../../../understand/command.ts'
import type { SupportState } from '../../support-state.ts'
import { CONFIRMATION } from '../../dialogue.ts'
import { ofOrder } from './several.ts'

/** More orders at once are asked for one by one. */
const MOST = 4

/**
 * "Send all that hasn't come yet to 5 Elm Court": a new place for several orders is one request for each. Those that
 * have left, of which the rules say that they can't be changed, come first: the question for the others is the last
 * word. `null` for other requests, and for one order.
 */
export function movedTogether(
  { text, orders, dialogue, at }: SupportState,
  intent: Intent,
  command: Extract<Command, { readonly params: JsonObject }>,
): readonly TaskCommand[] | null {
  const [place] = intent.requiredParams.filter((name) => intent.params[name]?.wholeAnswer === true)
  const { open } = dialogue
  const isOfOpen = open !== null && open.intentId === intent.id && command.type !== 'start-task'
  if (place === undefined || !(isOfOpen || command.type === 'start-task')) return null
  const params = { ...(isOfOpen ? open.params : {}), ...command.params }
  const address = params[place]
  const said = typeof address === 'string' ? text.replaceAll(address, ' ') : text
  const own = ownOrdersIn(orders)
  const meant = ordersMeantBy(said, { orders: own, told: [], now: at })
  const to = meant?.parts.flatMap(({ order }) => (isToCome(order) ? [order] : [])) ?? []
  if (to.length < 2 || to.length > MOST) return null
  const { whileStatus = [] } = intent
  const isOpenTo = (status: string): boolean =>
    whileStatus.length === 0 || whileStatus.includes(status)
  const inTurn = [
    ...to.filter(({ status }) => !isOpenTo(status)),
    ...to.filter(({ status }) => isOpenTo(status)),
  ]
  // What is asked already comes back behind what can't be done.
  const isMixed = to.some(({ status }) => !isOpenTo(status))
  const asked = isMixed && open?.param === CONFIRMATION ? open.params[ORDER] : null
  return inTurn
    .filter(({ id }) => id !== asked)
    .map(({ id, status }) => ({
      type: 'start-task',
      intentId: intent.id,
      params: ofOrder(params, id),
      confidence: BY_RULE,
      ...(!isOpenTo(status) && { wonders: 'possible' as const }),
    }))
}
