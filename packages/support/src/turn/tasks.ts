import type { Json, JsonObject, Moved, Note } from 'echelon/runtime'
import { answered, conclude, noting, utc } from './conclusion.ts'
import { CONFIRMATION } from './dialogue.ts'
import { goTo, isPlannedByModel, newPlan, waitFor } from './begin-task.ts'
import { doneTask } from './done-task.ts'
import { nextWork } from './next-work.ts'
import {
  blocked,
  canceled,
  completed,
  currentStep,
  entered,
  extended,
  failed,
} from './planning/plan-execution.ts'
import { isAskUser, isToolCall, type ToolCall } from '../plan.ts'
import { askedAgain, openTask } from './open-task.ts'
import { canHandOver, HAND_OVER, TAKE_BACK, ticketOf } from './hand-over.ts'
import type { PolicyDecision } from '../primitives/policy-engine.ts'
import { policyChecked, toolExecuted } from './stages.ts'
import type { SupportSettings } from './support-settings.ts'
import type { Outcome, SupportState, ActiveIntent } from './support-state.ts'
import type { ToolResult } from '../primitives/tool-executor.ts'
import { type TemplateAnswer, templateAnswer, templateWithOffer } from './template-answer.ts'
import { needsPerson } from './tool-result.ts'
import { waitingNote } from './sayings.ts'
import { offeringTo } from './weighing/instead.ts'
import { withDecision } from './weighing/weigh.ts'
import { ITEM, ORDER } from '../customer/resolve-order.ts'
import { TOO_LATE } from '../understand/facets.ts'
import * as sentences from '../wording/sentences.ts'

type Turned = Moved<SupportState>

/** The rules' decision on a plan, with a digest of what an approval would cover. */
export interface Judgement {
  readonly decision: PolicyDecision
  readonly rests: string | undefined
}

/** Applies the rules' decision: proceed, refuse, or ask a person first. */
export function checked(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { decision, rests }: Judgement,
): Turned {
  const isApproved = decision.requiresEscalation && task.approvedBy !== null
  const notes = [policyChecked(task, decision)]
  const { weighing } = task
  if (weighing !== undefined) {
    return noting(notes, nextWork(settings, withDecision(state, { ...task, weighing }, decision)))
  }
  const step = currentStep(task.execution)
  const isQuestion = step !== undefined && isAskUser(step)
  if (!decision.allowed && !decision.requiresEscalation) {
    return noting(notes, denied(settings, state, task, decision))
  }
  // The customer confirms first: a person need not review unwanted actions.
  if (isQuestion) {
    const isAsked = task.asks?.includes('whether') === true
    const possible = TOO_LATE.test(state.text) ? sentences.STILL_POSSIBLE : sentences.POSSIBLE
    const prompt = isAsked ? `${possible} ${step.prompt}` : step.prompt
    return noting(notes, waitFor(state, task, { ...step, prompt }, rests))
  }
  if (task.rests !== undefined && task.rests !== rests) {
    return noting(notes, allowAgain(settings, state, task, rests))
  }
  if (!decision.allowed && !isApproved) {
    return noting(notes, waitForPerson(settings, state, task, { rests, again: false }))
  }
  const phase = step !== undefined && isToolCall(step) ? 'acting' : 'announcing'
  const execution = entered(task.execution, 'in_progress', utc(state.at))
  return noting(notes, goTo(state, phase, { ...task, execution }))
}

function denied(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { violations, asNotFound = false, instead }: PolicyDecision,
): Turned {
  const reason = violations.join('; ') || 'it is not allowed'
  if (asNotFound || instead === undefined) {
    const text = asNotFound ? notFound(task.params) : sentences.policyViolation(violations)
    return endTask(settings, state, { task, text, outcome: 'denied', error: reason })
  }
  const text = `${sentences.policyViolation(violations)}. ${instead.say}`
  const offered = offeringTo(settings, state, task, instead.offer)
  return endTask(settings, offered, { task, text, outcome: 'denied', error: reason })
}

/** What was approved has changed, so the same person is asked again. */
function allowAgain(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  rests: string | undefined,
): Turned {
  if (task.approvedBy !== null) return waitForPerson(settings, state, task, { rests, again: true })
  const { unallowed, question } = askedAgain(task)
  return waitFor(state, unallowed, question, rests)
}

