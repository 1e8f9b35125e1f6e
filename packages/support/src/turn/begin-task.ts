import type { JsonObject, Moved } from 'echelon/runtime'
import { orderQuestion, orderValues } from '../customer/order-words.ts'
import { ownOrdersIn } from '../customer/own-order.ts'
import { withinPrice } from '../customer/rescoped.ts'
import { ORDER } from '../customer/resolve-order.ts'
import { type Intent, nameOfIntent } from '../intent.ts'
import { answered, conclude, noting, utc } from './conclusion.ts'
import { CONFIRMATION, type OpenIntent, type QueuedIntent } from './dialogue.ts'
import { begun, canceled, currentStep, entered, extended } from './planning/plan-execution.ts'
import { isAskUser, type AskUser, type Plan } from '../plan.ts'
import { openTask, resumedTask } from './open-task.ts'
import { canHandOver, HAND_OVER } from './hand-over.ts'
import { callOf, missingParams, planFor, type ShopView } from './planning/planner.ts'
import { planCreated, planType } from './stages.ts'
import { askRules } from './weighing/ask-rules.ts'
import type { SupportSettings } from './support-settings.ts'
import type { SupportState, ActiveIntent } from './support-state.ts'
import * as sentences from '../wording/sentences.ts'

type Turned = Moved<SupportState>

/** Takes up a new task. */
export function beginTask(
  settings: SupportSettings,
  state: SupportState,
  request: QueuedIntent,
): Turned {
  const { execution, ...counted } = newPlan(state, request.intentId)
  const task = resumedTask({ ...request, execution, failedAsks: 0 })
  const { agreed } = request
  return planTask(
    settings,
    { ...state, ...counted },
    agreed === undefined ? task : { ...task, isConfirmed: true, rests: agreed },
  )
}

/** A plan with a unique name, so that its calls have unique keys. */
export function newPlan(
  { input, plans }: SupportState,
  intentId: string,
): Pick<ActiveIntent, 'execution'> & Pick<SupportState, 'plans'> {
  const number = plans + 1
  return { plans: number, execution: begun(`${input.interaction.id}.${number}`, intentId, []) }
}

/** Plans a task with the known parameters. */
export function planTask(
  settings: SupportSettings,
  state: SupportState,
  given: ActiveIntent,
): Turned {
  const intent = settings.registry.find(given.intentId)
  if (intent === undefined) return notUnderstood(settings, state)
  const params = withinPrice(given.params, ownOrdersIn(state.orders))
  const task = { ...given, params }
  const { hints } = task
  const missing = missingParams(intent, params)
  if (task.wonders !== undefined && !missing.includes(ORDER)) {
    const weighing = { left: [], weighed: [], answers: { kind: task.wonders } }
    return askRules(state, { ...task, weighing }, intent)
  }
  const isWorded = settings.words !== null
  if (missing.length === 0 && isPlannedByModel(settings, intent)) {
    return goTo(state, 'planning', task)
  }
  const shop = shopView(state, task)
  const plan = planFor({ intent, params, isConfirmed: task.isConfirmed, shop })
  if (missing.length > 0 && isOutOfTime(state, intent, params)) {
    // The rules say why it is too late, before anything more is asked.
    const call = callOf(intent, params)
    return planned(state, task, { ...plan, steps: [...plan.steps, call] }, true)
  }
  // A choice of the customer's own orders is worded here: a model would have to be shown all of them.
  if (isWorded && missing.length > 0 && hints === undefined) {
    return goTo(state, 'asking', { ...task, reasoning: plan.reasoning })
  }
  return planned(state, task, plan)
}

export const goTo = (
  state: SupportState,
  phase: SupportState['phase'],
  task: ActiveIntent,
): Turned => ({
  state: { ...state, phase, task },
})

/** Handles a new plan: a question is asked, anything else is checked first. */
export function planned(
  state: SupportState,
  before: ActiveIntent,
  { steps, reasoning }: Plan,
  isChecked = false,
): Turned {
  const execution = extended(before.execution, steps)
  const task: ActiveIntent = { ...before, execution, reasoning }
  const step = currentStep(execution)
  const notes = [planCreated(task), planType(step)]
  const isQuestion =
    step !== undefined && isAskUser(step) && step.param !== CONFIRMATION && !isChecked
  return noting(notes, isQuestion ? waitFor(state, task, step) : goTo(state, 'checking', task))
}

/** The plan waits for the customer, and other requests wait behind it. */
export function waitFor(
  state: SupportState,
  task: ActiveIntent,
  { param, prompt }: AskUser,
  rests?: string,
): Turned {
  const execution = entered(task.execution, 'waiting_user', utc(state.at))
  const open = openTask({ ...task, execution }, param, rests)
  return conclude({
    ...answered(state, prompt, 'asked'),
    executions: [...state.executions, execution],
    dialogue: {
      ...state.dialogue,
      open,
      about: aboutBeside(state, open),
      queued: waitingBehind(state),
      misses: 0,
    },
    queue: [],
  })
}

/** The order that was named, where the question is about none. */
const aboutBeside = ({ dialogue }: SupportState, { params }: OpenIntent): JsonObject | null =>
  typeof params[ORDER] === 'string' ? null : dialogue.about

