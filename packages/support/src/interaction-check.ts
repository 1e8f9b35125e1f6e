import { EchelonError, isJson, isJsonObject } from 'echelon/internal/value'
import type { Ids } from 'echelon/runtime'
import type { GivenInteraction, Interaction } from './interaction.ts'

/** Characters of one message that are read; real questions are shorter. */
const MOST_CHARACTERS = 20_000

/**
 * Fills in the defaults of an interaction.
 * @throws EchelonError INVALID_INPUT with what to do
 */
export function interactionOf(given: GivenInteraction, sessionId: string, ids: Ids): Interaction {
  const { id = ids.next(), text, customerId = null, context = {} } = given
  if (!isName(sessionId)) throw refused('the session id', 'give a text of 1 to 200 characters')
  if (!isName(id)) throw refused('the interaction id', 'give a text of 1 to 200 characters')
  if (typeof text !== 'string') throw refused('the text', 'give what the customer wrote')
  if (text.length > MOST_CHARACTERS) {
    throw refused('the text', `it has ${text.length} characters; ${MOST_CHARACTERS} are read`)
  }
  if (customerId !== null && !isName(customerId)) {
    throw refused('customerId', 'give the id that you have made sure of, or null')
  }
  if (!isJson(context) || !isJsonObject(context)) throw refused('context', 'give plain data')
  return { id, text, customerId, context }
}

const isName = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= 200

const refused = (what: string, remedy: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `${what} of an interaction cannot be used: ${remedy}`)
