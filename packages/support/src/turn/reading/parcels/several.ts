import type { JsonObject } from 'echelon/runtime'
import { namedOrder } from '../../../customer/resolution.ts'
import { isToCome, type OwnOrder, ownOrdersIn } from '../../../customer/own-order.ts'
import { ORDER, type Resolved } from '../../../customer/resolve-order.ts'
import type { Intent } from '../../../intent.ts'
import { clausesOf, requestSentences } from '../../../understand/clauses.ts'
import { BY_RULE, readAs, type Reading, type StartTask } from '../../../understand/command.ts'
import type { SupportSettings } from '../../support-settings.ts'
import { isReading } from '../reads-only.ts'
import type { SupportState } from '../../support-state.ts'
import { ORDER_ADDRESS } from '../../../dialogue/known-intents.ts'

/** More orders at once are a list. */
const MOST = 5

/**
 * The orders of a question about several: "where do my parcels go?", "which one goes to Elm Street, and which to
 * Mill Road?", "when does each of them come?" Each is answered in a line of its own. Empty for a question about one.
 */
export function ordersMeant(
  state: SupportState,
  intent: Intent,
  { params, hints }: Resolved,
): readonly string[] {
  if (!intent.requiredParams.includes(ORDER) || namedOrder(state) !== null) return []
  const own = realOrders(state)
  const inPlace = intent.id === ORDER_ADDRESS ? inPlaces(requestSentences(state.text), own) : []
  const placed = IS_HEADED.test(state.text) ? withoutArrived(inPlace) : inPlace
  const isKnown = typeof params[ORDER] === 'string'
  if (!isSaidOfSeveral(state, isKnown) && !(placed.length > 0 && !isKnown)) return []
  const { candidates = [] } = hints
  const named = hints.isAll === true ? [] : own.filter(({ id }) => candidates.includes(id))
  const isTold = placed.length > 0 && new Set(own.map(({ record }) => record['address'])).size > 1
  const meant = isTold ? placed : named.length > 0 ? named : standing(state, intent.id)
  const isOther = BOTH.test(state.text) && meant.length !== 2
  return meant.length > MOST || isOther ? [] : meant.map(({ id }) => id)
}

/** Where something is still expected at an address, nothing else is going there. */
const withoutArrived = (placed: readonly OwnOrder[]): readonly OwnOrder[] =>
  placed.filter(
    (one) =>
      isToCome(one) ||
      !placed.some((other) => isToCome(other) && other.record['address'] === one.record['address']),
  )

const IS_HEADED =
  /\b(?:headed|heading|bound|going|(?:is|being|gets?) (?:sent|shipped|directed|delivered|routed)|on (?:its|the) way|goes|travels?|ships?)\b/iu

export const BOTH: RegExp = /\b(?:both|the two)\b/iu

/** "And the rest?", after the state of an order: the same for those that are expected and were not told. */
export function sameForOthers(
  settings: SupportSettings,
  { text, history, dialogue, orders }: SupportState,
): Reading | null {
  const { open, last } = dialogue
  const isAsked = open === null && last?.params[ORDER] !== undefined && THE_OTHERS.test(text)
  if (!isAsked || !isReading(settings, last.intentId)) return null
  const before = history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const left = realOrders({ orders }).filter(({ id }) => !before.includes(id))
  const expected = left.filter(isToCome)
  const meant = expected.length > 0 ? expected : left
  if (meant.length === 0 || meant.length > MOST) return null
  const commands = meant.map(({ id }): StartTask => ({
    type: 'start-task',
    intentId: last.intentId,
    params: { [ORDER]: id },
    confidence: BY_RULE,
  }))
  return readAs(commands, 'the same for the other orders')
}

const THE_OTHERS =
  /^\W*(?:(?:ok(?:ay)?|so|then|well|great|good|thanks|thx|oh|i see)[\s,.!]+)*(?:and |what about |how about |and what about )?(?:all )?(?:the rest|the others?|(?:my|the) other (?:ones|two|three|orders?|parcels?|packages?)|the other one)(?: (?:of (?:them|it|my (?:orders|stuff|things))|then|please))*\W*$/iu

/** After "what's your order ID?": who has none, or means all of them, is told of each that was offered. */
export function askedOfAll({ text, dialogue, orders }: SupportState): readonly string[] {
  const { open } = dialogue
  if (open?.param !== ORDER || !(OF_SEVERAL.test(text) || NO_ID.test(text))) return []
  const own = realOrders({ orders })
  const offered = own.filter(({ id }) => open.hints?.candidates?.includes(id) === true)
  const meant = offered.length > 0 ? offered : standing({ text, orders }, open.intentId)
  return meant.length > MOST ? [] : meant.map(({ id }) => id)
}

