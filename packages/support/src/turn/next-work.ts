import type { Moved } from 'echelon/runtime'
import { ORDER } from '../customer/resolve-order.ts'
import type { Saying, Work } from '../dialogue/work.ts'
import type { Command } from '../understand/command.ts'
import * as sentences from '../wording/sentences.ts'
import { withoutEcho } from './answers/echo.ts'
import { lookedUp } from './answers/look-up.ts'
import { askAgain, beginTask, dropped, notUnderstood, planTask } from './begin-task.ts'
import { answered, conclude, utc } from './conclusion.ts'
import type { OpenIntent } from './dialogue.ts'
import { canHandOver, HAND_OVER, offeringColleague } from './hand-over.ts'
import { resumedTask } from './open-task.ts'
import { completed, currentStep } from './planning/plan-execution.ts'
import { isAbsent } from './planning/planner.ts'
import { isAskUser } from '../plan.ts'
import { textOfSaying } from './sayings.ts'
import type { SupportSettings } from './support-settings.ts'
import type { ActiveIntent, SupportState } from './support-state.ts'
import { answeredWeighing } from './weighing/answer.ts'
import { offerToAsk } from './weighing/bound-offer.ts'
import { canWeigh } from './weighing/candidates.ts'
import { unclearAnswer } from './weighing/unclear.ts'
import { weighNext } from './weighing/weigh.ts'

type Turned = Moved<SupportState>

/** Does the next piece of the turn's work; at its end, the question of an interrupted task comes back. */
export function nextWork(settings: SupportSettings, state: SupportState): Turned {
  const [next, ...queue] = state.queue
  if (next === undefined) {
    const offer = offerToAsk(settings, state)
    const weighed = offer === null ? null : weighNext(settings, state, offer)
    return weighed ?? resumed(withoutEcho(settings, state))
  }
  return done(settings, { ...state, queue }, next)
}

function done(settings: SupportSettings, state: SupportState, work: Work): Turned {
  switch (work.do) {
    case 'begin': {
      const { do: _, ...request } = work
      if (request.intentId === HAND_OVER && state.dialogue.handedOver !== null) {
        return nextWork(settings, answered(state, sentences.WITH_A_PERSON, 'handed_over'))
      }
      return request.wonders === undefined && isWaiting(state, request)
        ? said(settings, state, { about: 'waiting' })
        : beginTask(settings, state, request)
    }
    case 'go-on':
      return goOn(settings, state, work)
    case 'confirmed':
      return confirmed(settings, state, work.open)
    case 'ask-again':
      return askAgain(settings, state, work.open)
    case 'not-understood':
      return unclearAnswer(settings, state, work)
    case 'look-up':
      return nextWork(settings, lookedUp(settings, state, work))
    case 'weigh':
      return (
        weighNext(settings, state, work) ??
        nextWork(settings, answeredWeighing(settings, state, work))
      )
    case 'say':
      return said(settings, state, work.saying)
    case 'offer-again':
      return offeredAgain(settings, state)
  }
}

/** What was offered, behind the answer to a question; nothing if the answer offers something, or asks. */
function offeredAgain(settings: SupportSettings, state: SupportState): Turned {
  const { choices, open } = state.dialogue
  const last = state.texts.at(-1) ?? ''
  if (open !== null || choices.length === 0 || last.endsWith('?')) return nextWork(settings, state)
  const left = choices.map(({ intentId, params }) => ({ intentId, params }))
  if (canWeigh(settings, left)) {
    const weighing: Work = { do: 'weigh', left, weighed: [], answers: { kind: 'choice' } }
    return nextWork(settings, { ...state, queue: [weighing, ...state.queue] })
  }
  // The state of an order answers the question, so no colleague is offered behind it.
  const isPerson =
    choices.every(({ intentId }) => intentId === HAND_OVER) &&
    (sentences.documentIn(last) !== null || last === sentences.SAID_ALL)
  if (!isPerson || !canHandOver(settings, state)) return nextWork(settings, state)
  const said = /[.!)]$/u.test(last) ? last : `${last}.`
  const texts = [...state.texts.slice(0, -1), `${said} ${sentences.LOOK_AT_IT}`]
  return nextWork(settings, { ...state, texts })
}

/** Whether the very request already waits for a person. */
const isWaiting = (
  { dialogue: { blocked } }: SupportState,
  { intentId, params }: Pick<OpenIntent, 'intentId' | 'params'>,
): boolean =>
  blocked.some((one) => one.intentId === intentId && one.params[ORDER] === params[ORDER])

