import { SEND_BACK } from '../questions/standard.ts'
import type { JsonObject } from 'echelon/runtime'
import { type Command, readAs, type Reading } from '../command.ts'
import { ASKS_DUTY } from '../afterwards/prospects.ts'
import { OR } from '../learned-classifier.ts'
import { byRule, intentOf, LEAST, type Lesson, SURE } from '../lesson.ts'
import { asksAnywhere, SURE_OF_STATEMENT, topicLabel } from '../read-questions.ts'
import { correctedParams, thingsIn } from '../read-wishes.ts'
import { SECTIONS } from '../../knowledge/known-sections.ts'
import { sourceIn } from '../../wording/sentences.ts'
import { CANCEL, REFUND, RETURN } from '../../dialogue/known-intents.ts'

/** "Can I send it back once it's here?": what will be possible, whatever is not possible before. */
export function onceArrived(text: string, lesson: Lesson): Reading | null {
  const { label, confidence } = lesson.classifier.classify(text)
  const topic = lesson.topics.find(({ ask }) => ask === SECTIONS.returnOnceArrived)
  if (topic === undefined || label === null || tellsOfArrival(text)) return null
  const least = asksAnywhere(text) ? SURE : SURE_OF_STATEMENT
  const isAsked = label === topicLabel(topic) && confidence >= least
  const isOnCondition = AFTER_ARRIVAL.test(text) && OF_SENDING_BACK.has(label)
  // "Would I have to send it back when it arrives?": a refund asks for nothing of the kind.
  if ((isAsked || isOnCondition) && ASKS_DUTY.test(text) && !isOfReturn(lesson)) {
    return readAs([{ type: 'ask-knowledge', question: SEND_BACK }], 'it asks what a refund needs')
  }
  return isAsked || (isOnCondition && confidence >= LEAST)
    ? readAs([returnOnceArrived(text, lesson)], 'it asks for a return after delivery')
    : null
}

/** Whether sending back is what is wished, or what is left where an order can't be cancelled. */
function isOfReturn({ context }: Lesson): boolean {
  const { open, choices, last } = context.dialogue
  const subject = open ?? choices.find(({ intentId }) => ACTS.has(intentId)) ?? last
  return subject?.intentId === RETURN || subject?.intentId === CANCEL
}

const ACTS: ReadonlySet<string> = new Set([REFUND, RETURN, CANCEL])

/** "Only the socks, is that possible too?", behind what will be possible: of a part of it. */
export function partOnceArrived(text: string, lesson: Lesson): Reading | null {
  const before = lesson.context.history.findLast(({ role }) => role === 'agent')?.text ?? ''
  const isBehind = sourceIn(before) === SECTIONS.returnOnceArrived
  if (!isBehind || !ONLY.test(text) || thingsIn(text, lesson).length === 0) return null
  return readAs([{ type: 'ask-knowledge', question: SECTIONS.partOfReturn }], 'it asks for a part')
}

const ONLY =
  /^\W*(?:(?:and|but|so|ok|okay|what if it'?s|what about|how about)[\s,]+)*(?:only|just)\b/iu

/** The requests for what has been delivered. */
const OF_SENDING_BACK: ReadonlySet<string> = new Set(['return', 'refund', `refund${OR}return`])

const THING = '(?:it|they|this|that|(?:the|my) \\p{L}+(?: \\p{L}+)?)'

/** Whether it is told of the day on which it came. */
export const tellsOfArrival = (text: string): boolean => HAS_ARRIVED.test(text)

const HAS_ARRIVED = new RegExp(
  `\\bwhen (?:${THING} (?:arrived|came|was delivered|got here)|(?:i|we) (?:got|received|opened|unpacked))\\b`,
  'iu',
)

/** A time at which the order has come. */
const AFTER_ARRIVAL = new RegExp(
  `\\b(?:once|when|after|as soon as) (?:${THING}(?:'s| is| are|'re| has| have|'ve)? (?:finally |all |been )*(?:here|there|arrives?|comes?|delivered|gets? here|shows? up|turns? up)\\b|${THING}(?:'s|'ve| has| have) (?:arrived|come|got here)\\b|(?:i|we)(?: have|'ve(?: got)?| get| receive| hold) (?:it|them|the (?:order|parcel|package))\\b(?! on\\b))`,
  'iu',
)

function returnOnceArrived(text: string, lesson: Lesson): Command {
  const intent = intentOf(lesson, RETURN)
  if (intent === undefined) return { type: 'ask-knowledge', question: SECTIONS.returnOnceArrived }
  const params: JsonObject = correctedParams(text, intent)
  return { ...byRule(RETURN, params), wonders: 'possible', isOnceArrived: true }
}
