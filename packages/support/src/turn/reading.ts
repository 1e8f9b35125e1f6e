import type { Moved } from 'echelon/runtime'
import type { JsonObject } from 'echelon/runtime'
import { answered, conclude, failTurn, noting, utc } from './conclusion.ts'
import type { OpenIntent, QueuedIntent } from './dialogue.ts'
import { groundedParams } from './grounding.ts'
import type { ClassificationResult } from '../classification.ts'
import type { Intent } from '../intent.ts'
import type { IntentsRegistry } from '../intents-registry.ts'
import { resumedTask } from './open-task.ts'
import { isAbsent, missingParams } from './planner.ts'
import { canceled, completed } from './plan-execution.ts'
import { settle, type Settled } from './settle.ts'
import { classified } from './stages.ts'
import type { Rung, SupportSettings } from './support-settings.ts'
import type { SupportState, ActiveIntent } from './support-state.ts'
import { askAgain, dropped, nextTask, notUnderstood, planTask } from './tasks.ts'
import { doubtsIn } from '../understand/slots.ts'
import { NOT_UNDERSTOOD, type Understanding } from '../understand/understanding.ts'
import * as sentences from '../wording/sentences.ts'

type Turned = Moved<SupportState>

/** Reads the stored message, unless a person has the conversation or has decided something. */
export function read(settings: SupportSettings, state: SupportState): Turned {
  if (state.input.review !== null) return reviewed(settings, state)
  if (state.dialogue.handedOver !== null) {
    return conclude(answered(state, sentences.WITH_A_PERSON, 'handed_over'))
  }
  return readByRung(settings, state)
}

/** Reads with the next rung: the embedded one at once, a model in a step of its own. */
function readByRung(settings: SupportSettings, state: SupportState): Turned {
  const rung = settings.rungs[state.rung]
  if (rung !== 'embedded' || settings.reader === null) {
    return { state: { ...state, phase: 'understanding' } }
  }
  const { dialogue, history } = state
  const intents = intentsOf(settings, state)
  const reading = settings.reader(state.input.interaction.text, { intents, dialogue, history })
  return understood(settings, state, reading)
}

/** The intents available to this customer here. */
export const intentsOf = ({ registry }: SupportSettings, state: SupportState): readonly Intent[] =>
  state.eligible.flatMap((id) => registry.find(id) ?? [])

/** Handles a rung's reading: accepts it if its confidence is high enough. */
export function understood(
  settings: SupportSettings,
  state: SupportState,
  reading: Understanding,
): Turned {
  const rung = rungOf(settings, state)
  const isSure = reading.act !== 'unclear' && reading.confidence >= settings.accept[rung]
  if (!isSure && hasNext(settings, state)) {
    return readByRung(settings, { ...state, rung: state.rung + 1 })
  }
  const allowed = withEligible(
    state,
    isSure ? reading : { ...NOT_UNDERSTOOD, confidence: reading.confidence },
  )
  const understanding = groundedReading(settings, state, allowed)
  const { registry } = settings
  const result = classificationOf(registry, state, understanding)
  const notes = [classified(result, understanding, rung, registry.config.redactedParams)]
  const read: SupportState = { ...state, understanding }
  return noting(notes, carryOut(settings, read, settle(read, understanding)))
}

/** The first request, with the parameters it still needs besides those of the open plan. */
function classificationOf(
  registry: IntentsRegistry,
  { dialogue }: SupportState,
  { wishes: [first], confidence }: Understanding,
): ClassificationResult {
  const intent = (first && registry.find(first.intentId)) ?? null
  const extractedParams = first?.params ?? {}
  const known = { ...dialogue.open?.params, ...extractedParams }
  const missing = intent === null ? [] : missingParams(intent, known)
  return { intent, extractedParams, missingParams: missing, confidence }
}

/** Handles a model that could not read the message: tries the next one; if none is left, tells the customer. */
export function unread(settings: SupportSettings, state: SupportState, problem: string): Turned {
  if (hasNext(settings, state)) return readByRung(settings, { ...state, rung: state.rung + 1 })
  return failTurn(state, problem)
}

export const rungOf = ({ rungs }: SupportSettings, { rung }: SupportState): Rung =>
  rungs[rung] ?? 'embedded'

const hasNext = ({ rungs }: SupportSettings, { rung }: SupportState): boolean =>
  rung + 1 < rungs.length

/** Removes intents that the customer may not use. */
function withEligible({ eligible }: SupportState, reading: Understanding): Understanding {
  const wishes = reading.wishes.filter(({ intentId }) => eligible.includes(intentId))
  const isEmptied = wishes.length === 0 && reading.wishes.length > 0
  return isEmptied
    ? { ...NOT_UNDERSTOOD, reasoning: 'no intent that is offered here fits' }
    : { ...reading, wishes }
}