/** Repeats an unanswered question, and finally hands over to a person. */
export function askAgain(settings: SupportSettings, state: SupportState, open: OpenIntent): Turned {
  const failedAsks = open.failedAsks + 1
  const step = currentStep(open.execution)
  if (failedAsks >= settings.maxAsks || step === undefined || !isAskUser(step)) {
    return handOver(settings, dropped(state, open), `asked ${failedAsks} times for ${open.param}`)
  }
  const task: ActiveIntent = {
    ...resumedTask(open),
    failedAsks,
    reasoning: 'the question is still open',
  }
  const again = { ...step, prompt: `${leadOf(state, step, failedAsks)} ${step.prompt}` }
  return noting([planCreated(task), planType(step)], waitFor(state, task, again, open.rests))
}

/** What is said before a question that is asked again: the second time, or to a bare yes, what answers it. */
function leadOf({ reading, orders }: SupportState, { param }: AskUser, failedAsks: number): string {
  const isBare = reading?.commands.every(({ type }) => type === 'confirm' || type === 'deny')
  const isListed = param === ORDER && ownOrdersIn(orders).length > 0
  if (isListed && (failedAsks > 1 || isBare === true)) return sentences.NAME_ONE
  return param === CONFIRMATION && failedAsks > 1
    ? sentences.A_YES_OR_NO
    : sentences.NOT_UNDERSTOOD_ANSWER
}

/** Drops a plan and cancels its remaining steps; "it" still refers to what it was about. */
export const dropped = (
  state: SupportState,
  { intentId, params, execution }: OpenIntent,
): SupportState => ({
  ...state,
  executions: [...state.executions, canceled(execution, utc(state.at))],
  dialogue: { ...state.dialogue, open: null, queued: [], last: { intentId, params }, about: null },
})

/** The requests that wait behind a question, in order. */
const waitingBehind = ({ queue, dialogue }: SupportState): readonly QueuedIntent[] => [
  ...queue.flatMap((work) => {
    if (work.do !== 'begin') return []
    const { do: _, ...request } = work
    return [request]
  }),
  ...dialogue.queued,
]

/** Whether the named order is in a state in which the intent makes no sense. */
function isOutOfTime(
  { orders }: SupportState,
  { whileStatus = [] }: Intent,
  params: JsonObject,
): boolean {
  const order = ownOrdersIn(orders).find(({ id }) => id === params[ORDER])
  return order !== undefined && whileStatus.length > 0 && !whileStatus.includes(order.status)
}

/** What questions may say of the customer's orders. */
export function shopView({ orders }: SupportState, { params, hints }: QueuedIntent): ShopView {
  const own = ownOrdersIn(orders)
  return {
    values: orderValues(own, params),
    askForOrder: (ask) => orderQuestion(ask, own, hints),
    ...(hints?.street !== undefined && { street: hints.street }),
  }
}

/** Whether a model plans: only where there is more than one call to choose from. */
export const isPlannedByModel = ({ words }: SupportSettings, { tools }: Intent): boolean =>
  words !== null && tools.length > 0

/** No intent fits: asks the customer to rephrase, and finally hands over to a person. */
export function notUnderstood(
  settings: SupportSettings,
  state: SupportState,
  choices: readonly QueuedIntent[] = [],
): Turned {
  const misses = state.dialogue.misses + 1
  if (misses >= settings.maxAsks && state.texts.length === 0) {
    return handOver(settings, state, `not understood ${misses} times`)
  }
  if (choices.length === 0 && wasRefused(state) && canHandOver(settings, state)) {
    return conclude({
      ...answered(state, sentences.OFFER_COLLEAGUE, 'not_understood'),
      dialogue: { ...state.dialogue, misses, choices: [{ intentId: HAND_OVER, params: {} }] },
    })
  }
  const isLater = state.dialogue.last !== null && state.texts.length === 0
  if (choices.length === 0 && isLater && canHandOver(settings, state)) {
    return conclude({
      ...answered(state, sentences.NOT_UNDERSTOOD_OFFER, 'not_understood'),
      dialogue: { ...state.dialogue, misses, choices: [{ intentId: HAND_OVER, params: {} }] },
    })
  }
  const names = choices.flatMap(({ intentId }) => {
    const intent = settings.registry.find(intentId)
    return intent === undefined ? [] : [nameOfIntent(intent)]
  })
  const text = names.length === 0 ? sentences.NO_INTENT : sentences.whichOfThese(names)
  return conclude({
    ...answered(state, text, 'not_understood'),
    dialogue: { ...state.dialogue, misses, choices },
  })
}

/** Whether the last answer was a refusal, to which a customer may object in any words. */
export const wasRefused = ({ history }: SupportState): boolean =>
  history.findLast(({ role }) => role === 'agent')?.metadata['outcome'] === 'denied'

function handOver(settings: SupportSettings, state: SupportState, reason: string): Turned {
  if (!canHandOver(settings, state)) {
    const isWithPerson = state.dialogue.handedOver !== null
    const text = isWithPerson ? sentences.WITH_A_PERSON : sentences.GAVE_UP
    return conclude({
      ...answered(state, text, isWithPerson ? 'handed_over' : 'not_understood'),
      dialogue: { ...state.dialogue, open: null, stack: [], queued: [], misses: 0 },
    })
  }
  return beginTask(settings, { ...state, queue: [] }, { intentId: HAND_OVER, params: { reason } })
}
