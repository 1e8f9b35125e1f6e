import { addressOf, patchedAddress } from '../../customer/merged-address.ts'
import { type OwnOrder, ownOrdersIn } from '../../customer/own-order.ts'
import { askedItems } from '../../customer/asked-items.ts'
import { itemsNamed } from '../../customer/items-named.ts'
import { isOnlyItems, namedOrder, namedParams } from '../../customer/resolution.ts'
import { withRecipient } from '../../customer/recipient.ts'
import { correctsOnly, pricedItems, rescoped } from '../../customer/rescoped.ts'
import { AMOUNT, ITEM, ITEMS, ORDER } from '../../customer/resolve-order.ts'
import type { Intent } from '../../intent.ts'
import { type Command, readAs, type Reading } from '../../understand/command.ts'
import { asks } from '../../understand/read-questions.ts'
import { correctedParams } from '../../understand/read-wishes.ts'
import { subjectOf, subjectsIn } from '../../understand/replies/plain-reply.ts'
import { CONFIRMATION, type QueuedIntent } from '../dialogue.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { intentsOf } from './offered.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'

/** What a message changes of a request, besides what it names in so many words: an amount, a part of an address. */
export function amendedParams(
  state: SupportState,
  intent: Intent,
  before: QueuedIntent['params'],
): QueuedIntent['params'] {
  const address = addressOf(intent, before)
  const orders = ownOrdersIn(state.orders)
  // The words as they were written: five digits are an identifier only if an order has them.
  const { text } = state.input.interaction
  const isOrder = orders.some(({ id }) => text.includes(id.replace(/^\D+/u, '')))
  const patched =
    address === null
      ? null
      : (namedAddress(state, address.value) ??
        (isOrder ? null : patchedAddress(address.value, text)))
  if (address !== null && patched !== null) return { [address.param]: patched }
  const order = orders.find(({ id }) => id === before[ORDER])
  if (order === undefined) return {}
  return (
    otherItems(state, intent, before, order) ??
    rescoped(state.text, intent, before, { order, orders }) ??
    {}
  )
}

/** The address with the name that is wanted on the parcel. */
const namedAddress = (
  { input, history, customer }: SupportState,
  address: string,
): string | null => {
  const { text } = input.interaction
  const named = withRecipient(
    address,
    text,
    history.findLast(({ role }) => role === 'user')?.text ?? '',
  )
  const own = customer?.['name']
  return named === null && typeof own === 'string' && OWN_NAME.test(text)
    ? withRecipient(address, `name on it: ${own}`, '')
    : named
}

/** "And put my name on it". */
const OWN_NAME =
  /^(?!\W*(?:(?:and|so|but|ok|yes)\W+)*(?:is|does|will|was|do|did|has|why|how|what|where)\b).*\b(?:with|put|write|has|have|add|print|under|in|and|want|need)\b(?:\W+\p{L}+){0,3}? my (?:own |full |first |last )?name\b(?! (?:was|is) (?:not|wrong|spelled|misspell))/iu

/** "Just one of them", "half the price", "the zip is 85705": a message that changes a part of what is open. */
export function amended(
  { registry }: SupportSettings,
  state: SupportState,
  given: Reading,
): Reading | null {
  const { open, last } = state.dialogue
  const target = open ?? last
  const intent = target === null ? undefined : registry.find(target.intentId)
  if (target === null || intent === undefined || !intent.confirm) return null
  if (open !== null && open.param !== CONFIRMATION) return null
  const changed = amendedParams(state, intent, target.params)
  // "No, apartment 4" does not refuse the change of the address; "no, both are fine" is one to the refund.
  const isPlace = addressOf(intent, changed) !== null
  const address = addressOf(intent, target.params)
  // "Can you put Rosa Haddad on the parcel?" wants it.
  const isName = address !== null && namedAddress(state, address.value) !== null
  const isLess = correctsOnly(state.text)
  const isStated = !state.text.includes('?') && !asks(state.text)
  const isOther =
    (changed[ITEM] !== undefined && CORRECTS.test(state.text)) || restates(state, target.params)
  const isCount = isStated && (ITEM in changed || AMOUNT in changed) && !ACTS.test(state.text)
  const isOpen = given.commands.every(
    (command) =>
      mayAmend(command, intent.id) ||
      ((isPlace || isLess || isOther) && refuses(command)) ||
      ((isStated || isName) && isPlace && command.type === 'ask-knowledge') ||
      (isCount && (command.type === 'ask-knowledge' || command.type === 'start-task')),
  )
  if (!isOpen) return null
  // What has been done is changed again only in its address: money is another request.
  const isChanged = Object.keys(changed).length > 0 || restates(state, target.params)
  if (!isChanged || (open === null && !isPlace)) return null
  const params = { [ORDER]: target.params[ORDER] ?? null }
  return readAs([{ type: 'correct-slots', intentId: intent.id, params }], 'it changes a part')
}

