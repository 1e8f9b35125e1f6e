import { namedOrder, namedParams } from '../../customer/resolution.ts'
import { type OwnOrder, ownOrdersIn } from '../../customer/own-order.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import { type Command, readAs, type Reading, type StartTask } from '../../understand/command.ts'
import { clausesOf } from '../../understand/clauses.ts'
import { asks } from '../../understand/read-questions.ts'
import { wasRefused } from '../begin-task.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { possibleFor } from './parcels/possible-for.ts'
import { telling } from './telling.ts'

/** A few words may stand between what negates and what is negated: "has not been delivered", "have I not yet received". */
const NOT =
  "\\b(?:\\p{L}+n['’]?t|not|never|(?:yet|still) to(?: be)?)(?: (?:i|we|you|it|they|been|yet|even|actually|really|be|gotten|to)){0,3} "
const ON_TIME: readonly string[] = ['shipped', 'in_transit']
const ON_ITS_WAY: readonly string[] = [...ON_TIME, 'delayed']

/** States by the words for them, in questions which order is in one. */
const STATES: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    new RegExp(
      `${NOT}(?:deliver|arriv|c[ao]me|got|get|here|receiv|reach|with me|in my hands)`,
      'iu',
    ),
    ['processing', ...ON_ITS_WAY],
  ],
  [new RegExp(`${NOT}(?:late|delayed|overdue|behind)`, 'iu'), ['processing', ...ON_TIME]],
  [/\b(?:late|delayed|overdue|behind)\b/iu, ['delayed']],
  [
    /\b(?:not|n't|isn't|yet to be) (?:been )?(?:shipped|sent|left)\b|\bstill (?:with you|being prepared|there)\b|\bbeing prepared\b/iu,
    ['processing'],
  ],
  [/\b(?:on (?:its|the|their) way|shipped|sent(?! back)|in transit|under way)\b/iu, ON_ITS_WAY],
  [/\b(?:delivered|arrived|here already|been here)\b/iu, ['delivered']],
  [/\bcancell?ed\b/iu, ['cancelled']],
  [/\brefunded\b/iu, ['refunded']],
]

const WHICH =
  /\bwhich (?:(?:one|order|parcel|package|delivery|shipment)s?|of (?:these|them|those|my (?:orders|parcels|packages)|the (?:two|three|orders|parcels))|is|comes|arrives|gets)\b/iu

const OF_PARCELS = /\b(?:orders?|parcels?|packages?|deliver(?:y|ies)|shipments?)\b/iu

/** What is expected soonest. */
const FIRST = /\b(?:first|next|soonest|earliest|earlier|sooner)\b/iu

/** More orders at once are a list. */
const MOST_TOLD = 3

/** "Which of these is late?", "which one comes first?", "which can I cancel?": the customer's own orders say it. */
export const whichOrder = (settings: SupportSettings, state: SupportState): Reading | null =>
  possibleFor(settings, state) ?? whichInState(settings, state)

function whichInState(settings: SupportSettings, state: SupportState): Reading | null {
  const { text, dialogue } = state
  if (dialogue.open !== null || !WHICH.test(text) || text.length > 160) return null
  // "Which gets me the money sooner?", of two things that can be done.
  if (dialogue.choices.length > 1 && !OF_PARCELS.test(text)) return null
  // "Which orders should I cancel?" asks for advice, or for something to be done.
  if (/\b(?:can|could|should|shall|may|would) (?:i|we|you)\b/iu.test(text)) return null
  const orders = ownOrdersIn(state.orders)
  const states = STATES.find(([words]) => words.test(text))?.[1]
  const meant =
    states === undefined
      ? FIRST.test(text)
        ? soonest(orders)
        : null
      : orders.filter(({ status }) => states.includes(status))
  const told = telling(settings, state)
  if (meant === null || meant.length === 0 || meant.length > MOST_TOLD || told === undefined) {
    return null
  }
  const commands = meant.map(({ id }): StartTask => ({
    type: 'start-task',
    intentId: told.id,
    params: { [ORDER]: id },
    confidence: 1,
  }))
  return readAs(commands, 'it asks which of the orders')
}

const IDENTIFIER = /\b\p{L}{1,6}-\d{4,}\b/giu

/** Messages back in which an order may have been named that was not found. */
const MOST_BEFORE = 3

const OF_CHARGE =
  /\b(?:charged?|billed|paid|pay|paying|money|payment|owe|exist\p{L}*|gone|placed|went through|go through)\b/iu

const REFERS = /\b(?:the other|that|this|the missing|the first)(?: (?:one|order))?\b|\bfor it\b/iu

