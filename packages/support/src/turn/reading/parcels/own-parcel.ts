import type { JsonObject } from 'echelon/runtime'
import { namedOrder } from '../../../customer/resolution.ts'
import { isToCome, type OwnOrder, ownOrdersIn } from '../../../customer/own-order.ts'
import { ORDER } from '../../../customer/resolve-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import type { Command } from '../../../understand/command.ts'
import type { Facet } from '../../../understand/facets.ts'
import { asksAnywhere } from '../../../understand/read-questions.ts'
import { passageFor } from '../../answers/passage-for.ts'
import { asksLastDay } from '../../../understand/questions/until-when.ts'
import type { SupportSettings } from '../../support-settings.ts'
import type { SupportState } from '../../support-state.ts'
import { orderSpokenOf } from '../../money/given-back.ts'
import { intentsOf } from '../offered.ts'
import { telling } from '../telling.ts'
import { SECTIONS } from '../../../knowledge/known-sections.ts'
import { CANCEL, RETURN, RETURN_DEADLINE } from '../../../dialogue/known-intents.ts'

/** What a section of the documents says in general, and the state of an order says better. */
interface OfSection {
  readonly asks: Facet
  /** The intent that says it; the one that tells the state of an order where none is given. */
  readonly by?: string
  /** The states of an order for which its own answer stands alone, or behind the section. */
  readonly alone: readonly string[]
  readonly behind?: readonly string[]
}

const PREPARED = 'processing'
const ON_ITS_WAY = ['shipped', 'in_transit', 'delayed']

const OF_SECTIONS: Readonly<Record<string, OfSection>> = {
  [SECTIONS.sentLater]: { asks: 'hold', alone: ['processing', ...ON_ITS_WAY] },
  [SECTIONS.toDriver]: { asks: 'door', alone: ON_ITS_WAY },
  [SECTIONS.deliveryHours]: { asks: 'hours', alone: ON_ITS_WAY },
  [SECTIONS.tracking]: { asks: 'place', alone: ON_ITS_WAY },
  [SECTIONS.onLabel]: {
    asks: 'label',
    by: 'order_address',
    alone: ['processing', ...ON_ITS_WAY],
  },
  [SECTIONS.afterReturn]: { asks: 'refund', alone: [], behind: ['return_started'] },
  [SECTIONS.leaves]: { asks: 'leaves', alone: ['processing', ...ON_ITS_WAY] },
  [SECTIONS.held]: { asks: 'held', alone: [], behind: ['delayed'] },
}

/**
 * A question that documents answer in general, about an order that has not come yet: "can you hold my mug till
 * Friday?" is answered by where the mug is. `null` if no order is known, or the section says all.
 */
export function ofOwnParcel(
  settings: SupportSettings,
  state: SupportState,
  command: Command,
): readonly TaskCommand[] | null {
  if (command.type !== 'ask-knowledge' || command.isBeyond === true) return null
  const source = passageFor(settings, state, command.question)?.source ?? ''
  if (source === SECTIONS.cancelling) return ofCancelling(settings, state)
  if (OF_RETURNS.has(source) && asksLastDay(state.text)) return lastDayOf(settings, state)
  if (source === SECTIONS.afterReturn && state.dialogue.done?.intentId === RETURN) return null
  const section = OF_SECTIONS[source]
  const order = section === undefined ? undefined : orderMeant(state)
  const tells =
    section?.by === undefined
      ? telling(settings, state)
      : intentsOf(settings, state).find(({ id }) => id === section.by)
  if (section === undefined || order === undefined || tells === undefined) return null
  const isBehind = section.behind?.includes(order.status) === true
  if (!isBehind && !section.alone.includes(order.status)) return null
  const own: TaskCommand = {
    type: 'start-task',
    intentId: tells.id,
    params: { [ORDER]: order.id },
    confidence: 1,
    asks: [section.asks],
  }
  return isBehind ? [command, own] : [own]
}

/** "The chair, can it still be cancelled?": of an order that is named and has not come, the rules are asked. */
function ofCancelling(
  settings: SupportSettings,
  state: SupportState,
): readonly TaskCommand[] | null {
  const named = namedOrder(state)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === named)?.status ?? ''
  const cancels = intentsOf(settings, state).find(({ id }) => id === CANCEL)
  // Until when it can be is the same for all that has not left.
  const isOpenTo = status === PREPARED && !ASKS_HOW.test(state.text)
  const isMeant = ON_ITS_WAY.includes(status) || isOpenTo
  if (!isMeant || cancels === undefined || !asksAnywhere(state.text)) return null
  const params: JsonObject = { [ORDER]: named }
  return [{ type: 'start-task', intentId: CANCEL, params, confidence: 1, wonders: 'possible' }]
}

const ASKS_HOW = /\b(?:until|till?|up to|how|when|point|deadline|what|which|why|fees?|costs?)\b/iu

/** "If I don't like it, until when can it go back?", of an order that was delivered: its own last day. */
function lastDayOf(settings: SupportSettings, state: SupportState): readonly TaskCommand[] | null {
  const spoken = orderSpokenOf(state)
  const order = ownOrdersIn(state.orders).find(({ id }) => id === spoken)
  const tells = intentsOf(settings, state).find(({ id }) => id === RETURN_DEADLINE)
  return order?.status === 'delivered' && tells !== undefined
    ? [{ type: 'start-task', intentId: tells.id, params: { [ORDER]: order.id }, confidence: 1 }]
    : null
}

/** The sections that say it in general. */
const OF_RETURNS: ReadonlySet<string> = new Set([SECTIONS.returns, SECTIONS.returnOnceArrived])

/** "It would lie outside all week, what can I do?": what can be done is told by the carrier. */
export const adviceOnParcel = (
  settings: SupportSettings,
  state: SupportState,
): readonly TaskCommand[] | null =>
  ofOwnParcel(settings, state, { type: 'ask-knowledge', question: state.text })

/** The order that is named, or spoken of, or the only one that is still expected. */
function orderMeant(state: SupportState): OwnOrder | undefined {
  const own = ownOrdersIn(state.orders)
  const spoken = orderSpokenOf(state)
  if (spoken !== null) return own.find(({ id }) => id === spoken)
  const [only, ...others] = own.filter((order) => isToCome(order) && order.items.length > 0)
  return others.length === 0 ? only : undefined
}
