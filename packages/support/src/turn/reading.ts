import type { Moved } from 'echelon/runtime'
import type { JsonObject } from 'echelon/runtime'
import type { ClassificationResult } from '../classification.ts'
import {
  itemsOfOrder,
  itemWordsIn,
  namedOrder,
  namesOrders,
  otherOrders,
  plainIds,
  resolutionIn,
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
import { doubtsIn } from '../understand/slots.ts'
import * as sentences from '../wording/sentences.ts'
import { answered, conclude, failTurn, noting, utc } from './conclusion.ts'
import { dropped } from './begin-task.ts'
import type { OpenIntent } from './dialogue.ts'
import { groundedParams } from './grounding.ts'
import { HAND_OVER } from './hand-over.ts'
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
  const back: SupportState = {
    ...answered(state, sentences.TAKEN_BACK, 'answered'),
    text: withoutTakeBack(text),
    dialogue: { ...state.dialogue, handedOver: null },
  }
  return back.text === '' ? conclude(back) : readByRung(settings, back)
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
  state.eligible.flatMap((id) => registry.find(id) ?? [])

/** Handles a rung's reading: accepts it if its confidence is high enough. */
export function understood(settings: SupportSettings, state: SupportState, given: Reading): Turned {
  const rung = rungOf(settings, state)
  const isSaid = !isUnclear(given) && given.confidence >= leastOf(settings, rung, given)
  const other = sameForOther(settings, state) ?? sameAgain(state)
  const reading = other ?? (isSaid ? given : (orderNamed(state) ?? given))
  const isSure = isSaid || reading !== given
  if (!isSure && hasNext(settings, state)) {
    return readByRung(settings, { ...state, rung: state.rung + 1 })
  }
  const accepted = groundedReading(settings, state, isSure ? reading : unsure(reading))
  const read: SupportState = { ...state, reading: accepted, reprompt: null }
  const commands = accepted.commands.map((command) => resolved(settings, read, command))
  const { registry } = settings
  const result = classificationOf(registry, state, { ...accepted, commands })
  const notes = [classified(result, accepted, rung, registry.config.redactedParams)]
  return noting(notes, carryOut(settings, read, commands))
}

/** What only reads harms nobody, so it needs less confidence by this much. */
const READING_BONUS = 0.15
const TICKET_MALUS = 0.1

function leastOf(settings: SupportSettings, rung: Rung, { commands }: Reading): number {
  const isHarmless = commands.every(
    (command) => command.type !== 'start-task' || isReading(settings, command.intentId),
  )
  if (rung !== 'embedded') return settings.accept[rung]
  // A ticket is made at once, without asking back.
  const isHandOver = commands.some(({ type }) => type === 'ask-person')
  return settings.accept.embedded + (isHandOver ? TICKET_MALUS : isHarmless ? -READING_BONUS : 0)
}

const isReading = ({ registry, acting }: SupportSettings, intentId: string): boolean =>
  !acting.includes(registry.find(intentId)?.tool ?? '')

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
  const isShort = state.text.split(/\s+/).length <= 6
  if (open !== null || last === null || !isShort || !SAME_FOR.test(state.text)) return null
  const named = namedOrder(state)
  if (named === null || registry.find(last.intentId)?.params[ORDER] === undefined) return null
  const params = { [ORDER]: named }
  return readAs(
    [{ type: 'start-task', intentId: last.intentId, params, confidence: 1 }],
    'the same for another order',
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

function intentOfCommand(command: Command, open: OpenIntent | null): string | null {
  if ('intentId' in command) return command.intentId
  if (command.type === 'ask-person') return HAND_OVER
  return command.type === 'set-slots' ? (open?.intentId ?? null) : null
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

/** Completes a command from the customer's own data. */
function resolved(settings: SupportSettings, state: SupportState, command: Command): TaskCommand {
  const { open } = state.dialogue
  const intent = settings.registry.find(intentOfCommand(command, open) ?? '')
  if (intent === undefined || !('params' in command)) return command
  if (command.type === 'set-slots' && open?.param !== ORDER) {
    return { ...command, params: mergedAddress(intent, open?.params ?? {}, command.params) }
  }
  if (command.type === 'correct-slots') return correctedBy(state, intent, command)
  const choice =
    command.type === 'start-task'
      ? state.dialogue.choices.find(({ intentId }) => intentId === command.intentId)
      : undefined
  // What was said before the choice was offered holds for it.
  if (choice?.params[ORDER] !== undefined && command.params[ORDER] === undefined) {
    return { ...command, params: { ...choice.params, ...command.params } }
  }
  const said = command.type === 'start-task' ? command.said : undefined
  const part = said === undefined ? state : { ...state, text: said }
  const mayInfer = intent.confirm || isReading(settings, intent.id)
  const { params, hints } = resolutionIn(part, intent, command.params, mayInfer)
  const all = hints.isAll === true && isReading(settings, intent.id) ? listingIn(settings) : null
  if (all !== null) return { type: 'start-task', intentId: all, params: {}, confidence: 1 }
  return { ...command, params, ...(Object.keys(hints).length > 0 && { hints }) }
}

/** The intent that lists all orders, if there is one. */
const listingIn = ({ registry, acting }: SupportSettings): string | null =>
  registry.config.intents.find(
    ({ tool, requiredParams }) =>
      tool === 'list_orders' && requiredParams.length === 0 && !acting.includes(tool),
  )?.id ?? null

/** A correction, with the items that it names, or with the choice that is left where it names nothing. */
function correctedBy(
  state: SupportState,
  intent: Intent,
  command: Extract<Command, { readonly type: 'correct-slots' }>,
): TaskCommand {
  const before = (state.dialogue.open ?? state.dialogue.last)?.params ?? {}
  if (Object.keys(command.params).length === 0) {
    const named = namedOrder(state)
    const isRefused = named === before[ORDER] && /\bnot\b|n't\b/iu.test(state.text)
    if (named !== null && !isRefused) {
      const params = { [ORDER]: named }
      return { ...command, params: { ...params, ...itemsOfOrder(state, intent, params) } }
    }
    const others = otherOrders(state, before[ORDER])
    return others.length === 0 ? command : { ...command, hints: { candidates: others } }
  }
  const items = itemsOfOrder(state, intent, command.params)
  return { ...command, params: { ...mergedAddress(intent, before, command.params), ...items } }
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
  const dialogue = { ...rest.dialogue, open, stack, choices, blocked }
  return nextWork(settings, { ...rest, dialogue, queue: inOrder(work) })
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
