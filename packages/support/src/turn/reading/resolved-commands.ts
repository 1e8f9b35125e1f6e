import type { JsonObject } from 'echelon/runtime'
import { namedOrder, resolutionIn } from '../../customer/resolution.ts'
import { AMOUNT, amountOf, ITEM, ORDER, type Resolved } from '../../customer/resolve-order.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import type { TaskCommand } from '../../dialogue/apply-commands.ts'
import type { Intent } from '../../intent.ts'
import { requestSentences } from '../../understand/clauses.ts'
import { BY_RULE, type Command, type StartTask } from '../../understand/command.ts'
import { type Facet, facetsOf } from '../../understand/facets.ts'
import type { OpenIntent } from '../dialogue.ts'
import { HAND_OVER } from '../hand-over.ts'
import { withRuleAsked } from '../answers/rule-asked.ts'
import { contentsIn, riddance } from '../weighing/contents.ts'
import { asksForRest, counted } from './counted.ts'
import { moneyOfOwn } from '../money/given-back.ts'
import { sumOfRefund } from '../money/of-refund.ts'
import { followedBy, ownPartIn, placeOfReturn, reopened } from './followed.ts'
import { dutyAfterRefund, moveOfSpoken } from './parcels/of-order-spoken.ts'
import { intentsOf } from './offered.ts'
import { withChoice } from './offers/with-choice.ts'
import { saidBefore } from './returns/said-before.ts'
import { labelAlone, labelOfReturn, returnNow, timeToSendIn } from './returns/sent-back.ts'
import { isReading } from './reads-only.ts'
import { adviceOnParcel, ofOwnParcel } from './parcels/own-parcel.ts'
import { listed } from './parcels/listing.ts'
import { placeCompared } from './parcels/same-place.ts'
import { fewFit } from './parcels/few-fit.ts'
import { movedTogether } from './parcels/moved-together.ts'
import { askedOfAll, BOTH, ofOrder, ordersMeant, textOf } from './parcels/several.ts'
import { priceIn } from './price-asked.ts'
import { UNDER_WAY } from './under-way.ts'
import { settledAddress } from './settled-address.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'
import { severalTold } from '../../customer/orders-told.ts'
import { correctedBy } from './resolved/corrected-by.ts'
import { isSame, withoutRepeats } from './resolved/without-repeats.ts'
import { CANCEL, ORDER_PAYMENT } from '../../dialogue/known-intents.ts'

/**
 * Completes the commands of a message from the customer's own data. A request that names no order is about the one
 * that the request before it named: "what did the bulbs cost, and send me the invoice for them".
 */
export function resolvedCommands(
  settings: SupportSettings,
  state: SupportState,
  commands: readonly Command[],
): readonly TaskCommand[] {
  const isGivenUp = commands.some(({ type }) => type === 'cancel-task' || type === 'deny')
  const all = isGivenUp ? null : allAsked(settings, state)
  if (all !== null) return all
  const compared = placeCompared(settings, state, commands)
  if (compared !== null) return compared
  const resolved: TaskCommand[] = []
  for (const command of withRuleAsked(state, commands)) {
    const before = resolved.findLast(({ type }) => type === 'start-task')
    const params = before !== undefined && 'params' in before ? before.params : {}
    const here = typeof params[ORDER] === 'string' ? withFocus(state, params) : state
    const found = resolvedCommand(settings, here, command)
    resolved.push(...found.filter((one) => !resolved.some((known) => isSame(known, one))))
  }
  return withoutRepeats(settings, state, resolved)
}

/** What was asked of an order, for each of them, where none can be named; `null` for what does something. */
function allAsked(settings: SupportSettings, state: SupportState): readonly TaskCommand[] | null {
  const { open } = state.dialogue
  if (open === null || !isReading(settings, open.intentId)) return null
  const ids = askedOfAll(state)
  const { intentId, params } = open
  const command = { type: 'start-task', intentId, params, confidence: BY_RULE } as const
  return ids.length === 0 ? null : eachOf(command, ids, [])
}

const withFocus = (state: SupportState, about: JsonObject): SupportState => ({
  ...state,
  dialogue: { ...state.dialogue, about },
})