function waitForPerson(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { rests, again }: Pick<Judgement, 'rests'> & { readonly again: boolean },
): Turned {
  const execution = blocked(task.execution, utc(state.at))
  // Each request for approval counts as another question.
  const failedAsks = task.failedAsks + (again ? 1 : 0)
  const open = openTask({ ...task, execution, failedAsks }, CONFIRMATION, rests)
  const told = again ? sentences.WAITS_FOR_A_PERSON_AGAIN : sentences.WAITS_FOR_A_PERSON
  const waiting: SupportState = {
    ...answered(state, told, 'blocked'),
    executions: [...state.executions, execution],
    dialogue: {
      ...state.dialogue,
      blocked: [...state.dialogue.blocked, open],
      last: { intentId: task.intentId, params: task.params },
      misses: 0,
    },
    task: null,
  }
  return afterTask(settings, waiting)
}

/** The announcement before the call was said. */
export const announced = (state: SupportState, task: ActiveIntent, text: string): Turned => ({
  state: {
    ...state,
    phase: 'acting',
    task: {
      ...task,
      announced: text,
      execution: entered(completed(task.execution, utc(state.at)), 'in_progress', utc(state.at)),
    },
  },
})

/** Handles a tool's result. */
export function called(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { call, result }: { readonly call: ToolCall; readonly result: ToolResult },
): Turned {
  const made = { call, result }
  const notes: readonly Note[] = [toolExecuted(task, made, settings.registry.config.redactedParams)]
  const at = utc(state.at)
  const escalated = needsPerson(result)
  if (escalated !== null) {
    return noting(notes, waitForPerson(settings, state, task, { ...escalated, again: false }))
  }
  const done = [...task.done, made]
  const after: SupportState = { ...state, result, calls: [...state.calls, made] }
  if (result.code === 'unknown') {
    return noting(notes, lookedAtByPerson(settings, after, { ...task, done }, call))
  }
  const intent = settings.registry.find(task.intentId)
  const isOpenEnded = intent !== undefined && isPlannedByModel(settings, intent)
  if (isOpenEnded) {
    const execution = result.success
      ? completed(task.execution, at)
      : failed(task.execution, result.error ?? 'the tool failed', at)
    return noting(notes, nextPlan(after, { ...task, done, execution }))
  }
  if (!result.success) {
    const error = result.error ?? 'the tool failed'
    const text = result.code === 'not_found' ? notFound(task.params) : failureText(result)
    return noting(notes, endTask(settings, after, { task, text, outcome: 'failed', error }))
  }
  const carriedOn: ActiveIntent = { ...task, done, execution: completed(task.execution, at) }
  if (settings.words !== null) return noting(notes, goTo(after, 'wording', carriedOn))
  return noting(notes, worded(settings, after, carriedOn, null))
}

/** The outcome is unknown: nothing more is done, and a person looks into it if one is available. */
function lookedAtByPerson(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { toolName }: ToolCall,
): Turned {
  const isHandedOn = task.intentId !== HAND_OVER && canHandOver(settings, state)
  const reason = `it is not known whether ${toolName} was done for plan ${task.execution.planId}`
  const queue = isHandedOn
    ? [{ do: 'begin' as const, intentId: HAND_OVER, params: { reason } }]
    : state.queue
  return endTask(
    settings,
    { ...state, queue },
    {
      task,
      text: sentences.OUTCOME_UNKNOWN,
      outcome: 'failed',
      error: 'it is not known whether it was done',
    },
  )
}

/** A tool's own message is for customers; the runtime's is not. */
const failureText = ({ error, code }: ToolResult): string =>
  error === null || UNTOLD.has(code ?? '')
    ? sentences.TOOL_FAILED
    : sentences.policyViolation([error])

const UNTOLD: ReadonlySet<string> = new Set([
  'tool_error',
  'transient',
  'refused',
  'failed',
  'aborted',
  'invalid_params',
  'unknown_tool',
  'key_reused',
  'TOOL_ERROR',
  'NET_TIMEOUT',
  'INVALID_ARGS',
  'UNKNOWN_TOOL',
])

/** An open-ended intent is planned again after each call, with a new name. */
function nextPlan(state: SupportState, task: ActiveIntent): Turned {
  const { plans, execution } = newPlan(state, task.intentId)
  // The answer of this one call is skipped: the model continues.
  const over = canceled(task.execution, utc(state.at))
  const { rests: _, ...fresh } = task
  return goTo({ ...state, plans, executions: [...state.executions, over] }, 'planning', {
    ...fresh,
    execution,
    announced: null,
    // The approval covered only that call.
    isConfirmed: false,
    approvedBy: null,
  })
}

/**
 * Answers a task that succeeded.
 * @param byModel the model's wording, if it makes up no figures
 */
