import { isOnlyItems, itemsOfOrder, namedOrder, namesOrders } from '../../customer/resolution.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ITEM, ORDER } from '../../customer/resolve-order.ts'
import {
  type Command,
  isUnclear,
  NOT_UNDERSTOOD,
  readAs,
  type Reading,
} from '../../understand/command.ts'
import { facetsOf } from '../../understand/facets.ts'
import { clausesOf } from '../../understand/clauses.ts'
import type { Intent } from '../../intent.ts'
import { asks } from '../../understand/read-questions.ts'
import { CONFIRMATION } from '../dialogue.ts'
import { wasRefused } from '../begin-task.ts'
import { amended, forAnother, sentTo } from './amended.ts'
import { agreedInPlanWords, differsFromPlan, onlySpares } from './agreed.ts'
import { placeSaid } from './settled-address.ts'
import { agreedAndWhy } from './yes-and-why.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { askedOfOpen, askedTooLate } from './asked-of-rules.ts'
import { ofUnknown, sameForNamed, whichOrder } from './elliptical.ts'
import { intentsOf, rungOf } from './offered.ts'
import { isReading } from './reads-only.ts'

/** What is made of a reading: itself, or what the customer's own orders say that is meant. */
export interface Accepted {
  readonly reading: Reading
  /** Whether it is sure enough to be carried out. */
  readonly isSure: boolean
}

/** Weighs a rung's reading against what the message names of the customer's orders. */
export function accepted(settings: SupportSettings, state: SupportState, given: Reading): Accepted {
  const isSaid = !isUnclear(given) && given.confidence >= leastOf(settings, state, given)
  // It was read with what came before in hand.
  if (given.commands.every(({ type }) => type === 'follow-up')) {
    return { reading: given, isSure: isSaid }
  }
  const intent = settings.registry.find(state.dialogue.open?.intentId ?? '')
  const agreed = agreedAndWhy(state)
  const other =
    agreedInPlanWords(state, intent) ??
    placeSaid(state, intent) ??
    (onlySpares(state, intent) ? readAs([{ type: 'remark' }], 'it says what stays') : null) ??
    narrowed(settings, state, agreed ?? given) ??
    agreed ??
    amended(settings, state, given) ??
    forAnother(state, given) ??
    sentTo(settings, state, given) ??
    sameForOther(settings, state) ??
    sameForNamed(settings, state, given) ??
    sameAgain(state) ??
    whichOrder(settings, state) ??
    ofUnknown(settings, state) ??
    askedOfOpen(settings, state, given) ??
    askedTooLate(settings, state, given) ??
    askedWhy(settings, state, given)
  const isFirm =
    isSaid &&
    !isRemark(given) &&
    !isMisfit(settings, state, given) &&
    !isReport(settings, state, given) &&
    !onlyNamesOrder(settings, state, given) &&
    !isObjection(settings, state, given)
  const weighed =
    other ??
    (isFirm
      ? given
      : (orderNamed(state) ??
        itemAlone(settings, state) ??
        asked(settings, state, given) ??
        reported(settings, state, given) ??
        objected(settings, state, given)))
  // A yes that names something else than the plan is asked back.
  const reading = differsFromPlan(state, intent, weighed) ? NOT_UNDERSTOOD : weighed
  const isSure = isUnclear(reading) ? false : isSaid || reading !== given
  return { reading, isSure }
}

const isRemark = ({ commands }: Reading): boolean => commands.every(({ type }) => type === 'remark')

/** Whether a message only names an order while a question is open: "for the pan order", "just the lamp". */
function onlyNamesOrder(settings: SupportSettings, state: SupportState, reading: Reading): boolean {
  const { open } = state.dialogue
  const isShort = state.text.trim().split(/\s+/).length <= 5
  const isAlone = open?.param === ORDER && isOnlyItems(state)
  if (state.text.includes('?') && !isAlone) return false
  if (open === null || !isShort || asks(state.text)) return false
  const isOfOpen =
    open.param === ORDER ? namesOrders(state) : namedOrder(state) === open.params[ORDER]
  return (
    isOfOpen &&
    namedOrder(state) !== null &&
    (isOnlyItems(state) ||
      reading.commands.every(
        (one) => one.type === 'start-task' && isReading(settings, one.intentId),
      ))
  )
}