function resolvedCommand(
  settings: SupportSettings,
  state: SupportState,
  command: Command,
): readonly TaskCommand[] {
  const { open } = state.dialogue
  const part = partOf(state, command)
  const own =
    sumOfRefund(settings, part, command) ??
    (open === null
      ? (dutyAfterRefund(part, command) ??
        moneyOfOwn(settings, part, command) ??
        ownPartIn(settings, part, command) ??
        moveOfSpoken(settings, part, command) ??
        timeToSendIn(settings, part, command) ??
        labelAlone(settings, part, command))
      : null)
  if (own !== null) return own
  if (command.type === 'follow-up') {
    const parcel = command.about === 'options' ? adviceOnParcel(settings, state) : null
    return parcel ?? followedBy(settings, state, command.about)
  }
  const arrived = open === null ? returnNow(settings, part, command) : null
  if (arrived !== null) return requested(settings, part, ...arrived)
  const parcel = open === null ? ofOwnParcel(settings, part, command) : null
  if (parcel !== null) return parcel
  const meant = meantInState(state, command)
  if (meant !== null) return [meant]
  if (command.type === 'undo' && open === null) {
    const cancels = undoesOrder(settings, state)
    return cancels === null ? reopened(settings, state) : requested(settings, state, ...cancels)
  }
  if (open === null && labelOfReturn(settings, part, command)) {
    return followedBy(settings, state, 'no_label')
  }
  if (command.type === 'ask-waiting' && isWhy(state)) {
    return followedBy(settings, state, 'why')
  }
  if (command.type === 'ask-waiting' && HOW_LONG.test(state.text)) {
    return followedBy(settings, state, 'decision_when')
  }
  if (command.type === 'ask-knowledge' && isOfApproval(settings, state, command.question)) {
    return followedBy(settings, state, 'decision_when')
  }
  const intent = settings.registry.find(intentOfCommand(command, open) ?? '')
  if (intent === undefined || !('params' in command)) return [command]
  if (command.type === 'set-slots' && open?.param !== ORDER) {
    const { params, hints } = settledAddress(state, intent, open?.params ?? {}, command.params)
    const price = priceIn(state)
    if (price !== null) return [{ ...command, params: { ...params, ...price } }]
    return [{ ...command, params, ...(Object.keys(hints).length > 0 && { hints }) }]
  }
  const together = movedTogether(part, intent, command) ?? fewFit(part, intent, command)
  if (together !== null) return together
  if (command.type === 'correct-slots') return [correctedBy(state, intent, command)]
  return requested(settings, state, intent, command)
}

/** The part of the message that a command is read from. */
function partOf(state: SupportState, command: Command): SupportState {
  const said =
    command.type === 'start-task'
      ? command.said
      : command.type === 'ask-knowledge' && state.text.includes(command.question)
        ? command.question
        : undefined
  return said === undefined || said === '' ? state : { ...state, text: said }
}

/** A wish that is another one for the order in its state. */
const meantInState = (state: SupportState, command: Command): TaskCommand | null =>
  command.type === 'ask-knowledge' ? contentsIn(state, command) : riddance(state, command)

/** "I ordered it an hour ago, can we undo that?", where nothing was done here: to undo an order is to cancel it. */
function undoesOrder(
  settings: SupportSettings,
  state: SupportState,
): readonly [Intent, StartTask] | null {
  const { done, blocked } = state.dialogue
  if (done !== null || blocked.length > 0 || !OF_ORDERING.test(state.text)) return null
  const intent = intentsOf(settings, state).find(({ id }) => id === CANCEL)
  return intent === undefined
    ? null
    : [intent, { type: 'start-task', intentId: CANCEL, params: {}, confidence: BY_RULE }]
}

const OF_ORDERING = /\b(?:orders?|ordered|purchase[ds]?|bought|placed)\b/iu

