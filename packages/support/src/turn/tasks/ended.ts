import type { JsonObject, Moved } from 'echelon/runtime'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { onlyOrderIn } from '../../customer/orders-told.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import * as sentences from '../../wording/sentences.ts'
import { answered, conclude, utc } from '../conclusion.ts'
import { doneTask } from './done-task.ts'
import { HAND_OVER, TAKE_BACK } from '../hand-over.ts'
import { nextWork } from '../next-work.ts'
import { failed } from '../planning/plan-execution.ts'
import { waitingNote } from '../sayings.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { ActiveIntent, Outcome, SupportState } from '../support-state.ts'

type Turned = Moved<SupportState>

interface TaskEnd {
  readonly task: ActiveIntent
  readonly text: string
  readonly outcome: Outcome
  readonly error: string
}

/** Ends a task without success: the customer is told why. */
export function endTask(settings: SupportSettings, state: SupportState, end: TaskEnd): Turned {
  const { task, text, outcome, error } = end
  const execution = failed(task.execution, error, utc(state.at))
  // A ticket that could not be closed is the shop's concern: the customer has the agent back.
  const told =
    task.intentId === TAKE_BACK
      ? { text: sentences.TAKEN_BACK, outcome: 'answered' as const }
      : { text, outcome }
  return finishTask(settings, state, { ...task, execution }, told)
}

/** Ends a task, and answers it. */
export function finishTask(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { text, outcome }: { readonly text: string; readonly outcome: Outcome },
): Turned {
  const { intentId, params } = task
  const isDone = outcome === 'answered' && state.result?.success === true
  const done = isDone ? doneTask(settings, state, task) : null
  const after: SupportState = {
    ...answered(state, `${text}${waitingNote(settings, state, task)}`, outcome),
    executions: [...state.executions, task.execution],
    dialogue: {
      ...state.dialogue,
      last: { intentId, params },
      about: aboutBehind(settings, state, task, text),
      done: done ?? state.dialogue.done,
      misses: 0,
    },
    task: null,
  }
  // A person who takes over takes care of the rest.
  const isHandedOver = intentId === HAND_OVER && after.dialogue.handedOver !== null
  return isHandedOver ? conclude({ ...after, queue: [] }) : nextWork(settings, after)
}

/** The item that was spoken of stays known behind an answer about its order. */
function aboutBehind(
  { registry, acting }: SupportSettings,
  { dialogue: { about }, orders }: SupportState,
  { intentId, params }: ActiveIntent,
  text: string,
): JsonObject | null {
  const isRead = !acting.includes(registry.find(intentId)?.tool ?? '')
  const isOfItem = about?.[ITEM] !== undefined && params[ITEM] === undefined
  if (isRead && isOfItem && about[ORDER] === params[ORDER]) return about
  return isRead && params[ORDER] === undefined ? onlyNamed(orders, text) : null
}

/** "Still to come: O-12403": the one order that an answer names is spoken of from now on. */
export function onlyNamed(orders: SupportState['orders'], text: string): JsonObject | null {
  const only = onlyOrderIn(text, ownOrdersIn(orders))
  return only === null ? null : { [ORDER]: only.id }
}

/** Says that there is no such order. */
export const notFound = (params: JsonObject): string => {
  const id = params[ORDER]
  return typeof id === 'string' ? sentences.orderNotFound(id) : sentences.MODEL_FAILED
}
