import type { Json, JsonObject } from 'echelon/runtime'
import { mergedAddress } from '../../customer/merged-address.ts'
import {
  completedAddress,
  isStreetAlone,
  ownAddresses,
  placeNamed,
} from '../../customer/own-address.ts'
import { addressSaid } from '../../customer/said-address.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ORDER, type OrderHints } from '../../customer/resolve-order.ts'
import type { Intent } from '../../intent.ts'
import { readAs, type Reading } from '../../understand/command.ts'
import { CONFIRMATION } from '../dialogue.ts'
import type { SupportState } from '../support-state.ts'

interface Settled {
  readonly params: JsonObject
  readonly hints: OrderHints
}

/**
 * The address of a request, completed from what was said before and from the customer's own addresses. Of a street
 * alone, the rest is asked for.
 */
export function settledAddress(
  state: SupportState,
  intent: Intent,
  before: JsonObject,
  said: JsonObject,
): Settled {
  const [param] = intent.requiredParams.filter((name) => intent.params[name]?.wholeAnswer === true)
  if (param === undefined) return { params: said, hints: {} }
  const own = ownAddresses(state.customer)
  const given = said[param]
  if (typeof given !== 'string') {
    const place = placeIn(state, before, param, said[ORDER] ?? before[ORDER])
    return { params: place === null ? said : { ...said, [param]: place }, hints: {} }
  }
  const street = state.dialogue.open?.hints?.street
  const whole = street === undefined || /^\d/u.test(given.trim()) ? given : `${street}, ${given}`
  const completed = completedAddress(whole, own)
  if (completed !== null) return { params: { ...said, [param]: completed }, hints: {} }
  const merged = mergedAddress(intent, before, { ...said, [param]: whole })
  const value = merged[param]
  if (typeof value !== 'string' || !isStreetAlone(value)) return { params: merged, hints: {} }
  const { [param]: _, ...rest } = merged
  return { params: rest, hints: { street: value } }
}

/**
 * The own address that the message names as a place, or one that was said before. An address that waits for a confirmation changes only if the
 * customer says so.
 */
function placeIn(
  state: SupportState,
  before: JsonObject,
  param: string,
  id: Json | undefined,
): string | null {
  const order = ownOrdersIn(state.orders).find((one) => one.id === id)
  const current = before[param] ?? order?.record['address']
  if (before[param] !== undefined && !MOVES.test(state.text)) return null
  const own = ownAddresses(state.customer)
  const now = typeof current === 'string' ? current : null
  return placeNamed(state.text, own, now) ?? addressSaid(state.text, state.history, now)
}

const MOVES =
  /\b(?:no|nope|instead|rather|actually|wait|better|sorry|send|ship|deliver|make it)\b/iu

/** Longer texts tell more than where to send something. */
const MOST_WORDS = 14

/** "To my home address", where an address is asked for, or another is to be confirmed. */
export function placeSaid(state: SupportState, intent: Intent | undefined): Reading | null {
  const { open } = state.dialogue
  const [param] =
    intent?.requiredParams.filter((name) => intent.params[name]?.wholeAnswer === true) ?? []
  if (open === null || intent === undefined || param === undefined) return null
  const isShort = state.text.split(/\s+/).length <= MOST_WORDS
  const isValue = /\d/u.test(state.text) || state.text.includes('?') || LEAVES.test(state.text)
  if (!isShort || isValue || ![param, CONFIRMATION].includes(open.param)) return null
  if (placeIn(state, open.params, param, open.params[ORDER]) === null) return null
  const params = { [ORDER]: open.params[ORDER] ?? null }
  return open.param === param
    ? readAs([{ type: 'set-slots', params: {} }], 'it names a place of theirs')
    : readAs([{ type: 'correct-slots', intentId: intent.id, params }], 'it names another place')
}

/** What stays as it is goes nowhere else. */
const LEAVES = /\b(?:leave|keep|stays?|don'?t|do not|not)\b/iu
