import type { JsonObject, Moved } from 'echelon/runtime'
import { orderValues } from '../../customer/order-words.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import type { Judged, Weighing } from '../../dialogue/work.ts'
import { fill } from '../../wording/fill.ts'
import * as sentences from '../../wording/sentences.ts'
import { isOwnDoing } from '../../understand/topics/own-doing.ts'
import { answered } from '../conclusion.ts'
import type { QueuedIntent } from '../dialogue.ts'
import { HAND_OVER } from '../hand-over.ts'
import { nextWork } from '../next-work.ts'
import type { PolicyDecision } from '../../primitives/policy-engine.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { ActiveIntent, SupportState } from '../support-state.ts'
import { choiceOf } from './offering.ts'
import { aboutOf, weighNext } from './weigh.ts'

/** Takes the rules' decision on one of several things that may be done, and says in the end which of them can be. */
export function weighedRemedy(
  settings: SupportSettings,
  state: SupportState,
  { intentId, params, weighing }: ActiveIntent & { readonly weighing: Weighing },
  { allowed, violations, requiresEscalation, instead, asNotFound }: PolicyDecision,
): Moved<SupportState> {
  const judged: Judged = {
    intentId,
    params,
    isAllowed: allowed || requiresEscalation,
    needsPerson: !allowed && requiresEscalation,
    isHidden: asNotFound === true,
    violations,
    instead: instead ?? null,
  }
  const so: Weighing = { ...weighing, judged: [...weighing.judged, judged] }
  return weighNext(settings, state, so) ?? told(settings, { ...state, task: null }, so)
}

function told(
  settings: SupportSettings,
  state: SupportState,
  weighing: Weighing,
): Moved<SupportState> {
  const { judged } = weighing
  const can = judged.filter(({ isAllowed }) => isAllowed)
  const isPossible = can.some(({ params }) => params[ORDER] !== undefined)
  const text = isPossible ? offerOf(settings, state, can) : refusalOf(settings, state, weighing)
  const choices = isPossible ? can.map(plainRequest) : choiceInstead(settings, state, judged)
  const isTrouble = weighing.isReport === true && !isOwnDoing(state.text)
  const opening = isTrouble ? `${sentences.SORRY} ` : ''
  const isOpen = weighing.isReport === true && isPossible && isOfSeveral(state, can)
  const closing = isOpen ? ` ${sentences.OR_ONE_OF_THEM}` : ''
  return nextWork(settings, {
    ...answered(state, `${opening}${text}${closing}`, isPossible ? 'answered' : 'denied'),
    dialogue: {
      ...state.dialogue,
      last: isPossible ? state.dialogue.last : (refusedIn(weighing) ?? state.dialogue.last),
      choices,
      about: aboutOf(judged),
      misses: 0,
    },
  })
}

/** What was refused, whose reason may be asked for next; `null` where the order is not to be known. */
function refusedIn(weighing: Weighing): QueuedIntent | null {
  const one = explaining(weighing)
  return one === undefined || one.isHidden ? null : plainRequest(one)
}

/** Whether the report may be about one of several different things, none of which it names. */
function isOfSeveral({ orders }: SupportState, can: readonly Judged[]): boolean {
  if (can.some(({ intentId, params }) => intentId === HAND_OVER || params[ITEM] !== undefined)) {
    return false
  }
  const ids = can.map(({ params }) => params[ORDER])
  const order = ownOrdersIn(orders).find(({ id }) => ids.includes(id))
  return new Set(order?.items.map(({ name }) => name)).size > 1
}

const plainRequest = ({ intentId, params }: Judged): QueuedIntent => ({ intentId, params })

/** "I can refund $14.95 for Stoneware Mug, order O-12346, or start its return. Which would you like?" */
function offerOf(settings: SupportSettings, state: SupportState, can: readonly Judged[]): string {
  const names = can.map(({ needsPerson, ...one }, at) => {
    const name = nameOf(settings, state, one, at > 0)
    return needsPerson ? sentences.onceApproved(name) : name
  })
  return sentences.canDo(names)
}

/** What none of it can be done for, and what can be done instead. */
function refusalOf(settings: SupportSettings, state: SupportState, weighing: Weighing): string {
  const denied = deniedIn(weighing)
  const hidden = denied.find(({ isHidden }) => isHidden)
  const id = hidden?.params[ORDER]
  if (typeof id === 'string') return sentences.orderNotFound(id)
  const one = explaining(weighing)
  if (one === undefined) return sentences.MODEL_FAILED
  const told = isForOneReason(denied) ? denied : [one]
  const names = told.map((each, at) => nameOf(settings, state, each, at > 0))
  return sentences.cannotDo(names, one.violations, one.instead?.say ?? null)
}

const deniedIn = ({ judged }: Weighing): readonly Judged[] =>
  judged.filter(({ isAllowed }) => !isAllowed)

const isForOneReason = (denied: readonly Judged[]): boolean =>
  denied.every((one) => one.violations.join() === denied[0]?.violations.join())

/** Whose reason is told. Where they differ, that of the last explains a report best: what can be sent back later. */
function explaining(weighing: Weighing): Judged | undefined {
  const denied = deniedIn(weighing)
  return isForOneReason(denied) || weighing.isReport !== true ? denied[0] : denied.at(-1)
}

function choiceInstead(
  settings: SupportSettings,
  state: SupportState,
  judged: readonly Judged[],
): readonly QueuedIntent[] {
  const one = judged.findLast(({ isAllowed, instead }) => !isAllowed && instead !== null)
  const choice =
    one === undefined ? null : choiceOf(settings, state, one, one.instead?.offer ?? null)
  return choice === null ? [] : [choice]
}

function nameOf(
  { registry }: SupportSettings,
  { orders }: SupportState,
  { intentId, params }: Pick<Judged, 'intentId' | 'params'>,
  isFurther: boolean,
): string {
  const wording = registry.find(intentId)?.wording
  const template = (isFurther ? wording?.wouldToo : undefined) ?? wording?.would ?? ''
  const values: JsonObject = { ...orderValues(ownOrdersIn(orders), params), ...params }
  return fill(template, values)
}
