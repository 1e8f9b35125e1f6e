import { asksOfTurningUp } from '../afterwards/turns-up.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import type { Command } from '../command.ts'
import { facetsOf } from '../facets.ts'
import type { Lesson } from '../lesson.ts'
import { asksTimeToDecide, UNTIL_CANCEL } from '../questions/until-when.ts'
import { SEND_BACK } from '../readings/of-documents.ts'

const REFUND = 'refund'
const CANCEL = 'cancel'

/**
 * What a question beside a yes or a no asks about what is agreed to or refused: a parcel that comes after its refund,
 * the time that is left to cancel, or what has to be done for an order. `null` for other questions.
 */
export function askedOfSubject(question: string, { context }: Lesson): Command | null {
  const { open, choices, about, last } = context.dialogue
  const intentId = (open ?? choices[0])?.intentId
  if (intentId === REFUND && asksOfTurningUp(question)) return lookUp(SEND_BACK)
  if (intentId === CANCEL && asksTimeToDecide(question)) return lookUp(UNTIL_CANCEL)
  const isOfOrder = open === null && (about ?? last?.params)?.[ORDER] !== undefined
  return isOfOrder && facetsOf(question).includes('todo')
    ? { type: 'follow-up', about: 'my_part' }
    : null
}

const lookUp = (question: string): Command => ({ type: 'ask-knowledge', question })
