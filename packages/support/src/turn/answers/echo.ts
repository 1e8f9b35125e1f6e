import * as sentences from '../../wording/sentences.ts'
import { canHandOver, HAND_OVER, offeringColleague } from '../hand-over.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'

/** Whether the last answer said the same. */
export const isSaidBefore = ({ history }: SupportState, text: string): boolean =>
  history.findLast(({ role }) => role === 'agent')?.text.includes(text) === true

/**
 * The same answer twice in a row does not help: the second one says that there is no more, and offers a colleague. What
 * the customer asked to be repeated, and short courtesies, stay.
 */
export function withoutEcho(settings: SupportSettings, state: SupportState): SupportState {
  const { dialogue, texts, reading } = state
  const text = texts.join('\n\n')
  const last = state.history.findLast(({ role }) => role === 'agent')?.text
  const isFree = dialogue.open === null && dialogue.stack.length === 0 && state.task === null
  const isMeant = reading?.commands.some(({ type }) => ECHOES.has(type)) === true
  if (text !== last || !isFree || isMeant || dialogue.handedOver !== null) return state
  if (text.length < SHORT || !canHandOver(settings, state)) return state
  const asks =
    state.outcome === 'denied' ? sentences.STAYS_REFUSED : `${text}\n\n${sentences.ALL_I_SEE}`
  const isOffering = text.endsWith('?') && state.outcome !== 'denied'
  if (!isOffering) return offeringColleague({ ...state, texts: [asks] })
  // Where just a colleague was offered, only that is said again.
  const isPerson = dialogue.choices.every(({ intentId }) => intentId === HAND_OVER)
  return isPerson && dialogue.choices.length > 0
    ? { ...state, texts: [sentences.ALL_I_SEE] }
    : state
}

/** Characters of an answer that may be said twice. */
const SHORT = 45
const ECHOES: ReadonlySet<string> = new Set(['repeat', 'small-talk', 'undo'])
