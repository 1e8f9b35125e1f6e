import type { Moved, JsonObject } from 'echelon/runtime'
import type { ClassificationResult } from '../classification.ts'
import { itemWordsIn, namedParams, plainIds } from '../customer/resolution.ts'
import { withoutOwnPlace } from '../customer/own-place.ts'
import { ownOrdersIn } from '../customer/own-order.ts'
import { AMOUNT, ORDER } from '../customer/resolve-order.ts'
import { applyCommands, type TaskCommand } from '../dialogue/apply-commands.ts'
import type { Work } from '../dialogue/work.ts'
import type { Intent } from '../intent.ts'
import type { IntentsRegistry } from '../intents-registry.ts'
import { withoutJoke } from '../understand/jokes.ts'
import {
  type Command,
  isUnclear,
  NOT_UNDERSTOOD,
  paramsIn,
  readAs,
  type Reading,
} from '../understand/command.ts'
import { doubtsIn } from '../understand/slots.ts'
import * as sentences from '../wording/sentences.ts'
import { type Accounted, accounted } from './accounts/accounted.ts'
import { orderedIn } from './accounts/of-time.ts'
import { dayChecked } from './answers/day-checked.ts'
import { besideTakenBack } from './answers/taken-back.ts'
import { answered, conclude, failTurn, noting, utc } from './conclusion.ts'
import { dropped } from './begin-task.ts'
import type { OpenIntent } from './dialogue.ts'
import { groundedParams } from './grounding.ts'
import { accepted } from './reading/acceptance.ts'
import { fittingOffer } from './reading/fitting-offer.ts'
import { intentsOf, rungOf } from './reading/offered.ts'
import { saysSumOffered } from './reading/offers/sum-offered.ts'
import { isReading } from './reading/reads-only.ts'
import { intentOfCommand, resolvedCommands } from './reading/resolved-commands.ts'
import { closingOf, HAND_OVER } from './hand-over.ts'
import { meantMeanwhile } from './meanwhile/meant-meanwhile.ts'
import { courtesyIn, withPerson } from './meanwhile/with-person.ts'
import { nextWork } from './next-work.ts'
import { sumsInDigits } from './money/in-digits.ts'
import { resumedTask } from './open-task.ts'
import { isAbsent, missingParams } from './planning/planner.ts'
import { canceled } from './planning/plan-execution.ts'
import { classified } from './stages.ts'
import { onlyNamed } from './tasks/ended.ts'
import type { SupportSettings } from './support-settings.ts'
import type { SupportState, ActiveIntent } from './support-state.ts'

type Turned = Moved<SupportState>

/** Reads the stored message, unless a person has the conversation or has decided something. */
export function read(settings: SupportSettings, before: SupportState): Turned {
  if (before.input.review !== null) return reviewed(settings, before)
  const said = withoutJoke(plainIds(before, intentsOf(settings, before)).text)
  const plain = sumsInDigits(said)
  const text =
    before.dialogue.open === null ? withoutOwnPlace(ownOrdersIn(before.orders), plain) : plain
  const state: SupportState = { ...before, text }
  if (state.dialogue.handedOver === null) return readByRung(settings, state)
  if (isAskedMeanwhile(state)) return readByRung(settings, state)
  const rest = hasPersonAnswered(state) ? null : besidePersonTakenBack(settings, state)
  if (rest === null) {
    const told = hasPersonAnswered(state) ? null : besidePerson(settings, state)
    if (told !== null) return told
    const courtesy = hasPersonAnswered(state) ? null : courtesyIn(text)
    if (courtesy !== null) return conclude(answered(state, courtesy, 'answered'))
    return conclude(answered(state, withPerson(settings, text), 'handed_over'))
  }
  const queue = closingOf(settings, state)
  const told = queue.length > 0 ? state : answered(state, sentences.TAKEN_BACK, 'answered')
  const back: SupportState = {
    ...told,
    text: rest,
    dialogue: { ...state.dialogue, handedOver: null },
    queue,
  }
  return back.text === '' ? nextWork(settings, back) : readByRung(settings, back)
}

