import type { Moved } from 'echelon/runtime'
import type { JsonObject } from 'echelon/runtime'
import type { ClassificationResult } from '../classification.ts'
import {
  isOnlyItems,
  itemWordsIn,
  namedOrder,
  namedParams,
  namesOrders,
  plainIds,
} from '../customer/resolution.ts'
import { ORDER } from '../customer/resolve-order.ts'
import { mergedAddress } from '../customer/merged-address.ts'
import { applyCommands, type TaskCommand } from '../dialogue/apply-commands.ts'
import type { Intent } from '../intent.ts'
import type { IntentsRegistry } from '../intents-registry.ts'
import { takesBackHandOver, withoutTakeBack } from '../understand/directives.ts'
import {
  type Command,
  isUnclear,
  NOT_UNDERSTOOD,
  paramsIn,
  readAs,
  type Reading,
} from '../understand/command.ts'
import { asks } from '../understand/read-questions.ts'
import { doubtsIn } from '../understand/slots.ts'
import * as sentences from '../wording/sentences.ts'
import { answered, conclude, failTurn, noting, utc } from './conclusion.ts'
import { dropped, wasRefused } from './begin-task.ts'
import { CONFIRMATION, type OpenIntent } from './dialogue.ts'
import { groundedParams } from './grounding.ts'
import { intentOfCommand, isReading, resolvedCommands } from './resolved-commands.ts'
import { closingOf, HAND_OVER, TAKE_BACK } from './hand-over.ts'
import { nextWork } from './next-work.ts'
import { resumedTask } from './open-task.ts'
import { isAbsent, missingParams } from './planning/planner.ts'
import { canceled } from './planning/plan-execution.ts'
import { classified } from './stages.ts'
import type { Rung, SupportSettings } from './support-settings.ts'
import type { SupportState, ActiveIntent } from './support-state.ts'

type Turned = Moved<SupportState>

/** Reads the stored message, unless a person has the conversation or has decided something. */
export function read(settings: SupportSettings, before: SupportState): Turned {
  if (before.input.review !== null) return reviewed(settings, before)
  const { text } = plainIds(before, intentsOf(settings, before))
  const state: SupportState = { ...before, text }
  if (state.dialogue.handedOver === null) return readByRung(settings, state)
  if (!takesBackHandOver(text) || hasPersonAnswered(state)) {
    return conclude(answered(state, sentences.WITH_A_PERSON, 'handed_over'))
  }
  const queue = closingOf(settings, state)
  const told = queue.length > 0 ? state : answered(state, sentences.TAKEN_BACK, 'answered')
  const back: SupportState = {
    ...told,
    text: withoutTakeBack(text),
    dialogue: { ...state.dialogue, handedOver: null },
    queue,
  }
  return back.text === '' ? nextWork(settings, back) : readByRung(settings, back)
}

/** Whether a person has written since the conversation was handed over. */
const hasPersonAnswered = ({ history }: SupportState): boolean =>
  history.some(({ role, metadata }) => role === 'agent' && typeof metadata['by'] === 'string')

/** Reads with the next rung: the embedded one at once, a model in a step of its own. */
function readByRung(settings: SupportSettings, state: SupportState): Turned {
  const rung = settings.rungs[state.rung]
  return rung === 'embedded' && settings.reader !== null
    ? understood(settings, state, embeddedReading(settings, state))
    : { state: { ...state, phase: 'understanding' } }
}

function embeddedReading(settings: SupportSettings, state: SupportState): Reading {
  const { dialogue, history } = state
  const intents = intentsOf(settings, state)
  const itemWords = itemWordsIn(state)
  return settings.reader?.(state.text, { intents, dialogue, history, itemWords }) ?? NOT_UNDERSTOOD
}

/** The intents available to this customer here. */
export const intentsOf = ({ registry }: SupportSettings, state: SupportState): readonly Intent[] =>
  state.eligible.flatMap((id) => (id === TAKE_BACK ? [] : (registry.find(id) ?? [])))

