import { POSTAL } from '../../customer/address-text.ts'
import { addressOf } from '../../customer/merged-address.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { namedOrder } from '../../customer/resolution.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import type { Intent } from '../../intent.ts'
import { type Command, readAs, type Reading, type StartTask } from '../../understand/command.ts'
import { facetsOf } from '../../understand/facets.ts'
import { asksAnywhere, asksMoneyPlace, placeOfMoney } from '../../understand/read-questions.ts'
import { correctedParams } from '../../understand/read-wishes.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { CONFIRMATION } from '../dialogue.ts'
import { orderSpokenOf } from '../money/given-back.ts'
import { intentsOf } from './offered.ts'
import { isReading } from './reads-only.ts'
import { telling } from './telling.ts'

/** Whether an intent tells where an order goes. */
const tellsAddress = ({ confirm, wording }: Intent): boolean =>
  !confirm && wording.post.includes('{address}')

const isTask = (command: Command): command is StartTask => command.type === 'start-task'

/** Whether a reading asks where an order goes. */
const asksForAddress = ({ registry }: SupportSettings, { commands }: Reading): boolean =>
  commands.some((one) => {
    const intent = isTask(one) ? registry.find(one.intentId) : undefined
    return intent !== undefined && tellsAddress(intent)
  })

/** Words of a parcel, and of its place. */
const OF_PARCEL =
  /\b(?:address\p{L}*|parcel|package|box|order|deliver\p{L}*|ship\p{L}*|street|house|home|office|apartment|label|sent to|my (?:place|door))\b/iu
const OF_MONEY = /\b(?:refunded|given back|money)\b/iu

/** "And where does it go?", after the answer that an order was refunded: the money is meant. */
export function moneyMeant(
  settings: SupportSettings,
  state: SupportState,
  given: Reading,
): Reading | null {
  const { text, dialogue, history } = state
  if (dialogue.open !== null || !asksForAddress(settings, given) || OF_PARCEL.test(text))
    return null
  const before = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const isOfBefore = OF_MONEY.test(before) && namedOrder(state) === null
  if (!isOfBefore && !asksMoneyPlace(text)) return null
  return placeOfMoney
}

/** "Is something wrong with my address?", of an order that is late: where it goes, and why it is late. */
export function addressDoubted(
  settings: SupportSettings,
  state: SupportState,
  given: Reading,
): Reading | null {
  const { text, dialogue, orders } = state
  if (dialogue.open !== null || !asksAnywhere(text) || POSTAL.test(text)) return null
  if (!/\baddress\b/iu.test(text) || !facetsOf(text).includes('todo')) return null
  const isElse = given.commands.some(
    (one) =>
      (isTask(one) && !tells(settings, one) && !moves(settings, one)) || !MAY_DOUBT.has(one.type),
  )
  const order = orderSpokenOf(state)
  const status = ownOrdersIn(orders).find(({ id }) => id === order)?.status
  if (isElse || order === null || status !== 'delayed') return null
  const told = [intentsOf(settings, state).find(tellsAddress), telling(settings, state)]
  const commands = told.flatMap((intent): readonly StartTask[] =>
    intent === undefined
      ? []
      : [{ type: 'start-task', intentId: intent.id, params: { [ORDER]: order }, confidence: 1 }],
  )
  return commands.length === 0 ? null : readAs(commands, 'it asks what is wrong with the address')
}

const MAY_DOUBT: ReadonlySet<Command['type']> = new Set([
  'start-task',
  'ask-knowledge',
  'unclear',
  'follow-up',
])

const tells = (settings: SupportSettings, { intentId }: StartTask): boolean =>
  isReading(settings, intentId)

/** Whether a request would send an order elsewhere. */
function moves({ registry }: SupportSettings, { intentId, params }: StartTask): boolean {
  const intent = registry.find(intentId)
  return (
    intent !== undefined &&
    Object.values(intent.params).some(({ wholeAnswer }) => wholeAnswer) &&
    addressOf(intent, params) === null
  )
}