export function worded(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  byModel: string | null,
): Turned {
  const execution = completed(task.execution, utc(state.at))
  const { text, offer } =
    byModel === null ? toldOf(settings, state, task) : { text: byModel, offer: null }
  const ticket = task.intentId === HAND_OVER ? ticketOf(state.result) : null
  const handed: SupportState =
    ticket === null
      ? offeringTo(settings, state, task, offer)
      : { ...state, dialogue: { ...state.dialogue, handedOver: ticket, open: null, queued: [] } }
  const outcome = ticket === null ? 'answered' : 'handed_over'
  const wordedBy = byModel === null ? 'template' : 'model'
  return finishTask(settings, { ...handed, wordedBy }, { ...task, execution }, { text, outcome })
}

/** The answer; where the reason was asked for, which no data holds, a colleague is offered. */
function toldOf(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
): TemplateAnswer {
  const told = withCheck(templateWithOffer(settings, task, state.at), task, state.text)
  const isAsked = task.asks?.includes('why') === true && told.answers !== 'why'
  if (!isAsked || told.offer !== null) return told
  const { text } = told
  return canHandOver(settings, state)
    ? { ...told, text: `${text}. ${sentences.REASON_UNKNOWN}`, offer: HAND_OVER }
    : { ...told, text: `${text}. ${sentences.NO_REASON}` }
}

/** To a doubt, that it was looked up once more. */
function withCheck(
  told: TemplateAnswer,
  { asks = [] }: ActiveIntent,
  said: string,
): TemplateAnswer {
  if (!asks.includes('sure')) return told
  const lead = WANTS_PROMISE.test(said) ? sentences.NO_PROMISE : sentences.LOOKED_AGAIN
  return { ...told, text: `${lead} ${told.text}` }
}

const WANTS_PROMISE =
  /\b(?:guarant\p{L}*|promis\p{L}*|rely|count on|certain\p{L}* (?:arrive|come))\b/iu

interface TaskEnd {
  readonly task: ActiveIntent
  readonly text: string
  readonly outcome: Outcome
  readonly error: string
}

/** Ends a task without success: the customer is told why. */
function endTask(settings: SupportSettings, state: SupportState, end: TaskEnd): Turned {
  const { task, text, outcome, error } = end
  const execution = failed(task.execution, error, utc(state.at))
  // A ticket that could not be closed is the shop's concern: the customer has the agent back.
  const told =
    task.intentId === TAKE_BACK
      ? { text: sentences.TAKEN_BACK, outcome: 'answered' as const }
      : { text, outcome }
  return finishTask(settings, state, { ...task, execution }, told)
}

function finishTask(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { text, outcome }: { readonly text: string; readonly outcome: Outcome },
): Turned {
  const { intentId, params } = task
  const isDone = outcome === 'answered' && state.result?.success === true
  const done = isDone ? doneTask(settings, state, task) : null
  return afterTask(settings, {
    ...answered(state, `${text}${waitingNote(settings, state, task)}`, outcome),
    executions: [...state.executions, task.execution],
    dialogue: {
      ...state.dialogue,
      last: { intentId, params },
      about: aboutBehind(settings, state, task),
      done: done ?? state.dialogue.done,
      misses: 0,
    },
    task: null,
  })
}

/** The item that was spoken of stays known behind an answer about its order. */
function aboutBehind(
  { registry, acting }: SupportSettings,
  { dialogue: { about } }: SupportState,
  { intentId, params }: ActiveIntent,
): JsonObject | null {
  const isRead = !acting.includes(registry.find(intentId)?.tool ?? '')
  const isOfItem = about?.[ITEM] !== undefined && params[ITEM] === undefined
  return isRead && isOfItem && about[ORDER] === params[ORDER] ? about : null
}

/** Continues with other requests; stops once a person has the conversation. */
const afterTask = (settings: SupportSettings, state: SupportState): Turned =>
  state.dialogue.handedOver === null ? nextWork(settings, state) : conclude({ ...state, queue: [] })

const notFound = (params: JsonObject): string => {
  const id: Json | undefined = params['order_id']
  return typeof id === 'string' ? sentences.orderNotFound(id) : sentences.MODEL_FAILED
}

/**
 * Answers with the text of a model that planned by itself, if all its figures have a source; otherwise with the
 * intent's template for the last result.
 */
export function answerOpenEnded(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  byModel: string | null,
): Turned {
  const template = templateAnswer(settings, task)
  const text = byModel ?? (template === '' ? sentences.MODEL_FAILED : template)
  const wordedBy = byModel === null ? 'template' : 'model'
  const told = extended(task.execution, [{ when: 'post', message: text }])
  const execution = completed(told, utc(state.at))
  const ended = { ...task, execution }
  return finishTask(settings, { ...state, wordedBy }, ended, { text, outcome: 'answered' })
}