const besidePersonTakenBack = (settings: SupportSettings, state: SupportState): string | null =>
  besideTakenBack(
    state.text,
    settings.reader === null || !settings.rungs.includes('embedded')
      ? null
      : (part) => embeddedReading(settings, { ...state, text: part }),
  )

/** Whether the agent has asked something since a person has the conversation, who has not answered yet. */
const isAskedMeanwhile = (state: SupportState): boolean =>
  (state.dialogue.open !== null || state.dialogue.choices.length > 0) &&
  !hasPersonAnswered(state) &&
  !NAMES_PERSON.test(state.text)

const NAMES_PERSON = /\b(?:colleagues?|persons?|humans?|agents?|tickets?)\b/iu

/**
 * A plain question about an order or the rules is answered, and a wish is offered, while a person has not answered yet;
 * `null` for others.
 */
function besidePerson(settings: SupportSettings, state: SupportState): Turned | null {
  if (!settings.rungs.includes('embedded')) return null
  const embedded: SupportSettings = { ...settings, rungs: ['embedded'] }
  const here: SupportState = { ...state, rung: 0 }
  const { reading, isSure } = accepted(embedded, here, embeddedReading(embedded, here))
  if (!isSure) return null
  const grounded = groundedReading(embedded, here, reading)
  const commands = resolvedCommands(embedded, here, grounded.commands)
  const meant = meantMeanwhile(settings, state.text, reading.confidence, commands)
  if (meant === null) return null
  return readTo(
    embedded,
    answered({ ...here, reading: grounded }, sentences.MEANWHILE, 'answered'),
    meant,
  )
}

/** Whether a person has written since the conversation was handed over. */
const hasPersonAnswered = ({ history }: SupportState): boolean =>
  history.some(({ role, metadata }) => role === 'agent' && typeof metadata['by'] === 'string')

/** Reads with the next rung: the embedded one at once, a model in a step of its own. */
function readByRung(settings: SupportSettings, state: SupportState): Turned {
  const rung = settings.rungs[state.rung]
  if (rung !== 'embedded' || settings.reader === null) {
    return { state: { ...state, phase: 'understanding' } }
  }
  const account = mayCheckDay(state) ? accounted(settings, state) : null
  if (account !== null) return withAccount(settings, state, account)
  const day = mayCheckDay(state) ? dayChecked(state) : null
  if (day === null) return listedOr(settings, state, embeddedReading(settings, state))
  // What the calendar says is told before what the rest of the message asks for.
  const told = answered(state, day.told, 'answered')
  const rest: SupportState = { ...told, text: day.rest }
  const reading = day.rest === '' ? NOT_UNDERSTOOD : embeddedReading(settings, rest)
  return isUnclear(reading) ? carryOut(settings, told, []) : understood(settings, rest, reading)
}

/** A list of the orders of a time is told from the customer's own; what else was read is carried out. */
function listedOr(settings: SupportSettings, state: SupportState, reading: Reading): Turned {
  const list = mayCheckDay(state) ? orderedIn(settings, state, reading) : null
  if (list === null) return understood(settings, state, reading)
  const { registry } = settings
  const result = classificationOf(registry, state, reading)
  const { redactedParams } = registry.config
  const notes = [classified(result, reading, rungOf(settings, state), redactedParams)]
  const about = onlyNamed(state.orders, list) ?? state.dialogue.about
  const spoken: SupportState = { ...state, dialogue: { ...state.dialogue, about } }
  return noting(notes, carryOut(settings, answered(spoken, list, 'answered'), []))
}

/** What the customer's own orders say of their sums is told before what the rest of the message asks for. */
function withAccount(
  settings: SupportSettings,
  state: SupportState,
  { told, invoices, last, rest }: Accounted,
): Turned {
  const spoken: SupportState =
    last === null ? state : { ...state, dialogue: { ...state.dialogue, last, about: last.params } }
  const begun = told === null ? spoken : answered(spoken, told, 'answered')
  const behind: SupportState = { ...begun, text: rest }
  const reading = rest === '' ? NOT_UNDERSTOOD : embeddedReading(settings, behind)
  if (isUnclear(reading)) return carryOut(settings, begun, invoices)
  if (invoices.length === 0) return understood(settings, behind, reading)
  return understood(settings, behind, { ...reading, commands: [...invoices, ...reading.commands] })
}