const MOVED =
  /\b(?:moved|have moved|moving)\b|\b(?:old|former|previous|last|wrong|ex'?s?|different) (?:place|address|house|apartment|home|flat|one)\b|\bused to live\b|\b(?:new|right|correct) (?:address|place|home|one)\b|\b(?:live|living) (?:at|on|in)\b|\bshould (?:be|go)\b/iu
const GOES =
  /\b(?:go(?:es|ing)|headed|sent|shipp?(?:s|ed|ing)|deliver\p{L}*|address|place|house|apartment|home|flat|ordered|order)\b/iu
/** What has come already, or has not. */
const OF_ARRIVAL =
  /\b(?:received|arrived|came|come|got|delivered|refund\p{L}*|money|cancel\p{L}*|return\p{L}*|back)\b/iu

/** "I see it goes to my old place, we moved to 5 Elm Court, Salem, OR 97301": the new one is where to send it. */
export function movedTo(
  settings: SupportSettings,
  state: SupportState,
  given: Reading,
): Reading | null {
  const { text, dialogue } = state
  if (dialogue.open !== null || !POSTAL.test(text) || asksAnywhere(text)) return null
  const isTold = given.commands.every(
    (one) => MAY_TELL.has(one.type) && (!isTask(one) || isReading(settings, one.intentId)),
  )
  if (!isTold || !MOVED.test(text) || !GOES.test(text) || OF_ARRIVAL.test(text)) return null
  const found = intentsOf(settings, state).flatMap((intent) => {
    const address = intent.confirm ? addressOf(intent, correctedParams(text, intent)) : null
    return address === null ? [] : [{ id: intent.id, params: { [address.param]: address.value } }]
  })
  const [only, ...others] = found
  if (only === undefined || others.length > 0) return null
  const [first] = given.commands.filter(isTask)
  const id = first?.params[ORDER]
  const params = { ...(id !== undefined && { [ORDER]: id }), ...only.params }
  const task = { type: 'start-task', intentId: only.id, params, confidence: 1 } as const
  return readAs([task], 'it says where it should go')
}

const MAY_TELL: ReadonlySet<Command['type']> = new Set([
  'start-task',
  'unclear',
  'remark',
  'ask-knowledge',
  'deny',
])

/** Questions whether something can still go elsewhere. */
const ASKS_TO_MOVE =
  /\b(?:can|could|may|is it|am i|would it|still)\b[^.!?]{0,60}\b(?:redirect\p{L}*|rerout\p{L}*|(?:another|a different|other|new) (?:place|address)|somewhere else|elsewhere|change (?:the (?:delivery )?address|where))\b/iu

/** "Can it be sent there too?", "could that go to the same place?", where another order was sent elsewhere. */
const ASKS_FOR_THERE =
  /\b(?:can|could|may|is it possible|possible|any (?:way|chance)|able)\b[^.!?]{0,80}\b(?:there|(?:to|at) (?:the|that) (?:same|new|other)? ?(?:place|address|house|one|location|home)|same (?:place|address))\b/iu

/** Whether the place of another order was changed, or was asked to be changed. */
function movedBefore({ registry }: SupportSettings, { dialogue }: SupportState): boolean {
  const { open, last, done } = dialogue
  return [open?.intentId, last?.intentId, done?.intentId].some((id) =>
    Object.values(registry.find(id ?? '')?.params ?? {}).some(({ wholeAnswer }) => wholeAnswer),
  )
}

/** "Could my backpack still be redirected?": the rules say it for the order that is named, not in general. */
export function moveAsked(
  settings: SupportSettings,
  state: SupportState,
  { commands }: Reading,
): Reading | null {
  const { text, dialogue, orders } = state
  const [command, ...more] = commands
  const isThere = movedBefore(settings, state) && ASKS_FOR_THERE.test(text)
  const isOfIt =
    command?.type === 'ask-knowledge' ||
    (command?.type === 'start-task' &&
      (moves(settings, command) || (isThere && isReading(settings, command.intentId))))
  // "Can the shoes go there too?", while another order's change is to be confirmed: that stays.
  const isBeside = dialogue.open?.param === CONFIRMATION && isThere
  if ((dialogue.open !== null && !isBeside) || !isOfIt || more.length > 0) return null
  const named = namedOrder(state)
  const status = ownOrdersIn(orders).find(({ id }) => id === named)?.status
  if (named === null || status === 'processing' || !(isThere || ASKS_TO_MOVE.test(text)))
    return null
  const intent = intentsOf(settings, state).find(
    ({ confirm, params }) => confirm && Object.values(params).some((one) => one.wholeAnswer),
  )
  if (intent === undefined) return null
  const task = { type: 'start-task', intentId: intent.id, params: { [ORDER]: named } } as const
  const asked: StartTask = { ...task, confidence: 1, wonders: 'possible' }
  return readAs([asked], 'it asks whether it can still go elsewhere')
}