function said(settings: SupportSettings, state: SupportState, saying: Saying): Turned {
  const restored = saying.about === 'undo' ? restoring(settings, state) : null
  if (restored !== null) return beginTask(settings, state, restored)
  const text = textOfSaying(settings, state, saying)
  const isDropped = saying.about === 'dropped' || saying.about === 'withdrawn'
  const outcome = isDropped ? 'dropped' : 'answered'
  const told = text === '' ? state : answered(state, text, outcome)
  const after = saying.about === 'undo' ? offeringPerson(settings, told) : told
  return nextWork(settings, { ...after, dialogue: { ...after.dialogue, misses: 0 } })
}

/** What was done stays done here: a yes brings a person, who may know more. */
function offeringPerson(settings: SupportSettings, state: SupportState): SupportState {
  const { done, open, stack } = state.dialogue
  const isFree = open === null && stack.length === 0 && state.queue.length === 0
  const isOfOrder = done?.params[ORDER] !== undefined
  if (!isOfOrder || !isFree || !canHandOver(settings, state)) return state
  const texts = [...state.texts.slice(0, -1), `${state.texts.at(-1)} ${sentences.LOOK_AT_IT}`]
  return offeringColleague({ ...state, texts })
}

/** The request that sets back what was done last, if its intent allows that. */
function restoring(
  { registry }: SupportSettings,
  { dialogue: { done: last } }: SupportState,
): Pick<OpenIntent, 'intentId' | 'params'> | null {
  const restores = last === null ? null : (registry.find(last.intentId)?.restores ?? null)
  if (last === null || restores === null || last.previous === null) return null
  return { intentId: last.intentId, params: { ...last.params, [restores]: last.previous } }
}

/** Resumes the open plan with the new parameters, then the waiting requests. */
function goOn(
  settings: SupportSettings,
  state: SupportState,
  { open, params }: Extract<Work, { readonly do: 'go-on' }>,
): Turned {
  const known: OpenIntent = { ...open, params: { ...open.params, ...params } }
  if (isAbsent(params[open.param])) return stillAsked(settings, state, known)
  const execution = completed(open.execution, utc(state.at))
  const { hints: _, ...task } = resumedTask(known)
  return planTask(settings, taken(state), { ...task, execution, failedAsks: 0 })
}

/** An answer that narrows the choice is not one in vain: the question is asked for the rest. */
function stillAsked(settings: SupportSettings, state: SupportState, open: OpenIntent): Turned {
  if (open.hints === undefined) return askAgain(settings, state, open)
  const execution = completed(open.execution, utc(state.at))
  return planTask(settings, taken(state), { ...resumedTask(open), execution })
}

/** The customer confirmed: the rules are asked again, since time has passed. */
function confirmed(settings: SupportSettings, state: SupportState, open: OpenIntent): Turned {
  const isOffered =
    state.eligible.includes(open.intentId) && settings.registry.find(open.intentId) !== undefined
  if (!isOffered) return notUnderstood(settings, dropped(state, open))
  const execution = completed(open.execution, utc(state.at))
  const task: ActiveIntent = { ...resumedTask(open), execution, isConfirmed: true }
  return { state: { ...taken(state), phase: 'checking', task } }
}

/** Takes up the requests that waited behind the open plan. */
const taken = (state: SupportState): SupportState => ({
  ...state,
  queue: [
    ...state.queue,
    ...state.dialogue.queued.map((request) => ({ do: 'begin' as const, ...request })),
  ],
  dialogue: { ...state.dialogue, queued: [] },
})

/** Nothing is left to do: the question of the task that was interrupted last comes back. */
function resumed(state: SupportState): Turned {
  const { open, stack } = state.dialogue
  const [top, ...rest] = stack
  if (open !== null || top === undefined) {
    return conclude(state)
  }
  const step = currentStep(top.execution)
  const dialogue = { ...state.dialogue, open: top, stack: rest }
  if (step === undefined || !isAskUser(step)) return conclude({ ...state, dialogue })
  // Who only gains time knows the question.
  if (isOnly(state, (one) => one.type === 'wait' && one.for !== undefined))
    return conclude({ ...state, dialogue, outcome: 'asked' })
  const prompt = isOnly(state, ({ type }) => type === 'small-talk')
    ? inShort(step.prompt)
    : step.prompt
  return conclude({
    ...answered({ ...state, dialogue }, prompt, 'asked'),
    executions: [...state.executions, top.execution],
  })
}

/** Whether the message holds this alone. */
const isOnly = ({ reading }: SupportState, isThis: (command: Command) => boolean): boolean =>
  reading?.commands.every(isThis) === true

/** A question without what was said behind it. */
const inShort = (prompt: string): string =>
  prompt.includes('?') ? prompt.slice(0, prompt.lastIndexOf('?') + 1) : prompt