/** "Was I charged for that one?", of an order that was not found: nothing more is known of it. */
export function ofUnknown(settings: SupportSettings, state: SupportState): Reading | null {
  const { text, dialogue, history } = state
  if (dialogue.open !== null || !OF_CHARGE.test(text) || !REFERS.test(text)) return null
  if (text.length > 120 || !(text.includes('?') || asks(text)) || namedOrder(state) !== null) {
    return null
  }
  const said = history.filter(({ role }) => role === 'user').slice(-MOST_BEFORE)
  const named = said.flatMap((one) => one.text.match(IDENTIFIER) ?? [])
  const own = ownOrdersIn(state.orders).map(({ id }) => id)
  const id = named.at(-1)?.toUpperCase()
  const isSpoken = dialogue.about?.[ORDER] !== undefined && dialogue.about[ORDER] !== id
  const told = telling(settings, state)
  if (id === undefined || own.includes(id) || isSpoken || told === undefined) return null
  const task: StartTask = {
    type: 'start-task',
    intentId: told.id,
    params: { [ORDER]: id },
    confidence: 1,
  }
  return readAs([task], 'it asks about an order that was not found')
}

/** The order that is expected first. */
function soonest(orders: readonly OwnOrder[]): readonly OwnOrder[] {
  const expected = orders.flatMap((order) => {
    const { eta } = order.record
    const isOpen = EXPECTED.has(order.status) && typeof eta === 'string'
    return isOpen ? [{ order, eta }] : []
  })
  const [first] = expected.toSorted((a, b) => a.eta.localeCompare(b.eta))
  return first === undefined ? [] : [first.order]
}

const EXPECTED: ReadonlySet<string> = new Set(['processing', 'shipped', 'in_transit', 'delayed'])

/** Longer texts say themselves what they want. */
const MOST_WORDS = 14

/** Words of customers who want something else, or tell something. */
const OF_ITS_OWN =
  /\b(?:refund\p{L}*|return\p{L}*|send|sent|cancel\p{L}*|track\p{L}*|where|when|why|(?:how|what)(?! about\b)|who|money|address|person|colleague|is|are|was|were|has|had|does|did|came|arrived|broke|works?|never ?mind|forget|leave|nothing|invoice|wait)\b|n't\b/iu

/**
 * "Then O-12355, but only the jeans", after a refusal, and "the jeans as well", after something was done: the same for
 * what is named.
 */
export function sameForNamed(
  { registry }: SupportSettings,
  state: SupportState,
  { commands }: Reading,
): Reading | null {
  const { dialogue, text } = state
  const { open, last } = dialogue
  const intent = last === null ? undefined : registry.find(last.intentId)
  if (open !== null || intent?.confirm !== true || text.split(/\s+/).length > MOST_WORDS)
    return null
  const isPart = wasRefused(state) && ASKS_FOR_PART.test(text)
  // "What about the chair? I can wait for the desk": what is kept is not meant.
  const [said = text] = isPart ? clausesOf(text) : [text]
  if (OF_ITS_OWN.test(said) || (!isPart && (text.includes('?') || asks(text)))) return null
  const isMeant = wasRefused(state) ? isPart || NARROWS.test(text) : AS_WELL.test(text)
  if (!isMeant || !commands.every(isOpenTo)) return null
  const named = { ...state, text: said }
  const id = namedParams(named)?.[ORDER] ?? namedOrder(named)
  if (typeof id !== 'string') return null
  const task: StartTask = {
    type: 'start-task',
    intentId: intent.id,
    params: { [ORDER]: id },
    confidence: 1,
    ...(isPart && { said }),
  }
  return readAs([task], 'the same for what it names')
}

/** Whether a text may ask for no more than what it names. */
const isOpenTo = ({ type }: Command): boolean => type !== 'small-talk' && type !== 'ask-person'

/** "What about only the lamp then?" */
const ASKS_FOR_PART =
  /^\W*(?:(?:ok|okay|k|alright|all right|fine|well|so|then|hm+|ugh|and|but)[\s,.!]+)*(?:what|how) about (?:just |only )/iu

const NARROWS =
  /^\W*(?:(?:ok|okay|k|alright|all right|fine|well|so|then|hm+|ugh|please)[\s,.!]+)*(?:then|just|only|at least|the other|what about|how about|o-\d+)\b/iu

const AS_WELL =
  /\b(?:as well|too|also)\b(?:[\s,]+(?:please|pls|then|thanks))*\W*$|^\W*(?:(?:and|ok|okay)[\s,]+)*also\b/iu