/** Whether nothing is open or offered that a part of the message may answer. */
const mayCheckDay = ({ dialogue: { open, choices } }: SupportState): boolean =>
  open === null && choices.every(({ intentId }) => intentId === HAND_OVER)

function embeddedReading(settings: SupportSettings, state: SupportState): Reading {
  const { dialogue, history } = state
  const intents = intentsOf(settings, state)
  const itemWords = itemWordsIn(state)
  return settings.reader?.(state.text, { intents, dialogue, history, itemWords }) ?? NOT_UNDERSTOOD
}

/** Handles a rung's reading: accepts it if its confidence is high enough. */
export function understood(settings: SupportSettings, state: SupportState, given: Reading): Turned {
  const { reading, isSure } = accepted(settings, state, given)
  if (!isSure && hasNext(settings, state)) {
    return readByRung(settings, { ...state, rung: state.rung + 1 })
  }
  const grounded = groundedReading(settings, state, isSure ? reading : unsure(reading))
  const read: SupportState = { ...state, reading: grounded, reprompt: null }
  return readTo(settings, read, resolvedCommands(settings, read, grounded.commands))
}

/** Notes what a message was read as, and carries it out. */
function readTo(
  settings: SupportSettings,
  state: SupportState,
  commands: readonly TaskCommand[],
): Turned {
  const { registry } = settings
  const grounded = state.reading ?? NOT_UNDERSTOOD
  const result = classificationOf(registry, state, { ...grounded, commands })
  const { redactedParams } = registry.config
  const notes = [classified(result, grounded, rungOf(settings, state), redactedParams)]
  return noting(notes, carryOut(settings, state, commands))
}

/** A request that is not sure enough is offered as a choice; nothing is done for it. */
function unsure(reading: Reading): Reading {
  if (reading.commands.some((one) => one.type === 'unclear' && one.isReport)) return reading
  const likely = reading.commands.flatMap((command) => {
    if (command.type === 'start-task') return [command.intentId]
    return command.type === 'unclear' ? command.readings : []
  })
  const readings = [...new Set([...likely, ...(reading.alternatives ?? [])])].slice(0, 2)
  return readAs([{ type: 'unclear', readings }], reading.reasoning, reading.confidence)
}

/** The first request, with the parameters it still needs besides those of the open plan. */
function classificationOf(
  registry: IntentsRegistry,
  { dialogue }: SupportState,
  { commands, confidence }: Pick<Reading, 'commands' | 'confidence'>,
): ClassificationResult {
  const intent = registry.find(firstIntent(commands, dialogue.open) ?? '') ?? null
  const extractedParams = paramsIn({ commands })
  const known = { ...dialogue.open?.params, ...extractedParams }
  const missing = intent === null ? [] : missingParams(intent, known)
  return { intent, extractedParams, missingParams: missing, confidence }
}

function firstIntent(commands: readonly Command[], open: OpenIntent | null): string | undefined {
  for (const command of commands) {
    if ('intentId' in command) return command.intentId
    if (command.type === 'ask-person') return HAND_OVER
    if (command.type === 'set-slots') return open?.intentId
  }
  return undefined
}

/**
 * Handles a model that could not read the message: it is asked once more if its answer was unusable, then the next
 * rung reads, and in the end the embedded reader, which needs no model.
 */
export function unread(
  settings: SupportSettings,
  state: SupportState,
  problem: string,
  isAnswer = false,
): Turned {
  if (isAnswer && state.reprompt === null) return { state: { ...state, reprompt: problem } }
  const next = { ...state, reprompt: null }
  if (hasNext(settings, state)) return readByRung(settings, { ...next, rung: state.rung + 1 })
  // While no model can read, the embedded reader does, if it is sure.
  const reading = settings.rungs.includes('embedded')
    ? NOT_UNDERSTOOD
    : embeddedReading(settings, state)
  if (isUnclear(reading) || reading.confidence < settings.accept.embedded) {
    return failTurn(state, problem)
  }
  return understood({ ...settings, rungs: ['embedded'] }, { ...next, problem, rung: 0 }, reading)
}

const hasNext = ({ rungs }: SupportSettings, { rung }: SupportState): boolean =>
  rung + 1 < rungs.length