/** What is open, as another thing is done with it: the same items, unless others are named. */
function ofSameThing(
  state: SupportState,
  intent: Intent,
  { type, params }: Extract<Command, { readonly params: JsonObject }>,
): JsonObject | null {
  const { open, choices } = state.dialogue
  const before = open ?? choices[0]
  const item = before?.params[ITEM]
  const order = ownOrdersIn(state.orders).find(({ id }) => id === params[ORDER])
  const isSame = before !== undefined && before.params[ORDER] === params[ORDER]
  if (type !== 'start-task' || !isSame || order === undefined || typeof item !== 'string')
    return null
  return namedOrder(state) === null && before.intentId !== intent.id
    ? amountOf(intent, { [ORDER]: order.id }, order, item)
    : null
}

/** A request, with its order; one request for each of several orders that are named. */
function requested(
  settings: SupportSettings,
  state: SupportState,
  intent: Intent,
  given: Extract<Command, { readonly params: JsonObject }>,
): readonly TaskCommand[] {
  const command = withSumAsked(given, state.text)
  const part = partOf(state, command)
  const chosen = withChoice(state, part, intent, command)
  if (chosen !== null) return [chosen]
  const same = ofSameThing(state, intent, command)
  if (same !== null) return [{ ...command, params: { ...command.params, ...same } }]
  const isWondered = command.type === 'start-task' && command.wonders !== undefined
  const mayInfer = intent.confirm || isReading(settings, intent.id)
  const resolved = resolvedIn(part, intent, command.params, mayInfer)
  const ofReturn = placeOfReturn(part, intent.id, resolved.params[ORDER])
  if (ofReturn !== null) return [ofReturn]
  const { params, hints: placed } = settledAddress(part, intent, {}, resolved.params)
  const hints = { ...resolved.hints, ...placed }
  if (command.type === 'start-task' && command.isOnceArrived && !hasArrived(state, params)) {
    return [{ type: 'ask-knowledge', question: SECTIONS.returnOnceArrived }]
  }
  // Without an order that is named or spoken of, it is a question of the rules in general.
  const isNamed = isOfOrder(part, params) && hints.candidates === undefined
  const isGeneral = intent.withoutOrder === 'documents' && params[ORDER] === undefined
  if (isGeneral || (isWondered && !isNamed)) {
    return [{ type: 'ask-knowledge', question: part.text }]
  }
  const again = saidBefore(state, intent, command, params)
  if (again !== null) return [again]
  const asked = command.type === 'start-task' ? askedWith(part, intent, params) : []
  // "How many lamps are in there, and what else?" is about all that the order holds.
  const asks = asksForRest(state.text) ? asked.filter((one) => one !== 'count') : asked
  if (command.type === 'start-task' && asks.some((one) => one === 'count' || one === 'twice')) {
    const held = counted(part, params, asks)
    if (held.length > 0) return held.map((one) => ({ ...command, ...one }))
  }
  if (command.type === 'start-task' && isReading(settings, intent.id)) {
    const pair = hints.isAll === true && BOTH.test(part.text) ? lastTwo(state) : []
    const isGiven = pair.length === 2 || command.params[ORDER] !== undefined
    const several = isGiven ? pair : ordersMeant(part, intent, resolved)
    const each = several.map((id) => [id, askedOf(textOf(part, id), intent)] as const)
    if (each.length > 0) return each.flatMap(([id, own]) => eachOf(command, [id], own))
  }
  const all = listed(settings, part, intent, resolved)
  if (all !== null) return [all]
  if (command.type === 'start-task' && hints.isEach === true && hints.candidates !== undefined) {
    return hints.candidates.map((id) => {
      const own = resolutionIn(part, intent, { ...command.params, [ORDER]: id }, mayInfer)
      const ownAsks = askedOf(textOf(part, id), intent)
      return { ...command, params: own.params, ...(ownAsks.length > 0 && { asks: ownAsks }) }
    })
  }
  return [
    {
      ...command,
      params,
      ...(Object.keys(hints).length > 0 && { hints }),
      ...(asks.length > 0 && { asks }),
    },
  ]
}

/** "Might I get about ten dollars back?": the sum that is in doubt is asked for, and no other one is offered. */
function withSumAsked(given: WithParams, text: string): WithParams {
  if (given.type !== 'start-task' || given.wonders !== 'possible' || given.params[AMOUNT] !== null)
    return given
  if (OF_WHOLE.test(text)) return given
  const { wonders: _, ...task } = given
  return task
}

