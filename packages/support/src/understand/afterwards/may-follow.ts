import { ORDER } from '../../customer/resolve-order.ts'
import { answerIn } from '../../turn/kept-history.ts'
import { HAND_OVER } from '../../turn/hand-over.ts'
import { documentIn } from '../../wording/sentences.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'
import type { Lesson } from '../lesson.ts'
import type { FollowUp } from './kinds.ts'
import { REFUND } from '../../dialogue/known-intents.ts'

/** Whether something has happened that a message of this kind may follow. */
export function mayFollow(about: FollowUp, { context }: Lesson): boolean {
  const { dialogue, history } = context
  const before = history.findLast(({ role }) => role === 'agent')
  if (before === undefined) return false
  const { last, done, blocked, choices } = dialogue
  const outcome = answerIn(before).outcome
  const isWaiting = blocked.length > 0
  const isOfOrder = documentIn(before.text) === null
  const spoken = dialogue.about?.[ORDER] ?? last?.params[ORDER]
  const isOffered = choices.some(({ intentId }) => intentId === HAND_OVER)
  const isOnlyPerson = choices.every(({ intentId }) => intentId === HAND_OVER)
  const acting = context.intents.find(({ id }) => id === last?.intentId)?.confirm === true
  switch (about) {
    case 'why':
      return outcome === 'denied' || isWaiting
    case 'options':
      return spoken !== undefined
    case 'my_part':
      return isWaiting || (spoken !== undefined && isOnlyPerson)
    case 'reopen':
      // Nothing is opened again that neither was done here nor is told to be closed.
      // Where something else was offered, "don't do that" is about the offer.
      return isOnlyPerson && (done !== null || (spoken !== undefined && CLOSED.test(before.text)))
    case 'untouched':
    case 'turns_up':
      return done !== null
    case 'rest':
      return done?.intentId === REFUND
    case 'return_cost':
    case 'no_label':
      return spoken !== undefined && RETURNS.test(before.text)
    case 'order_again':
      return done !== null || spoken !== undefined
    case 'money_when':
      return done !== null || isWaiting || toldOfMoney(before.text)
    case 'send_back':
      return done !== null || isWaiting
    case 'decision_when':
      return isWaiting || isOffered
    case 'declined':
      return isWaiting
    case 'sooner':
    case 'sure':
      return spoken !== undefined && !acting
    case 'money_missing':
      return (
        (spoken !== undefined && (acting ? toldOfMoney(before.text) : isOfOrder)) ||
        documentIn(before.text) === SECTIONS.payment
      )
    case 'no_person':
    case 'still_person':
      // They are read where a person has the conversation, and nowhere else.
      return false
    case 'accepts':
    case 'call':
      return true
  }
}

/** Answers that tell of an order that is over. */
const CLOSED = /\bcancell?ed\b|\bclosed\b/iu

/** Whether an answer speaks of the money of an order, rather than of rules. */
const toldOfMoney = (text: string): boolean => documentIn(text) === null && OF_MONEY.test(text)

/** Answers that speak of money that was, or is, given back. */
export const OF_MONEY: RegExp = /\bgiven back\b|\brefunded\b|\bmoney\b/iu

/** Words of answers that speak of sending something back. */
const RETURNS = /\breturn|\bsend (?:it|them) back\b/iu

export const wasDenied = ({ context }: Lesson): boolean =>
  context.history.findLast(({ role }) => role === 'agent')?.metadata['outcome'] === 'denied'
