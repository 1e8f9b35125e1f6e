import { ownOrdersIn } from '../../../customer/own-order.ts'
import { ORDER } from '../../../customer/resolve-order.ts'
import { type Facet } from '../../../understand/facets.ts'
import {
  BY_RULE,
  type Command,
  readAs,
  type Reading,
  type StartTask,
} from '../../../understand/command.ts'
import { SECTIONS } from '../../../knowledge/known-sections.ts'
import type { SupportSettings } from '../../support-settings.ts'
import type { SupportState } from '../../support-state.ts'
import { intentsOf } from '../offered.ts'
import { telling } from '../telling.ts'
import { listingIn } from './listing.ts'

/** The words for what may be done with an order. */
const DONE: readonly (readonly [RegExp, string])[] = [
  [/\b(?:cancel\p{L}*|call(?:ed)? off)\b/iu, 'cancel' satisfies Facet],
  [/\b(?:return(?:ed|able)?|(?:send|sent|give|given) back)\b/iu, 'return' satisfies Facet],
  [/\b(?:refund(?:ed|able)?|money back)\b/iu, 'refund' satisfies Facet],
  [/\b(?:address|redirect(?:ed)?|somewhere else|elsewhere)\b/iu, 'change_address'],
]

const ORDERS = '(?:orders?|parcels?|packages?|purchases?|ones?|things?|items?)'

/** "Which of those can I still cancel?", "can any of my orders still be called off?" */
const WHICH = new RegExp(
  [
    `\\b(?:which|what)(?: (?:${ORDERS}|of (?:these|them|those|(?:my|the) (?:\\p{L}+ )?${ORDERS})))? (?:of mine )?(?:can|could|may|am i (?:still )?(?:able|allowed) to)\\b`,
    `\\b(?:can|could) (?:i |we |you )?(?:still )?(?:\\p{L}+ )?any (?:of (?:these|them|those|my ${ORDERS})|orders?)\\b`,
    `\\b(?:is|are) there (?:an?|any) ${ORDERS}\\b[^.!?]*\\b(?:can|could)\\b`,
  ].join('|'),
  'iu',
)

/** The rules themselves, or more than which it is possible for. */
const OF_RULES =
  /\b(?:in general|generally|usually|normally|until when|how (?:long|do|can)|why|where|cost|fee|if)\b/iu

const MOST_CHARACTERS = 120
/** Of more orders, the list with their states tells it. */
const MOST = 3

/** What may still be done with some of the orders: the rules are asked for the one in a state for it; of several, the rule is told with them. */
export function possibleFor(settings: SupportSettings, state: SupportState): Reading | null {
  const { text, dialogue, orders } = state
  if (dialogue.open !== null || text.length > MOST_CHARACTERS) return null
  if (!WHICH.test(text) || OF_RULES.test(text)) return null
  const named = DONE.filter(([words]) => words.test(text))
  const intent = intentsOf(settings, state).find(({ id }) => id === named[0]?.[1])
  if (named.length !== 1 || intent?.whileStatus === undefined) return null
  const own = ownOrdersIn(orders)
  const fitting = own.filter(({ status }) => intent.whileStatus?.includes(status) === true)
  const [only, ...others] = fitting
  if (only !== undefined && others.length === 0) {
    const requests = [{ intentId: intent.id, params: { [ORDER]: only.id } }]
    return readAs([{ type: 'ask-options', order: only.id, requests }], POSSIBLE)
  }
  const told = fitting.length > MOST ? undefined : telling(settings, state)?.id
  const list = listingIn(settings)
  const each =
    told === undefined ? [] : fitting.map(({ id }) => ({ ...task(told), params: { [ORDER]: id } }))
  const all = list === null ? [] : [task(list)]
  const rule: Command = { type: 'ask-knowledge', question: RULES[intent.id] ?? text }
  return readAs([rule, ...(each.length > 0 ? each : all)], POSSIBLE)
}

const POSSIBLE = 'it asks for which orders that is possible'

/** The sections that say when it is possible. */
const RULES: Readonly<Record<string, string>> = {
  cancel: SECTIONS.cancelling,
  return: SECTIONS.returns,
  refund: SECTIONS.refunds,
  change_address: SECTIONS.changedAddress,
}

const task = (intentId: string): StartTask => ({
  type: 'start-task',
  intentId,
  params: {},
  confidence: BY_RULE,
})
