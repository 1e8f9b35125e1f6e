import { ownOrdersIn } from '../../customer/own-order.ts'
import { resolutionIn } from '../../customer/resolution.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import type { Intent } from '../../intent.ts'
import { canHandOver, HAND_OVER } from '../hand-over.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { intentsOf } from './offered.ts'
import { isReading } from './reads-only.ts'

/**
 * Of the readings of an unclear message, those that make sense for the order that it is about: nobody wants the
 * refund of what has not been sent. Where too few are left, what fits the state and a colleague are offered.
 */
export function fittingOffer(
  settings: SupportSettings,
  state: SupportState,
  readings: readonly string[],
): readonly string[] {
  const intents = readings.flatMap((id) => settings.registry.find(id) ?? [])
  const status = statusMeant(state, intents)
  if (status === null || intents.length === 0) return readings
  const kept = intents.filter((intent) => fits(intent, status)).map(({ id }) => id)
  if (kept.length === readings.length) return readings
  const person = canHandOver(settings, state) ? [HAND_OVER] : []
  if (kept.length > 0) return kept.length > 1 ? kept : [...new Set([...kept, ...person])]
  return [...fittingState(settings, state, status), ...person]
}

const fits = ({ whileStatus = [] }: Intent, status: string): boolean =>
  whileStatus.length === 0 || whileStatus.includes(status)

/** The state of the one order that all readings are about. */
function statusMeant(state: SupportState, intents: readonly Intent[]): string | null {
  const ids = new Set(intents.map((intent) => resolutionIn(state, intent, {}, false).params[ORDER]))
  const [id] = ids
  if (ids.size !== 1 || typeof id !== 'string') return null
  return ownOrdersIn(state.orders).find((one) => one.id === id)?.status ?? null
}

/** What can be done with an order in this state; else, what can be told of it. */
function fittingState(
  settings: SupportSettings,
  state: SupportState,
  status: string,
): readonly string[] {
  const ofOrder = intentsOf(settings, state).filter(
    ({ requiredParams }) => requiredParams.length === 1 && requiredParams[0] === ORDER,
  )
  const acting = ofOrder.find(
    ({ confirm, whileStatus = [] }) => confirm && whileStatus.includes(status),
  )
  const found = acting ?? ofOrder.find(({ id }) => isReading(settings, id))
  return found === undefined ? [] : [found.id]
}
