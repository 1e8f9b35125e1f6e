import { namedOrder } from '../../customer/resolution.ts'
import { clausesOf } from '../../understand/clauses.ts'
import type { Command, Reading } from '../../understand/command.ts'
import { asks } from '../../understand/read-questions.ts'
import { wasRefused } from '../begin-task.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { rungOf } from './offered.ts'
import { isReading } from './reads-only.ts'
import { tellsToAct } from './tells-to-act.ts'

/** A reading request changes nothing, so it needs less confidence by this much. */
const READING_BONUS = 0.25
/** What is done is confirmed first, so it needs less as well where a thing of the customer's own is named. */
const OWN_BONUS = 0.15
const TICKET_MALUS = 0.05

/** The confidence from which a reading is carried out: less for what harms less. */
export function leastOf(
  settings: SupportSettings,
  state: SupportState,
  { commands }: Reading,
): number {
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
  // Quoting a document changes nothing.
  const isLast = state.rung >= settings.rungs.length - 1
  if (isLast && commands.every(({ type }) => type === 'ask-knowledge')) {
    return settings.accept.embedded - READING_BONUS
  }
  if (isInterrupting(state)) return settings.accept.embedded
  const isPlain = isStatement(state) && namedOrder(state) === null && !/\d{4}/.test(state.text)
  return settings.accept.embedded + (isPlain ? STATEMENT_MALUS : -READING_BONUS)
}

/** Statements that name nothing are most often no questions about an order. */
const STATEMENT_MALUS = 0.1

/** Whether a message neither asks nor tells to do anything. */
const isStatement = ({ text }: SupportState): boolean =>
  !text.includes('?') &&
  !clausesOf(text).some(asks) &&
  !tellsToAct(text) &&
  !OF_ITS_STATE.test(text)

/** Words of customers who want to know where an order is. */
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
