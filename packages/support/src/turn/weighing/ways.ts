import type { JsonObject } from 'echelon/runtime'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import type { Weighed } from '../../dialogue/work.ts'
import { isOwnDoing } from '../../understand/topics/own-doing.ts'
import * as sentences from '../../wording/sentences.ts'
import { answered } from '../conclusion.ts'
import type { QueuedIntent } from '../dialogue.ts'
import { HAND_OVER } from '../hand-over.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { choiceOf } from './instead.ts'
import { offersOf } from './offers.ts'
import { wouldDo } from './would-do.ts'

/** Answers a report, or a message that may ask for one thing or another, with what the rules allow of it. */
export function answeredWays(
  settings: SupportSettings,
  state: SupportState,
  all: readonly Weighed[],
  kind: 'report' | 'choice',
): SupportState {
  const can = all.filter(({ verdict }) => verdict !== 'denied')
  const isReport = kind === 'report'
  const opening = isReport && !isOwnDoing(state.text) ? `${sentences.SORRY} ` : ''
  // A person alone mends nothing.
  if (can.some(({ params }) => params[ORDER] !== undefined)) {
    const closing = isReport && isOfSeveral(state, can) ? ` ${sentences.OR_ONE_OF_THEM}` : ''
    const { text, choices } = offersOf(settings, state, can)
    const isAgain = !isReport && choices.length > 1 && state.texts.length === 0
    const lead = isAgain && isBareYes(state) ? `${sentences.SAY_WHICH} ` : ''
    const told = answered(state, `${lead}${opening}${text}${closing}`, 'answered')
    const { dialogue } = state
    return { ...told, dialogue: { ...dialogue, choices, about: aboutOf(all), misses: 0 } }
  }
  const denied = all.filter(({ verdict }) => verdict === 'denied')
  const one = isForOneReason(denied) || !isReport ? denied[0] : denied.at(-1)
  const told = answered(state, `${opening}${refusal(settings, state, denied, one)}`, 'denied')
  return {
    ...told,
    dialogue: {
      ...state.dialogue,
      // Its reason may be asked for next.
      last: one === undefined || one.isHidden ? state.dialogue.last : plainRequest(one),
      choices: choiceInstead(settings, state, denied),
      about: aboutOf(all),
      misses: 0,
    },
  }
}

const isBareYes = ({ reading }: SupportState): boolean =>
  reading?.commands.every(({ type }) => type === 'confirm') === true

const plainRequest = ({ intentId, params }: Weighed): QueuedIntent => ({ intentId, params })

/** The order, and the items of it, that the requests are about. */
function aboutOf(all: readonly Weighed[]): JsonObject | null {
  const found = all.find(({ params }) => typeof params[ORDER] === 'string')?.params
  if (found === undefined) return null
  const { reason: _, ...about } = found
  return about
}

/** Whether the report may be about one of several different things, none of which it names. */
function isOfSeveral({ orders }: SupportState, can: readonly Weighed[]): boolean {
  if (can.some(({ intentId, params }) => intentId === HAND_OVER || params[ITEM] !== undefined)) {
    return false
  }
  const ids = can.map(({ params }) => params[ORDER])
  const order = ownOrdersIn(orders).find(({ id }) => ids.includes(id))
  return new Set(order?.items.map(({ name }) => name)).size > 1
}

/**
 * What none of it can be done for, and what can be done instead.
 * @param one the request whose reason is told; where reasons differ, the last explains a report best: what can be sent back later
 */
function refusal(
  settings: SupportSettings,
  state: SupportState,
  denied: readonly Weighed[],
  one: Weighed | undefined,
): string {
  const id = denied.find(({ isHidden }) => isHidden)?.params[ORDER]
  if (typeof id === 'string') return sentences.orderNotFound(id)
  if (one === undefined) return sentences.MODEL_FAILED
  const told = isForOneReason(denied) ? denied : [one]
  const names = told.map((each, at) => wouldDo(settings, state, each, at > 0))
  return sentences.cannotDo(names, one.violations, one.instead?.say ?? null)
}

const isForOneReason = (denied: readonly Weighed[]): boolean =>
  denied.every((one) => one.violations.join() === denied[0]?.violations.join())

function choiceInstead(
  settings: SupportSettings,
  state: SupportState,
  denied: readonly Weighed[],
): readonly QueuedIntent[] {
  const one = denied.findLast(({ instead }) => instead !== null)
  const choice =
    one === undefined ? null : choiceOf(settings, state, one, one.instead?.offer ?? null)
  return choice === null ? [] : [choice]
}
