import type { JsonObject } from 'echelon/runtime'
import { orderValues } from '../../customer/order-words.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import type { Weighed, Weighing } from '../../dialogue/work.ts'
import { replacedBy } from '../../dialogue/replaced.ts'
import { fill } from '../../wording/fill.ts'
import * as sentences from '../../wording/sentences.ts'
import type { QueuedIntent } from '../dialogue.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { canWeigh } from './candidates.ts'
import { wouldDo } from './would-do.ts'

/** The question that confirms a request; empty if it is done without one. */
function confirmationOf(
  { registry }: SupportSettings,
  { orders }: SupportState,
  { intentId, params }: QueuedIntent,
): string {
  const intent = registry.find(intentId)
  if (intent?.confirm !== true) return ''
  const values: JsonObject = { ...orderValues(ownOrdersIn(orders), params), ...params }
  return fill(intent.wording.confirm, values)
}

/**
 * What the confirmation of an offered request says behind its question, such as that it can't be taken back; `null` if
 * it asks for anything that the words of the offer don't name.
 */
function saidBehind(settings: SupportSettings, state: SupportState, one: Weighed): string | null {
  const asked = `Shall I ${wouldDo(settings, state, one)}?`
  const confirmation = confirmationOf(settings, state, one)
  return confirmation.startsWith(asked) ? confirmation.slice(asked.length).trim() : null
}

/** What a yes takes back besides; empty if nothing. */
const replacement = ({ dialogue }: SupportState, one: QueuedIntent): string =>
  replacedBy(dialogue, one).length > 0 ? sentences.REPLACES_REQUEST : ''

/** An offer in the words of "I can …", with what its confirmation says besides; a yes to it is the confirmation. */
export function boundOffer(
  settings: SupportSettings,
  state: SupportState,
  one: Weighed,
): { readonly besides: string; readonly choice: QueuedIntent } {
  const { intentId, params, rests } = one
  const besides = saidBehind(settings, state, one)
  const isBound = besides !== null && rests !== undefined
  const more = [besides ?? '', replacement(state, one)].filter((part) => part !== '')
  return {
    besides: more.map((part) => ` ${part}`).join(''),
    choice: { intentId, params, ...(isBound && { agreed: rests }) },
  }
}

/** The offer at the end of the last answer that is not confirmed by a yes yet, although it could be; `null` for none. */
export function offerToAsk(settings: SupportSettings, state: SupportState): Weighing | null {
  const { open, stack, choices } = state.dialogue
  const [choice, ...others] = choices
  const isAlone = choice !== undefined && others.length === 0 && open === null && stack.length === 0
  if (!isAlone || choice.agreed !== undefined || !LAST_QUESTION.test(state.texts.at(-1) ?? '')) {
    return null
  }
  const isConfirmed = settings.registry.find(choice.intentId)?.confirm === true
  return isConfirmed && canWeigh(settings, choices)
    ? { left: choices, weighed: [], answers: { kind: 'offer' } }
    : null
}

const LAST_QUESTION = /(?:^|(?<=[.!?])\s+)[^.!?\n]*\?$/u

/** Asks what the confirmation asks, who has to approve it included; what the rules refuse is not offered. */
export function askedInFull(
  settings: SupportSettings,
  state: SupportState,
  one: Weighed,
): SupportState {
  const { intentId, params, verdict, rests = '' } = one
  const before = state.texts.at(-1)?.replace(LAST_QUESTION, '') ?? ''
  const isAllowed = verdict !== 'denied'
  const asked = [
    ...(before === '' ? [] : [before]),
    ...(isAllowed ? [confirmationOf(settings, state, one)] : []),
    ...(verdict === 'approval' ? [sentences.APPROVED_FIRST] : []),
    ...(isAllowed ? [replacement(state, one)].filter((part) => part !== '') : []),
  ]
  const choices = isAllowed ? [{ intentId, params, agreed: rests }] : []
  return {
    ...state,
    texts: [...state.texts.slice(0, -1), asked.join(' ')],
    dialogue: { ...state.dialogue, choices },
  }
}
