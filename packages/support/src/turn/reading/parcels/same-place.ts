import { namedOrder } from '../../../customer/resolution.ts'
import { isToCome, type OwnOrder, ownOrdersIn } from '../../../customer/own-order.ts'
import { ORDER } from '../../../customer/resolve-order.ts'
import type { TaskCommand } from '../../../dialogue/apply-commands.ts'
import type { Intent } from '../../../intent.ts'
import type { Command } from '../../../understand/command.ts'
import type { Facet } from '../../../understand/facets.ts'
import { asksAnywhere } from '../../../understand/read-questions.ts'
import type { SupportSettings } from '../../support-settings.ts'
import type { SupportState } from '../../support-state.ts'
import { CONFIRMATION } from '../../dialogue.ts'
import { intentsOf } from '../offered.ts'

/** A place that was spoken of, and whose it is. */
interface Place {
  readonly order: string
  readonly address: string
}

/**
 * "Are the shoes going there too?", "is the apartment on the lamp's address as well?": where another order goes, and
 * whether that is the place which was spoken of, such as that of a change which waits for a yes. What is said besides
 * a question stands. `null` for other messages.
 */
export function placeCompared(
  settings: SupportSettings,
  state: SupportState,
  commands: readonly Command[],
): readonly TaskCommand[] | null {
  const place = isAsked(state.text) ? placeSpoken(settings, state) : null
  const tells = intentsOf(settings, state).find(tellsAddress)
  if (place === null || tells === undefined) return null
  const said = commands.filter((one): one is TaskCommand & Command => SAYS.has(one.type))
  if (commands.some(({ type }) => !SAYS.has(type) && !ASKS.has(type))) return null
  const meant = ordersMeant(state, place)
  const compared = meant.map(({ id, record }): TaskCommand => ({
    type: 'start-task',
    intentId: tells.id,
    params: { [ORDER]: id },
    confidence: 1,
    asks: [isSame(record['address'], place) ? SAME : OTHER],
  }))
  return compared.length === 0 ? null : [...said, ...compared]
}

const SAME: Facet = 'same_place'
const OTHER: Facet = 'other_place'

const SAYS: ReadonlySet<Command['type']> = new Set(['confirm', 'deny', 'cancel-task'])
const ASKS: ReadonlySet<Command['type']> = new Set([
  'start-task',
  'ask-knowledge',
  'follow-up',
  'unclear',
  'wait',
  'remark',
  'ask-options',
  'correct-slots',
  'set-slots',
])

/** Whether an intent tells where an order goes. */
const tellsAddress = ({ confirm, wording }: Intent): boolean =>
  !confirm && wording.post.includes('{address}')

const isAsked = (text: string): boolean =>
  text.length <= MOST_CHARACTERS && text.split(/(?<=[.!?;])\s+/u).some(compares)

const compares = (sentence: string): boolean =>
  asksAnywhere(sentence) && COMPARES.some((words) => words.test(sentence)) && !WISHES.test(sentence)

const MOST_CHARACTERS = 140

const COMPARES: readonly RegExp[] = [
  /\b(?:same|that|this|new) (?:place|address|house|home|apartment|flat|apt|street|door|location)\b/iu,
  /\b(?:go(?:es|ing)?|com(?:e|es|ing)|sent|shipp?(?:ed|ing)|delivered|headed|heading|directed|on (?:its|the|their) way) (?:\p{L}+ ){0,2}there\b/iu,
  /\bthere (?:too|also|as well)\b/iu,
  /\b(?:ap(?:artmen)?t|unit|suite|floor|house number|street|zip|address)\b[^.!?]*\b(?:too|also|as well)\b|\b(?:too|also|as well)\b[^.!?]*\b(?:ap(?:artmen)?t|unit|suite|house number|street|zip|address)\b/iu,
  /\b(?:does|will|would|is) (?:that|this|it) (?:also |only )?(?:apply|go for|count for|change|affect|include|move|be for|for)\b/iu,
]

/** What is to be done, or is asked of something else than a place. */
const WISHES =
  /\b(?:can|could|please|pls|should|shall|want|need|like|how|why|when|where|which|who|money|refund\p{L}*|return\p{L}*|card|paypal|instead|cost|extra|fee|possible|able|chance|may|might|would it)\b|(?:^|[.,;]|\band|\bthen)\s*(?:also )?(?:send|ship|change|make|put|let'?s|use|deliver)\b/iu

/** The place that an open change names, or else the one of an order that the last answer told. */
function placeSpoken({ registry }: SupportSettings, state: SupportState): Place | null {
  const { open } = state.dialogue
  const intent = open === null ? undefined : registry.find(open.intentId)
  if (open !== null) {
    const [param = ''] = Object.entries(intent?.params ?? {}).flatMap(([name, { wholeAnswer }]) =>
      wholeAnswer ? [name] : [],
    )
    const [order, address] = [open.params[ORDER], open.params[param]]
    const isOpen = open.param === CONFIRMATION
    return isOpen && typeof order === 'string' && typeof address === 'string'
      ? { order, address }
      : null
  }
  const named = namedOrder(state)
  const own = ownOrdersIn(state.orders).filter(({ id }) => id !== named)
  const answers = state.history.filter(({ role }) => role === 'agent').slice(-MOST_BEFORE)
  for (const { text } of answers.toReversed()) {
    const told = own.flatMap(({ id, record: { address } }) =>
      typeof address === 'string' && text.includes(address) && text.includes(id)
        ? [{ order: id, address }]
        : [],
    )
    const [first] = told
    if (first !== undefined) return told.every(isAt(first)) ? first : null
  }
  return null
}

const isAt =
  (place: Place) =>
  ({ address }: Place): boolean =>
    isSame(address, place)

/** Answers back in which a place may have been told. */
const MOST_BEFORE = 2

/** The order that is named, or else the others that are still to come. */
function ordersMeant(state: SupportState, place: Place): readonly OwnOrder[] {
  const own = ownOrdersIn(state.orders).filter(({ items }) => items.length > 0)
  const named = namedOrder(state)
  if (named !== null) return own.filter(({ id }) => id === named && id !== place.order)
  const rest = own.filter((order) => isToCome(order) && order.id !== place.order)
  const isOfOne = THE_OTHER.test(state.text)
  return THE_OTHERS.test(state.text) && rest.length <= (isOfOne ? 1 : MOST) ? rest : []
}

const THE_OTHER = /\b(?:the|my) other (?:one|order|parcel|package)\b/iu
const THE_OTHERS = /\b(?:others?|rest|everything|all|anything) ?(?:else|of)?\b/iu
/** More orders at once are a list. */
const MOST = 3

const isSame = (address: unknown, place: Place): boolean =>
  typeof address === 'string' && wordsOf(address) === wordsOf(place.address)

const wordsOf = (address: string): string =>
  (address.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