/** Drops values that nobody stated, and asks for those stated without a valid value. */
function groundedReading(
  { registry }: SupportSettings,
  state: SupportState,
  reading: Understanding,
): Understanding {
  const { text } = state.input.interaction
  const isOnly = reading.wishes.length === 1
  // A doubt in a message with several requests applies to each one that has no clear value.
  const doubts = (intent: Intent, said: JsonObject): JsonObject =>
    Object.fromEntries(
      doubtsIn(text, intent)
        .filter((param) => isOnly || isAbsent(said[param]))
        .map((param) => [param, null]),
    )
  return {
    ...reading,
    wishes: reading.wishes.map((wish) => {
      const intent = registry.find(wish.intentId)
      if (intent === undefined) return wish
      const params = groundedParams(intent, wish.params, state)
      return { ...wish, params: { ...params, ...doubts(intent, params) } }
    }),
  }
}

function carryOut(settings: SupportSettings, state: SupportState, settled: Settled): Turned {
  switch (settled.do) {
    case 'go-on':
      return goOn(settings, state, settled)
    case 'confirmed':
      return confirmed(settings, state, settled)
    case 'drop':
      return conclude(answered(dropped(state, settled.open), sentences.DROPPED, 'dropped'))
    case 'begin':
      return nextTask(settings, { ...dropped(state, settled.dropped), queue: settled.wishes })
    case 'ask-again':
      return askAgain(settings, state, settled.open)
    case 'not-understood':
      return notUnderstood(settings, state)
  }
}

/** Resumes the open plan with the new parameters, then the waiting requests. */
function goOn(
  settings: SupportSettings,
  state: SupportState,
  { open, params, further }: Extract<Settled, { readonly do: 'go-on' }>,
): Turned {
  const known: OpenIntent = { ...open, params: { ...open.params, ...params } }
  if (isAbsent(params[open.param])) return askAgain(settings, state, known)
  const execution = completed(open.execution, utc(state.at))
  const queue = [...further, ...state.dialogue.queued]
  return planTask(settings, taken(state, queue), {
    ...resumedTask(known),
    execution,
    failedAsks: 0,
  })
}

/** The customer confirmed: the rules are asked again, since time has passed. */
function confirmed(
  settings: SupportSettings,
  state: SupportState,
  { open, further }: Extract<Settled, { readonly do: 'confirmed' }>,
): Turned {
  if (!isOffered(settings, state, open)) return notUnderstood(settings, dropped(state, open))
  const execution = completed(open.execution, utc(state.at))
  const task: ActiveIntent = { ...resumedTask(open), execution, isConfirmed: true }
  const queue = [...further, ...state.dialogue.queued]
  return { state: { ...taken(state, queue), phase: 'checking', task } }
}

/** The intents, or the customer's tier, may have changed since the plan was made. */
const isOffered = (
  { registry }: SupportSettings,
  { eligible }: SupportState,
  { intentId }: OpenIntent,
): boolean => eligible.includes(intentId) && registry.find(intentId) !== undefined

/** Takes up the open plan, which no longer waits. */
const taken = (state: SupportState, queue: readonly QueuedIntent[]): SupportState => ({
  ...state,
  queue,
  dialogue: { ...state.dialogue, open: null, queued: [] },
})

/** Applies a person's decision to the plan that has waited longest. */
function reviewed(settings: SupportSettings, state: SupportState): Turned {
  const { review } = state.input
  const planId = review?.planId ?? null
  const isMeant = ({ execution }: OpenIntent): boolean =>
    planId === null || execution.planId === planId
  const open = state.dialogue.blocked.find(isMeant)
  const blocked = state.dialogue.blocked.filter((one) => one !== open)
  if (open === undefined || review === null) {
    return conclude(answered(state, sentences.NOTHING_WAITS, 'not_understood'))
  }
  const rest: SupportState = { ...state, dialogue: { ...state.dialogue, blocked } }
  const isStillOffered = isOffered(settings, state, open)
  if (!review.approved || !isStillOffered) {
    const reason = isStillOffered ? review.reason : 'it is not offered any more'
    const execution = canceled(open.execution, utc(state.at))
    return conclude({
      ...answered(rest, sentences.notApproved(reason), 'denied'),
      executions: [execution],
    })
  }
  const task: ActiveIntent = { ...resumedTask(open), isConfirmed: true, approvedBy: review.by }
  return { state: { ...rest, phase: 'checking', task } }
}