/** What asks for something else than another number of pieces. */
const ACTS =
  /\b(?:refund|money|cancel|return|send|exchange|swap|replace|address|where|when|invoice|track)\p{L}*/iu

/** What a text says that is meant in place of what it refuses: "no, not the book, the mug" names the mug. */
export const meantIn = (text: string): string =>
  withoutRefused(text).replace(
    /^\W*(?:(?:no|nope|nah|wait|sorry|oh|oops|hm+|actually|i meant?|i said|it'?s|just|only)\b[\s,.!]*)+/iu,
    ' ',
  )

const CORRECTS =
  /^\W*(?:(?:oh|ok|okay|hm+|sorry|wait|and|but)\W+)*(?:no|nope|nah|not|just|only|actually|i meant?|i said|it'?s|rather|also)\b|\bnot (?:the|my)\b|\b(?:too|as well|also)\W*(?:please\W*)?$/iu
const ADDS = /\b(?:too|as well|also)\b/iu

/** "No, not the book, the mug", "the book too": other things of the same order than what is open; `null` for none. */
function otherItems(
  { text }: SupportState,
  intent: Intent,
  before: QueuedIntent['params'],
  order: OwnOrder,
): QueuedIntent['params'] | null {
  const meant = meantIn(text)
  const isNew = CORRECTS.test(text) || WHOLE.test(meant)
  if (!isNew || text.includes('?') || text.split(/\s+/u).length > MOST_WORDS) return null
  const isElse = subjectsIn(meant).some((one) => one !== subjectOf(intent.id))
  const asked = askedItems(order, before)
  if (isElse || asked === null || addressOf(intent, before) !== null) return null
  const named = WHOLE.test(meant) ? order.items : itemsNamed(meant, order).items
  const isMore = ADDS.test(text)
  const items = isMore
    ? order.items.filter((one) => asked.includes(one) || named.includes(one))
    : named
  const isSame = items.length === asked.length && items.every((one) => asked.includes(one))
  return named.length === 0 || isSame ? null : pricedItems(intent, order, items)
}

const WHOLE =
  /\b(?:whole|entire|complete) (?:order|thing|lot|parcel|package)\b|^\W*(?:everything|all of it|the lot)\b/iu

/** "No, not the book, the mug", where the mug is open: it names what is open, and refuses another thing. */
function restates({ text, orders }: SupportState, before: QueuedIntent['params']): boolean {
  const order = ownOrdersIn(orders).find(({ id }) => id === before[ORDER])
  if (order === undefined || withoutRefused(text) === text || text.includes('?')) return false
  const asked = askedItems(order, before)
  const { items: named } = itemsNamed(meantIn(text), order)
  return named.length > 0 && named.every(({ name }) => asked?.some((one) => one.name === name))
}

/**
 * "No, only the black one", where just that was said to be impossible alone: it is no yes to the whole order, which is
 * left, and the rules say why.
 */
export function insistsOnPart(
  { registry }: SupportSettings,
  state: SupportState,
  { commands }: Reading,
): Reading | null {
  const { open } = state.dialogue
  const item = open?.params[ITEM]
  const intent = registry.find(open?.intentId ?? '')
  if (open?.param !== CONFIRMATION || intent === undefined || typeof item !== 'string') return null
  const takesItem = [ITEM, ITEMS, AMOUNT].some((name) => intent.optionalParams.includes(name))
  const { text } = state
  if (takesItem || text.includes('?') || text.split(/\s+/u).length > MOST_WORDS) return null
  if (!commands.every((one) => refuses(one) || mayAmend(one, intent.id)) || AGREES.test(text)) {
    return null
  }
  const order = ownOrdersIn(state.orders).find(({ id }) => id === open.params[ORDER])
  const named = order === undefined ? [] : itemsNamed(meantIn(text), order).items
  const isSame = named.length > 0 && named.every(({ name }) => item.includes(name))
  const why: Command = { type: 'ask-knowledge', question: SECTIONS.changingOrder, offer: [] }
  return isSame && ONLY_PART.test(text)
    ? readAs([{ type: 'deny' }, why], 'it wants a part alone')
    : null
}

const AGREES = /\b(?:yes|yeah|yep|sure|ok|okay|fine|go ahead|do it)\b/iu
const ONLY_PART = /\b(?:only|just|not|keep|no|nope|said)\b/iu

/** Longer texts tell more than which things are meant. */
const MOST_WORDS = 14

/** "Not the bedding, the desk": the same for another order, where the open one is refused by what it holds. */
export function forAnother(state: SupportState, given: Reading): Reading | null {
  const { open } = state.dialogue
  if (open?.param !== CONFIRMATION || state.text.includes('?')) return null
  const isAbout = given.commands.every((one) => refuses(one) || mayAmend(one, open.intentId))
  const rest = meantIn(state.text)
  if (!isAbout || rest === state.text) return null
  // "No, the pan" means another; "no, the pan is fine" does not.
  if (withoutRefused(state.text) === state.text && !isOnlyItems({ ...state, text: rest }))
    return null
  const named = namedOrder({ ...state, text: rest })
  return named === null || (named === open.params[ORDER] && !namesPart(state, rest))
    ? null
    : readAs([{ type: 'correct-slots', intentId: open.intentId, params: {} }], 'it means another')
}

/** Whether a text names items of the open order, of which there are others. */
const namesPart = (state: SupportState, text: string): boolean =>
  namedParams({ ...state, text })?.[ITEM] !== undefined

/** A text without the things that it refuses: "not the bedding, the desk and chair". */
export const withoutRefused = (text: string): string =>
  text.replaceAll(/\bnot (?:the|my|that|those|these) [^,.;!?]+?(?:[,.;!?]|\bbut\b|$)/giu, ' ')

const refuses = ({ type }: Command): boolean => type === 'deny' || type === 'cancel-task'

/** Whether a reading leaves open that a part of the request is changed. */
function mayAmend(command: Command, intentId: string): boolean {
  switch (command.type) {
    case 'remark':
    case 'unclear':
    case 'confirm':
    case 'set-slots':
    case 'wait':
      return true
    case 'correct-slots':
    case 'start-task':
      return command.intentId === intentId
    case 'small-talk':
      return command.kind === 'apology'
    case 'ask-knowledge':
      // "Just one of them" would change the items of an order, where nothing is open.
      return (command.offer ?? []).length > 0
    case 'ask-done':
    case 'ask-options':
    case 'ask-person':
    case 'ask-waiting':
    case 'cancel-task':
    case 'conditional':
    case 'deny':
    case 'follow-up':
    case 'go-back':
    case 'other-language':
    case 'repeat':
    case 'undo':
      return false
  }
}

const SENDS =
  /(?:^|[.!?]\s+)\W*(?:(?:hi|hello|hey|there|ok|okay|so|and|actually|please|pls)[\s,.!]+)*(?:(?:(?:can|could|would|will) you|i(?:'d| would) like you to|i (?:want|need) you to)\s+)?(?:(?:please|pls|instead)\s+)?(?:ship|send|deliver|redirect|reroute|forward)\s+(?<thing>[^.!?]{2,60}?)\s+to\s+(?=[^.!?]*\d)/iu

/** What is sent besides orders. */
const NO_ORDER =
  /\b(?:back|invoices?|receipts?|bills?|labels?|confirmations?|refunds?|money|gifts? cards?|replacements?|another|new|me|him|her|us|someone|cop(?:y|ies)|catalogs?|brochures?|samples?)\b/iu

/** "Can you ship my pan to 90 E Speedway Blvd": to send an own thing to an address is to change its address. */
export function sentTo(
  settings: SupportSettings,
  state: SupportState,
  given: Reading,
): Reading | null {
  const { text, dialogue } = state
  const [command, ...more] = given.commands
  if (dialogue.open !== null || more.length > 0 || !SENT_AS.has(command?.type ?? 'wait'))
    return null
  const thing = SENDS.exec(text)?.groups?.['thing']
  if (
    thing === undefined ||
    NO_ORDER.test(thing) ||
    /\b(?:if|unless|when|not)\b|n't\b/iu.test(text)
  ) {
    return null
  }
  const isOwn = namedOrder({ ...state, text: thing }) !== null
  const isNamed = /\b(?:it|them|this|that|order|package|parcel)\b|\bO-\d/iu.test(thing)
  if (!isOwn && !isNamed) return null
  const found = intentsOf(settings, state).flatMap((intent) => {
    const address = intent.confirm ? addressOf(intent, correctedParams(text, intent)) : null
    return address === null ? [] : [{ id: intent.id, params: { [address.param]: address.value } }]
  })
  const [only, ...others] = found
  if (only === undefined || others.length > 0) return null
  const said = command !== undefined && 'params' in command ? command.params : {}
  const params = { ...said, ...only.params }
  const task = { type: 'start-task', intentId: only.id, params, confidence: 1 } as const
  return readAs([task], 'it says where to send a thing')
}

/** Readings that a request to send something to an address may be taken for. */
const SENT_AS: ReadonlySet<Command['type']> = new Set(['unclear', 'remark', 'start-task'])
