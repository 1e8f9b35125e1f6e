import { namedOrder } from '../../customer/resolution.ts'
import { ownOrdersIn } from '../../customer/own-order.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import { BY_RULE, readAs, type Reading } from '../../understand/command.ts'
import { type Facet, facetsOf } from '../../understand/facets.ts'
import { UNTIL_CANCEL } from '../../understand/questions/until-when.ts'
import { CONFIRMATION } from '../dialogue.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { orderSpokenOf } from '../money/given-back.ts'
import { intentsOf } from './offered.ts'
import { isReading } from './reads-only.ts'

/**
 * "And when do I get my money back?", before the confirmation of a cancellation: it asks for the rule, since nothing
 * has been done yet.
 */
export function askedOfOpen(
  settings: SupportSettings,
  state: SupportState,
  { commands }: Reading,
): Reading | null {
  const { open } = state.dialogue
  const [command, ...more] = commands
  const isTold =
    more.length === 0 && command?.type === 'start-task' && isReading(settings, command.intentId)
  const isOfMoney = GIVES_BACK.has(open?.intentId ?? '') && facetsOf(state.text).includes('refund')
  if (open?.param !== CONFIRMATION || !isTold || !isOfMoney || !OF_THE_FUTURE.test(state.text)) {
    return null
  }
  const named = namedOrder(state)
  return named !== null && named !== open.params[ORDER]
    ? null
    : readAs([{ type: 'ask-knowledge', question: state.text }], 'it asks about what is open')
}

/** "How long do I have?", of an order that is not shipped yet: it is the time to cancel it. */
export function askedUntilCancel(
  settings: SupportSettings,
  state: SupportState,
  { commands }: Reading,
): Reading | null {
  const [command, ...more] = commands
  if (state.dialogue.open !== null || command?.type !== 'start-task' || more.length > 0) return null
  const isOfTime = settings.registry.find(command.intentId)?.withoutOrder === 'documents'
  const order = namedOrder(state) ?? orderSpokenOf(state)
  const status = ownOrdersIn(state.orders).find(({ id }) => id === order)?.status
  return isOfTime && status === 'processing' && !OF_RETURN.test(state.text)
    ? readAs([{ type: 'ask-knowledge', question: UNTIL_CANCEL }], 'it asks how long it can cancel')
    : null
}

const OF_RETURN = /\b(?:return\p{L}*|back|refund\p{L}*|money|exchange)\b/iu

/** What gives the money back. */
const GIVES_BACK: ReadonlySet<string> = new Set<Facet>(['refund', 'return', 'cancel'])

/** When something will be, rather than whether it is so already. */
const OF_THE_FUTURE =
  /\b(?:when|how (?:long|soon|fast|quickly|many (?:\p{L}+ )?days)|by when|till when)\b(?! (?:did|was|were|have|has)\b)/iu

/** "So the yoga mat is too late?": the rules are asked for what fits that order, which does nothing by itself. */
export function askedTooLate(
  settings: SupportSettings,
  state: SupportState,
  { commands }: Reading,
): Reading | null {
  const isActing = commands.some(
    (one) => one.type === 'start-task' && !isReading(settings, one.intentId),
  )
  const named = namedOrder(state)
  if (isActing || named === null || state.dialogue.open !== null) return null
  if (!IS_TOO_LATE.test(state.text) || OF_ITS_ARRIVAL.test(state.text)) return null
  const status = ownOrdersIn(state.orders).find(({ id }) => id === named)?.status ?? ''
  const fitting = intentsOf(settings, state).filter(
    ({ confirm, whileStatus = [] }) => confirm && whileStatus.includes(status),
  )
  // What was spoken of: what is sent back, after the rules of returns.
  const before = state.history.findLast(({ role }) => role === 'agent')?.text.toLowerCase() ?? ''
  const [only, ...others] = fitting.filter(({ id }) => before.includes(id))
  return only === undefined || others.length > 0
    ? null
    : readAs(
        [{ type: 'start-task', intentId: only.id, params: {}, confidence: BY_RULE }],
        'it asks whether it is too late',
      )
}

const IS_TOO_LATE = /\btoo late\b[^?]*\?/iu

/** A thing that is late itself. */
const OF_ITS_ARRIVAL = /\b(?:why|deliver\p{L}*|arriv\p{L}*|com(?:e|es|ing)|get here)\b/iu