export const ofOrder = (params: JsonObject, id: string): JsonObject => ({ ...params, [ORDER]: id })

function isSaidOfSeveral({ text, orders }: SupportState, isKnown: boolean): boolean {
  if (ownOrdersIn(orders).length < 2) return false
  return OF_SEVERAL.test(text) || (!isKnown && OF_THINGS.test(text))
}

/** Orders that are still expected, unless all are asked for; all of them where none is expected. */
function standing(
  { text, orders }: Pick<SupportState, 'text' | 'orders'>,
  intentId: string,
): readonly OwnOrder[] {
  const own = realOrders({ orders })
  const expected = own.filter(isToCome)
  const isOfAll = PAST.test(text) || (intentId === ORDER_ADDRESS && EVER.test(text))
  return expected.length === 0 || isOfAll ? own : expected
}

/** Without checkouts that were given up. */
const realOrders = ({ orders }: Pick<SupportState, 'orders'>): readonly OwnOrder[] =>
  ownOrdersIn(orders).filter(({ items }) => items.length > 0)

/** The orders that go to a place which the text names: a street, a town, a box. */
function inPlaces(text: string, own: readonly OwnOrder[]): readonly OwnOrder[] {
  const said = new Set(wordsOf(text))
  const placed = own.map((order) => {
    const { address } = order.record
    return { order, words: typeof address === 'string' ? wordsOf(address) : [] }
  })
  return placed.flatMap(({ order, words }) =>
    words.some((word) => said.has(word) && !COMMON.has(word)) ? [order] : [],
  )
}

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll(/\bp\.? ?o\.? ?box\b/gu, 'pobox')
    .match(/\p{L}{4,}/gu) ?? []

/** Words of addresses that tell none. */
const COMMON: ReadonlySet<string> = new Set(
  'street avenue road drive lane court circle boulevard terrace place north south east west unit floor suite apartment house home hill'.split(
    ' ',
  ),
)

/** Words for several orders, whatever was spoken of before. */
const OF_SEVERAL =
  /\b(?:each(?: (?:one|order|parcel|package|of (?:them|these|those|my)))?|every (?:order|parcel|package|one of (?:them|my))|all (?:of )?(?:my |the |these |those |them|three|four)(?:\p{L}+ )?(?:orders|parcels|packages|deliveries|things|stuff)?|both(?: of (?:them|my))?|(?:my|the|these|those|any|open|current|pending|which|what) (?:\p{L}+ )?(?:orders|parcels|packages|deliveries|shipments)|which (?:one )?of (?:my|the|them|these))\b/iu

/** Words for all that was ordered, or for the things of one order that was spoken of. */
const OF_THINGS =
  /\b(?:everything|(?:any|some)thing (?:of mine|for me)|my (?:\p{L}+ )?(?:things|stuff|items|purchases|goods|shopping)|all (?:that )?i (?:ordered|bought)|they all|them all|all of it)\b/iu

/** What is over is asked for as well. */
const PAST = /\b(?:did|were|was|went|delivered|arrived)\b/iu
const EVER =
  /\b(?:which (?:one )?of (?:my|the|them)|which one|all (?:of )?my orders|each|every order)\b/iu

/** Who can't name an order. */
const NO_ID =
  /\b(?:(?:do ?n'?t|do not|have ?n'?t|haven't|cannot|can'?t|no idea|not) (?:\p{L}+ ){0,3}(?:ids?|numbers?|codes?)|no (?:ids?|order (?:ids?|numbers?)|numbers?)|what (?:ids?|order ids?)|without (?:an? |the )?ids?)\b|^\W*(?:(?:sorry|hm+|i)\W+)*(?:do ?n['’]?t (?:know|remember)|not sure|no idea|no clue|dunno|can['’]?t (?:tell|remember|say))(?: (?:it|that|which(?: one)?))?\W*$/iu

/** The clauses of a message that name an order: "has the lamp shipped, and was the book refunded?" asks two things. */
export function textOf(state: SupportState, id: string): string {
  const parts = clausesOf(state.text).flatMap((one) => one.split(AND))
  const own = parts.filter((text) => namedOrder({ ...state, text }) === id)
  return own.length === 0 ? state.text : own.join(', ')
}

const AND = /\s+(?:and|but)\s+/iu