/** Readings that make no sense for the order named, and are less sure than this, are not believed. */
const SURE_OF_MISFIT = 0.8

/**
 * Whether a question, or a report, is read as a request that makes no sense for the order it names: "could I get only two of the
 * mugs instead?" asks for no refund of what has not been sent.
 */
function isMisfit({ registry }: SupportSettings, state: SupportState, reading: Reading): boolean {
  const named = namedOrder(state)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === named)?.status
  if (status === undefined || state.dialogue.open !== null || orders(state.text)) return false
  const [command, ...more] = reading.commands
  if (command?.type !== 'start-task' || more.length > 0) return false
  const fitting = registry.find(command.intentId)?.whileStatus ?? []
  return command.confidence < SURE_OF_MISFIT && fitting.length > 0 && !fitting.includes(status)
}

/** Such a question is looked up in the documents; of a report, what fits the order is offered. */
function asked(settings: SupportSettings, state: SupportState, given: Reading): Reading | null {
  if (!isMisfit(settings, state, given)) return null
  const [command] = given.commands
  const readings = command !== undefined && 'intentId' in command ? [command.intentId] : []
  const told = toldOf(settings, state)
  if (told !== null) return told
  return asks(state.text)
    ? readAs([{ type: 'ask-knowledge', question: state.text }], 'it asks what is possible')
    : readAs([{ type: 'unclear', readings }], 'it makes no sense for this order', 0)
}

/** "I was never paid back for the boots", which were: the state of that order says it. */
function toldOf(settings: SupportSettings, state: SupportState): Reading | null {
  const named = namedOrder(state)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === named)?.status ?? ''
  const tells = telling(settings, state)
  if (named === null || tells === undefined || !OF_MONEY.has(status)) return null
  if (!facetsOf(state.text).includes('refund') || orders(state.text)) return null
  const task = { type: 'start-task', intentId: tells.id, params: { [ORDER]: named } } as const
  return readAs([{ ...task, confidence: 1 }], 'it asks for the money of that order')
}

/** States in which money was given back, or soon is. */
const OF_MONEY: ReadonlySet<string> = new Set(['refunded', 'cancelled', 'return_started'])

/** The intent that tells the state of an order. */
const telling = (settings: SupportSettings, state: SupportState): Intent | undefined =>
  intentsOf(settings, state).find(
    ({ id, requiredParams }) => requiredParams.includes(ORDER) && isReading(settings, id),
  )

/** Whether a text orders something, in so many words. */
const orders = (text: string): boolean =>
  !asks(text) &&
  /\b(?:want|need|like|please|pls|plz|give|get|refund|cancel|return|send|change|ship|deliver|stop|exchange|swap)\b/iu.test(
    text,
  )

/**
 * Whether a statement about something that has arrived is read as a question where it is: who has it knows that, and
 * most often tells what is wrong with it.
 */
function isReport(settings: SupportSettings, state: SupportState, { commands }: Reading): boolean {
  const [command, ...more] = commands
  if (command?.type !== 'start-task' || more.length > 0 || state.dialogue.open !== null)
    return false
  const named = namedOrder(state)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === named)?.status
  return (
    status === 'delivered' &&
    isReading(settings, command.intentId) &&
    !state.text.includes('?') &&
    !clausesOf(state.text).some(asks) &&
    !orders(state.text) &&
    !/\b(?:where\p{L}*|status|track\p{L}*|never|not (?:come|arrived|here)|n't (?:come|arrived|got|received|here)|invoice|receipt|bill|order\p{L}*|news|waiting|list|show|check|tell|refund\p{L}*|money|expect\p{L}*|restitution|rebate|compensation|reimburs\p{L}*|return\p{L}*)\b/iu.test(
      state.text,
    ) &&
    !isOnlyItems(state)
  )
}