/** Removes intents that the customer may not use, and values that the customer did not state. */
function groundedReading(
  settings: SupportSettings,
  state: SupportState,
  reading: Reading,
): Reading {
  const { registry } = settings
  const isOnly = reading.commands.filter((command) => 'params' in command).length === 1
  const { open } = state.dialogue
  const commands = reading.commands.flatMap((command): readonly Command[] => {
    if (command.type === 'unclear') {
      const eligible = command.readings.filter((id) => state.eligible.includes(id))
      // Of a report, the rules are asked what fits.
      return [
        command.isReport === true
          ? { ...command, readings: eligible }
          : { ...command, readings: fittingOffer(settings, state, eligible) },
      ]
    }
    const intentId = intentOfCommand(command, open)
    if (intentId === null) return [command]
    const intent = registry.find(intentId)
    if (intent === undefined || !state.eligible.includes(intentId)) return []
    if (!('params' in command)) return [command]
    const params = groundedIn(state, intent, command.params, isOnly)
    return [{ ...command, params: { ...ownOrderOf(settings, state, command), ...params } }]
  })
  if (commands.length > 0) return { ...reading, commands }
  return { ...NOT_UNDERSTOOD, reasoning: 'no intent that is offered here fits' }
}

/** The customer's own order that rules chose, such as the one that comes first. It is used to answer, never to act. */
function ownOrderOf(settings: SupportSettings, state: SupportState, command: Command): JsonObject {
  if (command.type !== 'start-task' || rungOf(settings, state) !== 'embedded') return {}
  const id = command.params[ORDER]
  const isOwn = ownOrdersIn(state.orders).some((one) => one.id === id)
  return isOwn && typeof id === 'string' && isReading(settings, command.intentId)
    ? { [ORDER]: id }
    : {}
}

/** Drops values that the customer did not state, and marks those stated without a valid value, which are asked for. */
function groundedIn(
  state: SupportState,
  intent: Intent,
  said: JsonObject,
  isOnly: boolean,
): JsonObject {
  const params = groundedParams(intent, said, state)
  // A doubt in a message with several requests applies to each one that has no clear value.
  const doubts = doubtsIn(state.text, intent).filter(
    (param) =>
      (isOnly || isAbsent(said[param])) && !(param === AMOUNT && saysSumOffered(state, said)),
  )
  return { ...params, ...Object.fromEntries(doubts.map((param) => [param, null])) }
}

function carryOut(
  settings: SupportSettings,
  state: SupportState,
  commands: readonly TaskCommand[],
): Turned {
  const {
    open,
    stack,
    choices,
    canceled: given,
    withdrawn,
    work,
  } = applyCommands(state.dialogue, {
    text: state.text,
    commands,
    isReading: (id) => isReading(settings, id),
  })
  const rest = [...given, ...withdrawn].reduce(dropped, state)
  const blocked = rest.dialogue.blocked.filter((one) => !withdrawn.includes(one))
  const about = namedParams(state) ?? rest.dialogue.about
  const dialogue = { ...rest.dialogue, open, stack, choices, blocked, about }
  // What waited behind a question that is given up is still wanted.
  const isGivenUp = work.some((one) => one.do === 'say' && one.saying.about === 'dropped')
  const behind = isGivenUp ? state.dialogue.queued : []
  const queue = [
    ...rest.queue,
    ...inOrder(work),
    ...behind.map((request) => ({ do: 'begin' as const, ...request })),
  ]
  return nextWork(settings, { ...rest, dialogue, queue })
}

/** What only has to be said comes first: a question at the end stays the last word. */
const inOrder = (work: SupportState['queue']): SupportState['queue'] => [
  ...work.filter(isOnlySaid),
  ...work.filter((one) => !isOnlySaid(one)),
]

const isOnlySaid = (one: Work): boolean => one.do === 'look-up' || one.do === 'say'

/** The intents, or the customer's tier, may have changed since the plan was made. */
const isOffered = (
  { registry }: SupportSettings,
  { eligible }: SupportState,
  { intentId }: OpenIntent,
): boolean => eligible.includes(intentId) && registry.find(intentId) !== undefined

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