/** Handles a rung's reading: accepts it if its confidence is high enough. */
export function understood(settings: SupportSettings, state: SupportState, given: Reading): Turned {
  const rung = rungOf(settings, state)
  const isSaid = !isUnclear(given) && given.confidence >= leastOf(settings, state, given)
  const other = sameForOther(settings, state) ?? sameAgain(state)
  const isFirm =
    isSaid &&
    !isRemark(given) &&
    !onlyNamesOrder(settings, state, given) &&
    !isObjection(settings, state, given)
  const reading =
    other ??
    (isFirm
      ? given
      : (orderNamed(state) ?? itemAlone(settings, state) ?? objected(settings, state, given)))
  const isSure = isUnclear(reading) ? false : isSaid || reading !== given
  if (!isSure && hasNext(settings, state)) {
    return readByRung(settings, { ...state, rung: state.rung + 1 })
  }
  const accepted = groundedReading(settings, state, isSure ? reading : unsure(reading))
  const read: SupportState = { ...state, reading: accepted, reprompt: null }
  const commands = resolvedCommands(settings, read, accepted.commands)
  const { registry } = settings
  const result = classificationOf(registry, state, { ...accepted, commands })
  const notes = [classified(result, accepted, rung, registry.config.redactedParams)]
  return noting(notes, carryOut(settings, read, commands))
}

/** Whether a statement stands where the customer is asked something, or was refused: it is rather about that. */
const isInterrupting = (state: SupportState): boolean =>
  (state.dialogue.open !== null || wasRefused(state)) &&
  !state.text.includes('?') &&
  !asks(state.text)

/** Whether a message names a thing that the customer bought, and all that it asks for is confirmed first. */
const namesOwn = (
  { registry }: SupportSettings,
  state: SupportState,
  commands: readonly Command[],
): boolean =>
  namedOrder(state) !== null &&
  commands.every(
    (one) => one.type !== 'start-task' || registry.find(one.intentId)?.confirm === true,
  )

const isRemark = ({ commands }: Reading): boolean => commands.every(({ type }) => type === 'remark')

/** Whether a message only names an order while a question is open: "for the pan order", "just the lamp". */
function onlyNamesOrder(settings: SupportSettings, state: SupportState, reading: Reading): boolean {
  const { open } = state.dialogue
  const isShort = state.text.trim().split(/\s+/).length <= 5 && !state.text.includes('?')
  if (open === null || !isShort || asks(state.text)) return false
  const isOfOpen =
    open.param === ORDER ? namesOrders(state) : namedOrder(state) === open.params[ORDER]
  return (
    isOfOpen &&
    namedOrder(state) !== null &&
    reading.commands.every((one) => one.type === 'start-task' && isReading(settings, one.intentId))
  )
}

/** Readings of what follows a refusal that are less sure than this are taken for an objection. */
const SURE_AFTER_REFUSAL = 0.85

/** Whether a message only objects to a refusal: "oh come on, I was on holiday". */
function isObjection(settings: SupportSettings, state: SupportState, reading: Reading): boolean {
  const { dialogue, text } = state
  if (!wasRefused(state) || dialogue.open !== null || text.includes('?')) return false
  return (
    namedOrder(state) === null &&
    reading.commands.every(
      (command) =>
        command.type === 'unclear' ||
        (command.type === 'start-task' &&
          isReading(settings, command.intentId) &&
          command.confidence < SURE_AFTER_REFUSAL &&
          command.params[ORDER] === undefined),
    )
  )
}

const objected = (settings: SupportSettings, state: SupportState, given: Reading): Reading =>
  isObjection(settings, state, given) ? NOT_UNDERSTOOD : given

/** What only reads harms nobody, so it needs less confidence by this much. */
const READING_BONUS = 0.25
/** What is done is confirmed first, so it needs less as well where a thing of the customer's own is named. */
const OWN_BONUS = 0.15
const TICKET_MALUS = 0.1

function leastOf(settings: SupportSettings, state: SupportState, { commands }: Reading): number {
  const rung = rungOf(settings, state)
  const isHarmless = commands.every(
    (command) => command.type !== 'start-task' || isReading(settings, command.intentId),
  )
  if (rung !== 'embedded') return settings.accept[rung]
  // A ticket is made at once, without asking back.
  const isHandOver = commands.some(({ type }) => type === 'ask-person')
  if (isHandOver) return settings.accept.embedded + TICKET_MALUS
  if (!isHarmless) {
    return settings.accept.embedded - (namesOwn(settings, state, commands) ? OWN_BONUS : 0)
  }
  return settings.accept.embedded - (isInterrupting(state) ? 0 : READING_BONUS)
}

/** "Just the lamp", as the answer to which order it is about, or as another order than the open one. */
function orderNamed(state: SupportState): Reading | null {
  const { open } = state.dialogue
  if (open === null || !namesOrders(state)) return null
  if (open.param === ORDER) return readAs([{ type: 'set-slots', params: {} }], 'it names an order')
  const named = namedOrder(state)
  if (named === null || state.text.includes('?')) return null
  const command = { type: 'correct-slots', intentId: open.intentId, params: {} } as const
  return readAs([command], 'it names an order, or an item of it')
}