function reported(settings: SupportSettings, state: SupportState, given: Reading): Reading | null {
  if (!isReport(settings, state, given)) return null
  const readings = intentsOf(settings, state)
    .filter(({ confirm, whileStatus = [] }) => confirm && whileStatus.includes('delivered'))
    .map(({ id }) => id)
  return readAs([{ type: 'unclear', readings }], 'it tells something about what has arrived', 0)
}

/** "Yes, the book", where the whole order is open: a yes that names other items is no yes to what was asked. */
function narrowed(settings: SupportSettings, state: SupportState, given: Reading): Reading | null {
  const { open } = state.dialogue
  const intent = open === null ? undefined : settings.registry.find(open.intentId)
  if (open?.param !== CONFIRMATION || intent === undefined) return null
  if (!given.commands.some(({ type }) => type === 'confirm')) return null
  const order = { [ORDER]: open.params[ORDER] ?? null }
  const items = itemsOfOrder(state, intent, order)
  if (items[ITEM] === undefined || items[ITEM] === open.params[ITEM]) return null
  const params = { ...order, ...items }
  return readAs([{ type: 'correct-slots', intentId: intent.id, params }], 'it names other items')
}

/** "Who decided to cancel the earbuds?" orders nothing: it asks about what has happened to the order. */
function askedWhy(settings: SupportSettings, state: SupportState, given: Reading): Reading | null {
  const [command, ...more] = given.commands
  const isActing =
    command?.type === 'start-task' && settings.registry.find(command.intentId)?.confirm === true
  const isWhy = asks(state.text) && facetsOf(state.text).includes('why')
  if (!isActing || more.length > 0 || !isWhy || state.dialogue.open !== null || wasRefused(state)) {
    return null
  }
  const told = telling(settings, state)
  return told === undefined
    ? null
    : readAs([{ ...command, intentId: told.id }], 'it asks about what has happened')
}

/** Readings of what follows a refusal that are less sure than this are taken for an objection. */
const SURE_AFTER_REFUSAL = 0.85

/** Whether a message only objects to a refusal: "oh come on, I was on holiday". */
function isObjection(settings: SupportSettings, state: SupportState, reading: Reading): boolean {
  const { dialogue, text } = state
  if (!wasRefused(state) || dialogue.open !== null) return false
  if (text.includes('?') && !facetsOf(text).includes('why')) return false
  const named = namedOrder(state)
  return (
    (named === null || named === dialogue.last?.params[ORDER]) &&
    reading.commands.every(
      (command) =>
        command.type === 'unclear' ||
        isBeyond(command, text) ||
        (command.type === 'start-task' &&
          isReading(settings, command.intentId) &&
          (command.confidence < SURE_AFTER_REFUSAL || facetsOf(text).includes('why')) &&
          command.params[ORDER] === undefined),
    )
  )
}

/** A statement that nothing here answers: "four weeks is nothing for a thing at that price". */
const isBeyond = (command: Command, text: string): boolean =>
  command.type === 'ask-knowledge' && command.isBeyond === true && !clausesOf(text).some(asks)

const objected = (settings: SupportSettings, state: SupportState, given: Reading): Reading =>
  isObjection(settings, state, given)
    ? readAs([{ type: 'follow-up', about: 'why' }], 'it objects to the refusal')
    : given

/** A reading request changes nothing, so it needs less confidence by this much. */
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
  // It has its own bar.
  if (commands.every(({ type }) => type === 'follow-up')) return settings.accept.embedded
  // A ticket is made at once, without asking back.
  const isHandOver = commands.some(({ type }) => type === 'ask-person')
  if (isHandOver) return settings.accept.embedded + TICKET_MALUS
  if (!isHarmless) {
    return settings.accept.embedded - (namesOwn(settings, state, commands) ? OWN_BONUS : 0)
  }
  if (isInterrupting(state)) return settings.accept.embedded
  const isPlain = isStatement(state) && namedOrder(state) === null && !/\d{4}/.test(state.text)
  return settings.accept.embedded + (isPlain ? STATEMENT_MALUS : -READING_BONUS)
}

/** Statements that name nothing are most often no questions about an order. */
const STATEMENT_MALUS = 0.1

/** Whether a message neither asks nor tells to do anything. */
const isStatement = ({ text }: SupportState): boolean =>
  !text.includes('?') && !clausesOf(text).some(asks) && !orders(text) && !OF_ITS_STATE.test(text)