/** "So it would be the whole 489?" */
const OF_WHOLE = /\b(?:whole|full|entire|complete|all)\b/iu

type WithParams = Extract<Command, { readonly params: JsonObject }>

/** One line for each of several orders. */
const eachOf = (
  command: StartTask,
  ids: readonly string[],
  asks: readonly Facet[],
): readonly TaskCommand[] =>
  ids.map((id) => ({
    ...command,
    params: ofOrder(command.params, id),
    asks: [...new Set<Facet>([...asks, 'each'])],
  }))

/** Whether an order is known, and has come or is over: then the rules say what is possible. */
function hasArrived({ orders }: SupportState, params: JsonObject): boolean {
  const order = ownOrdersIn(orders).find(({ id }) => id === params[ORDER])
  return order !== undefined && !UNDER_WAY.has(order.status)
}

/** Whether the order that was found is one that the message names, or that was spoken of. */
function isOfOrder(state: SupportState, params: JsonObject): boolean {
  const { about, last, open } = state.dialogue
  const spoken = [about, open?.params, last?.params].some((one) => one?.[ORDER] === params[ORDER])
  const id = params[ORDER]
  if (typeof id !== 'string') return false
  return spoken || namedOrder(state) === id || state.text.includes(id)
}

/** Why something waits. */
const isWhy = ({ text, dialogue }: SupportState): boolean =>
  dialogue.blocked.length > 0 && /\b(?:why|how come|what for|reason)\b/iu.test(text)

/** "Any news on that approval?", while one waits: how it stands comes before the rules. */
const isOfApproval = (
  { knowledge }: SupportSettings,
  { dialogue }: SupportState,
  question: string,
): boolean =>
  dialogue.blocked.length > 0 &&
  question !== '' &&
  knowledge(question)?.source === SECTIONS.approval

/** When something that waits is decided. */
const HOW_LONG = /\b(?:when|how (?:long|soon|fast|quick\p{L}*|many)|till|until|today|tomorrow)\b/iu

/** "Both to Hill Road?": the two orders that the last answers were about; none if they were about more. */
function lastTwo({ history, orders }: SupportState): readonly string[] {
  const told = severalTold(history, ownOrdersIn(orders))
  return told.length === 2 ? told : []
}

/** The order that a message means: of several in a story, the one that the request itself names. */
function resolvedIn(
  state: SupportState,
  intent: Intent,
  params: JsonObject,
  mayInfer: boolean,
): Resolved {
  const resolved = resolutionIn(state, intent, params, mayInfer)
  if (resolved.hints.candidates === undefined || resolved.hints.isAll === true) return resolved
  const asking = requestSentences(state.text)
  if (asking === state.text) return resolved
  const own = resolutionIn({ ...state, text: asking }, intent, params, false)
  return typeof own.params[ORDER] === 'string' ? own : resolved
}

/** What a question asks besides the state, as far as an answer of the intent can say it. */
const askedOf = (text: string, { wording, confirm, requiredParams }: Intent): readonly Facet[] =>
  facetsOf(text).filter((facet) => {
    if (facet === 'whether') return confirm
    if (confirm) return false
    return facet === 'why' || facet === 'sure'
      ? requiredParams.includes(ORDER)
      : wording.postByAsked?.[facet] !== undefined
  })

/** The same, of an order that may be cancelled: then what was paid is told with when it is given back. */
function askedWith(
  { text, orders }: SupportState,
  intent: Intent,
  params: JsonObject,
): readonly Facet[] {
  const isGivenBack =
    intent.id === ORDER_PAYMENT &&
    ownOrdersIn(orders).some(({ id, status }) => id === params[ORDER] && status === 'cancelled')
  return isGivenBack ? [...askedOf(text, intent), 'refund'] : askedOf(text, intent)
}

/** The intent that a command is about; `null` for none. */
export function intentOfCommand(command: Command, open: OpenIntent | null): string | null {
  if ('intentId' in command) return command.intentId
  if (command.type === 'ask-person') return HAND_OVER
  return command.type === 'set-slots' ? (open?.intentId ?? null) : null
}