/** Only the identifier that is known already: the question is asked once more, as it is. */
function sameAgain({ dialogue: { open }, text }: SupportState): Reading | null {
  const known = open?.param === ORDER ? undefined : open?.params[ORDER]
  const isSame = typeof known === 'string' && text.trim().replace(/[.!]+$/, '') === known
  return isSame ? readAs([{ type: 'repeat' }], 'it names the order once more') : null
}

/** "And the bedding?" after an answer: the same for another order. */
function sameForOther({ registry }: SupportSettings, state: SupportState): Reading | null {
  const { open, last } = state.dialogue
  const isShort = state.text.split(/\s+/).length <= 9
  if (open !== null || last === null || !isShort || !SAME_FOR.test(state.text)) return null
  const named = namedOrder(state)
  if (named === null || registry.find(last.intentId)?.params[ORDER] === undefined) return null
  const params = { [ORDER]: named }
  return readAs(
    [{ type: 'start-task', intentId: last.intentId, params, confidence: 1 }],
    'the same for another order',
  )
}

/** "Running shoes??": what one may want to know of an order that one only names is where it is. */
function itemAlone(settings: SupportSettings, state: SupportState): Reading | null {
  const { dialogue, text } = state
  const named = dialogue.open === null && isOnlyItems(state) ? namedOrder(state) : null
  const first = intentsOf(settings, state).find(
    ({ id, requiredParams }) => requiredParams.includes(ORDER) && isReading(settings, id),
  )
  if (named === null || first === undefined || text.length > 60) return null
  const params = { [ORDER]: named }
  return readAs(
    [{ type: 'start-task', intentId: first.id, params, confidence: 1 }],
    'it names nothing but a thing of an order',
  )
}

const SAME_FOR =
  /^\W*(?:(?:ok(?:ay)?|so|then|well|right|alright|great|thanks)[\s,.!]+)*(?:and|what about|how about|same (?:for|with)|also)\b(?!.*\b(?:where|when|how|cancel|refund|return|send|track|pay|paid|address)\b)/iu

/** A request that is not sure enough is offered as a choice; nothing is done for it. */
function unsure(reading: Reading): Reading {
  const likely = reading.commands.flatMap((command) => {
    if (command.type === 'start-task') return [command.intentId]
    return command.type === 'unclear' ? command.readings : []
  })
  const readings = [...new Set(likely)].slice(0, 2)
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

export const rungOf = ({ rungs }: SupportSettings, { rung }: SupportState): Rung =>
  rungs[rung] ?? 'embedded'

const hasNext = ({ rungs }: SupportSettings, { rung }: SupportState): boolean =>
  rung + 1 < rungs.length

/** Removes intents that the customer may not use, and values that nobody stated. */
function groundedReading(
  { registry }: SupportSettings,
  state: SupportState,
  reading: Reading,
): Reading {
  const isOnly = reading.commands.filter((command) => 'params' in command).length === 1
  const { open } = state.dialogue
  const commands = reading.commands.flatMap((command): readonly Command[] => {
    if (command.type === 'unclear') {
      return [
        { ...command, readings: command.readings.filter((id) => state.eligible.includes(id)) },
      ]
    }
    const intentId = intentOfCommand(command, open)
    if (intentId === null) return [command]
    const intent = registry.find(intentId)
    if (intent === undefined || !state.eligible.includes(intentId)) return []
    return 'params' in command
      ? [{ ...command, params: groundedIn(state, intent, command.params, isOnly) }]
      : [command]
  })
  if (commands.length > 0) return { ...reading, commands }
  return { ...NOT_UNDERSTOOD, reasoning: 'no intent that is offered here fits' }
}

/** Drops values that nobody stated, and marks those stated without a valid value, which are asked for. */
function groundedIn(
  state: SupportState,
  intent: Intent,
  said: JsonObject,
  isOnly: boolean,
): JsonObject {
  const params = groundedParams(intent, said, state)
  // A doubt in a message with several requests applies to each one that has no clear value.
  const doubts = doubtsIn(state.text, intent).filter((param) => isOnly || isAbsent(said[param]))
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
  return nextWork(settings, { ...rest, dialogue, queue: [...rest.queue, ...inOrder(work)] })
}

/** What only has to be said comes first: a question at the end stays the last word. */
const inOrder = (work: SupportState['queue']): SupportState['queue'] => [
  ...work.filter(({ do: what }) => what === 'say' || what === 'look-up'),
  ...work.filter(({ do: what }) => what !== 'say' && what !== 'look-up'),
]

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