/** Words of those who want to know where an order is. */
const OF_ITS_STATE =
  /\b(?:where\p{L}*|when\p{L}*|wh?ers?|status|stat|track\p{L}*|eta|arriv\p{L}*|deliver\p{L}*|com(?:e|es|ing)|came|receiv\p{L}*|got|here|news|updates?|late|delay\p{L}*|wait\p{L}*|order\p{L}*|shipped|ship|missing|lost|check\p{L}*|look\p{L}*|show|tell|know|find|see|list|invoice|receipt|bill|number|address|price|total|cost|paid|pay|items?|long|ages|forever|yet|still|parcel|package|refund\p{L}*|money|return\p{L}*|what|which|who|how)\b/iu

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
  const isNamedAfterNo = open === null && wasRefused(state) && isOnlyItems(state)
  const isSame = open === null && DOES_SAME.test(state.text)
  if (!(isShort && (SAME_FOR.test(state.text) || isNamedAfterNo)) && !isSame) return null
  const named = namedOrder(state)
  if (open !== null) {
    if (open.param !== CONFIRMATION || named === null || open.params[ORDER] === undefined)
      return null
    const command = { type: 'correct-slots', intentId: open.intentId, params: {} } as const
    return readAs([command], 'the same for another thing')
  }
  if (last === null) return null
  if (named === null || registry.find(last.intentId)?.params[ORDER] === undefined) return null
  const intent = registry.find(last.intentId)
  // The same address, too.
  const kept = Object.entries(last.params).filter(
    ([name]) => isSame && intent?.params[name]?.wholeAnswer === true,
  )
  const params = { ...Object.fromEntries(kept), [ORDER]: named }
  return readAs(
    [{ type: 'start-task', intentId: last.intentId, params, confidence: 1 }],
    'the same for another order',
  )
}

/** "Running shoes??": a message that only names an order asks where the order is. */
function itemAlone(settings: SupportSettings, state: SupportState): Reading | null {
  const { dialogue, text } = state
  const named = dialogue.open === null && isOnlyItems(state) ? namedOrder(state) : null
  const first = telling(settings, state)
  if (named === null || first === undefined || text.length > 60) return null
  // It tells what the choice that was offered is about, and chooses nothing.
  const offered = dialogue.choices.map(({ intentId }) => intentId)
  if (offered.length > 1) {
    return readAs([{ type: 'unclear', readings: offered }], 'it names what it is about')
  }
  const params = { [ORDER]: named }
  return readAs(
    [{ type: 'start-task', intentId: first.id, params, confidence: 1 }],
    'it names nothing but a thing of an order',
  )
}

/** "Could you do that for the mug as well?" */
const DOES_SAME =
  /^\W*(?:(?:ok(?:ay)?|and|so|then|great|good|perfect|thanks|thank you|please)[\s,.!]+)*(?:(?:can|could|would|will) (?:you|u|we|i) (?:please |also |maybe )*(?:do|have|get|make) |(?:i(?:'d| would) like|i (?:want|need)|please do|do) )(?:(?:exactly )?the (?:very )?same(?: thing)?|(?:that|it)(?= (?:too |also |as well )?(?:for|with) (?:my|the)\b))(?: too| also| as well| again)? (?:for|with) (?:my|the|order|o-)(?!.*\b(?:but|not|instead|except|only)\b)/iu

const SAME_FOR =
  /^\W*(?:(?:ok(?:ay)?|k|so|then|well|right|alright|all right|fine|great|good|cool|thanks|thx|hm+|ah|oh|i see)[\s,.!]+)*(?:and?|what about|how about|same (?:for|with)|also)\b(?!.*\b(?:where|when|how(?! about\b)|cancel|refund|return|send|track|pay|paid|money|address|is|are|was|were|has|have|will|does|did|com(?:e|es|ing)|arriv\p{L}*|tomorrow|still|right|status|state|news|updates?|what(?! about\b)|whats|which|who|why|eta|invoice|receipt|bill|costs?|price|delivered|shipped|late)\b)/iu
