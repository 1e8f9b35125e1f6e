import { ownOrdersIn } from '../../customer/own-order.ts'
import { namedOrder } from '../../customer/resolution.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import { readAs, type Reading } from '../../understand/command.ts'
import { facetsOf } from '../../understand/facets.ts'
import { asks } from '../../understand/read-questions.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { telling } from './telling.ts'
import { tellsToAct } from './tells-to-act.ts'
import { CANCEL, REFUND } from '../../dialogue/known-intents.ts'

/** Readings that make no sense for the order named, and are less sure than this, are not believed. */
const SURE_OF_QUESTION = 0.8
const SURE_OF_WISH = 0.6

/**
 * Whether a question, or a report, is read as a request that makes no sense for the order it names: "could I get only two of the
 * mugs instead?" asks for no refund of what has not been sent.
 */
export function isMisfit(
  { registry }: SupportSettings,
  state: SupportState,
  reading: Reading,
): boolean {
  const named = namedOrder(state)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === named)?.status
  if (status === undefined || state.dialogue.open !== null || tellsToAct(state.text)) return false
  const [command, ...more] = reading.commands
  if (command?.type !== 'start-task' || more.length > 0) return false
  const fitting = registry.find(command.intentId)?.whileStatus ?? []
  const least = asks(state.text) || state.text.includes('?') ? SURE_OF_QUESTION : SURE_OF_WISH
  // What was given back already is told, and not asked for again.
  if (command.intentId === REFUND && OF_MONEY.has(status)) return true
  // "The mat order I cancelled, did I get that money?" cancels nothing.
  const isOfMoney = facetsOf(state.text).includes(REFUND)
  if (command.intentId === CANCEL && status === CANCELLED && isOfMoney) return true
  return command.confidence < least && fitting.length > 0 && !fitting.includes(status)
}

/** Such a question is looked up in the documents; of a report, what fits the order is offered. */
export function fittingInstead(
  settings: SupportSettings,
  state: SupportState,
  given: Reading,
): Reading | null {
  if (!isMisfit(settings, state, given)) return null
  const [command] = given.commands
  const readings = command !== undefined && 'intentId' in command ? [command.intentId] : []
  const told = toldOf(settings, state)
  if (told !== null) return told
  return asks(state.text)
    ? readAs([{ type: 'ask-knowledge', question: state.text }], 'it asks what is possible')
    : readAs([{ type: 'unclear', readings }], 'it makes no sense for this order', 0)
}

/** "I was never paid back for the boots", which were: the state of that order says it. */
function toldOf(settings: SupportSettings, state: SupportState): Reading | null {
  const named = namedOrder(state)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === named)?.status ?? ''
  const tells = telling(settings, state)
  if (named === null || tells === undefined || !OF_MONEY.has(status)) return null
  if (!facetsOf(state.text).includes(REFUND) || tellsToAct(state.text)) return null
  const task = { type: 'start-task', intentId: tells.id, params: { [ORDER]: named } } as const
  return readAs([{ ...task, confidence: 1 }], 'it asks for the money of that order')
}

const CANCELLED = 'cancelled'

/** States in which money was given back, or soon is. */
const OF_MONEY: ReadonlySet<string> = new Set(['refunded', 'cancelled', 'return_started'])
