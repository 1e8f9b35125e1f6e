import { SEND_BACK } from '../questions/standard.ts'
import { asksOfTurningUp } from '../afterwards/turns-up.ts'
import { HAND_OVER } from '../../turn/hand-over.ts'
import { ORDER } from '../../customer/resolve-order.ts'
import { isRequest } from '../clauses.ts'
import type { Command, StartTask } from '../command.ts'
import { facetsOf } from '../facets.ts'
import { byRule, isActing, type Lesson, openersFor, SURE } from '../lesson.ts'
import { wishesOf } from '../read-wishes.ts'
import type { Intent } from '../../intent.ts'
import { asksTimeToDecide, UNTIL_CANCEL } from '../questions/until-when.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'
import { RETURN_COSTS } from '../../turn/weighing/facts.ts'

const REFUND = 'refund'
const RETURN = 'return'
const CANCEL = 'cancel'

/**
 * What a question beside a yes or a no asks about what is agreed to or refused: a parcel that comes after its refund,
 * the time that is left to cancel, or what has to be done for an order. `null` for other questions.
 */
export function askedOfSubject(question: string, lesson: Lesson): readonly Command[] {
  const asked = askedFirst(question, lesson)
  const { open, choices } = lesson.context.dialogue
  const costs = COSTS_OF[(open ?? choices[0])?.intentId ?? '']
  return asked === null
    ? []
    : costs === undefined || !ASKS_COST.test(question)
      ? [asked]
      : [asked, lookUp(costs)]
}

/** What documents say of the costs of an action. */
const COSTS_OF: Readonly<Record<string, string>> = {
  return: RETURN_COSTS,
  cancel: SECTIONS.cancelFee,
}
const ASKS_COST =
  /\b(?:do|does|would|will|is|are|any|what|how much)\b[^.!?]{0,40}\b(?:costs?|fees?|free|charged?|pay|postage)\b/iu

function askedFirst(question: string, { context }: Lesson): Command | null {
  const { open, choices, about, last } = context.dialogue
  const subject = open ?? choices[0]
  const intentId = subject?.intentId
  if (intentId === REFUND && asksOfTurningUp(question)) return lookUp(SEND_BACK)
  if (intentId === CANCEL && asksTimeToDecide(question)) return lookUp(UNTIL_CANCEL)
  const isOfMoney = intentId === REFUND || intentId === RETURN
  const tells = isOfMoney && asksTimeToDecide(question) ? deadlineIn(context.intents) : undefined
  const order = subject?.params[ORDER]
  if (tells !== undefined && order !== undefined) return byRule(tells.id, { [ORDER]: order })
  const isOfOrder = open === null && (about ?? last?.params)?.[ORDER] !== undefined
  return isOfOrder && facetsOf(question).includes('todo')
    ? { type: 'follow-up', about: 'my_part' }
    : null
}

/** "No. Give me the tracking number, I'll look myself": what is to be told, beside a no to what was offered. */
export function wantedBeside(text: string, lesson: Lesson): readonly StartTask[] {
  const wishes = text
    .split(/(?<=[.!?;,\n])\s+/u)
    .map((part) => part.replace(LEADS, ''))
    .flatMap((part) => {
      const found = wishesOf(part, lesson).filter(({ confidence }) => confidence >= SURE)
      return found.filter(({ intentId }) => isRequest(part, openersFor(lesson, intentId)))
    })
  const isTold = wishes.every(({ intentId }) => intentId !== HAND_OVER)
  return isTold && !isActing(wishes, lesson) ? wishes.slice(0, 1) : []
}

const LEADS =
  /^\W*(?:(?:no|nope|nah|ok|okay|well|then|but|and|so|just|only|please|simply|rather|instead|thanks|thx)\b[\s,.!-]*)+/iu
/** The intent that tells until when an order can be sent back or refunded; the documents tell it of orders in general. */
const deadlineIn = (intents: readonly Intent[]): Intent | undefined =>
  intents.find(({ id, confirm }) => id === 'return_deadline' && !confirm)

const lookUp = (question: string): Command => ({ type: 'ask-knowledge', question })
